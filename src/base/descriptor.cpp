#include "base/descriptor.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct {
namespace {

// A signal that was handled meanwhile is no failure.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
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
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }));
}

auto open_regular(const std::string& path) -> Descriptor {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return open_to_read(path);
  errno = EINVAL;
  return {};
}

}  // namespace previct
