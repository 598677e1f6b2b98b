#include "base/descriptor.h"

#include <cerrno>

#include <fcntl.h>
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

auto open_to_read(const std::string& path, bool wait) -> Descriptor {
  const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (wait ? 0 : O_NONBLOCK);
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags); }));
}

}  // namespace previct
