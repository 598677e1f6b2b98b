#include "system/beyond_posix.h"
#include "system/process.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace previct::system {

auto open_pipe() -> Result<Pipe> {
  std::array<int, 2> ends{};
  // Closed in child processes, including those that other threads start; dup2 clears the flag for the ends that a child
  // uses.
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

auto creating_process() -> std::unique_lock<std::mutex> {
  return {};
}

}  // namespace previct::system
