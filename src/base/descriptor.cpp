#include "base/descriptor.h"

#include "base/files_read.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct {
namespace {

// Repeats the call if a signal interrupted it.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

auto opened(const std::string& path) -> Descriptor {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }));
}

}  // namespace

void Descriptor::reset() {
  const int number = std::exchange(number_, -1);
  if (number > STDIN_FILENO) ::close(number);
}

auto Descriptor::read(std::span<char> into, std::optional<std::uint64_t> offset) const -> ssize_t {
  return uninterrupted([&] {
    return offset ? ::pread(number_, into.data(), into.size(), static_cast<off_t>(*offset))
                  : ::read(number_, into.data(), into.size());
  });
}

auto open_to_read(const std::string& path) -> Descriptor {
  Descriptor descriptor = path == "-" ? Descriptor(STDIN_FILENO) : opened(path);
  if (descriptor) note_read(descriptor.number(), path);
  return descriptor;
}

auto open_regular(const std::string& path) -> Descriptor {
  Descriptor descriptor = open_to_inspect(path);
  if (descriptor) note_read(descriptor.number(), path);
  return descriptor;
}

auto open_to_inspect(const std::string& path) -> Descriptor {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return opened(path);
  errno = EINVAL;
  return {};
}

auto open_pipe() -> Result<Pipe> {
  std::array<int, 2> ends{};
  // Closed in child processes, including those that other threads start; dup2 clears the flag for the ends that a child
  // uses.
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace previct
