#include "base/descriptor.h"

#include "base/file_status.h"
#include "system/unix/changed_at.h"

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

auto status_from(const struct stat& told) -> FileStatus {
  const timespec changed = system::changed_at(told);
  return {.type = S_ISREG(told.st_mode)   ? FileStatus::Type::file
                  : S_ISDIR(told.st_mode) ? FileStatus::Type::folder
                                          : FileStatus::Type::other,
          .device = static_cast<std::uint64_t>(told.st_dev),
          .number = static_cast<std::uint64_t>(told.st_ino),
          .size = static_cast<std::uint64_t>(told.st_size),
          .names = static_cast<std::uint64_t>(told.st_nlink),
          .seconds = changed.tv_sec,
          .nanos = changed.tv_nsec};
}

}  // namespace

auto Descriptor::open(const std::string& path) -> Descriptor {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }));
}

void Descriptor::reset() {
  const int number = std::exchange(number_, -1);
  if (number > STDIN_FILENO) ::close(number);
}

auto Descriptor::read(std::span<char> into, std::optional<std::uint64_t> offset) const -> std::ptrdiff_t {
  return uninterrupted([&] {
    return offset ? ::pread(number_, into.data(), into.size(), static_cast<off_t>(*offset))
                  : ::read(number_, into.data(), into.size());
  });
}

auto status_of(const std::string& path) -> std::optional<FileStatus> {
  struct stat told {};
  if (::stat(path.c_str(), &told) != 0) return {};
  return status_from(told);
}

auto status_of(int descriptor) -> std::optional<FileStatus> {
  struct stat told {};
  if (::fstat(descriptor, &told) != 0) return {};
  return status_from(told);
}

}  // namespace previct
