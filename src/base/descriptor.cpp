#include "base/descriptor.h"

#include "base/files_read.h"

#include <cerrno>

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

}  // namespace previct
