#include "system/beyond_posix.h"
#include "system/process.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace previct::system {
namespace {

auto between_calls() -> std::mutex& {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

auto open_pipe() -> Result<Pipe> {
  std::array<int, 2> ends{};
  const std::lock_guard lock(between_calls());
  if (::pipe(ends.data()) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

auto creating_process() -> std::unique_lock<std::mutex> {
  return std::unique_lock(between_calls());
}

}  // namespace previct::system
