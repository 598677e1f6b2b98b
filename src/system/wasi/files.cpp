#include "system/files.h"

#include "system/unix/changed_at.h"

#include <cerrno>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <unistd.h>

namespace previct::system {

auto program_file() -> std::string {
  return {};
}

auto create_unique(char* path, std::size_t ending, bool /*for_owner_only*/) -> int {
  constexpr std::size_t kUnique = 6;
  char* const unique = path + std::strlen(path) - ending - kUnique;
  std::random_device random;
  for (std::size_t i = 0; i < kUnique; ++i) unique[i] = static_cast<char>('a' + random() % 26);
  return ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

auto rename_to_new(const char* from, const char* to) -> bool {
  return ::link(from, to) == 0;
}

auto exchange(const char* /*one*/, const char* /*other*/) -> bool {
  errno = ENOTSUP;
  return false;
}

auto changed_at(const struct stat& status) -> timespec {
  return status.st_mtim;
}

auto may_create_in(const std::string& folder) -> bool {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}
auto may_write(const std::string& file) -> bool {
  return ::access(file.c_str(), W_OK) == 0;
}

// WASI files have no owners and no permissions.
auto current_user() -> User {
  return {};
}
auto is_administrator(const User& /*user*/) -> bool {
  return false;
}
auto owner_of(const std::string& /*path*/, bool /*follow*/) -> std::optional<User> {
  return User();
}
void copy_permissions(int /*descriptor*/, const std::string& /*like*/) {}
auto copy_attributes(const std::string& /*from*/, int /*to*/) -> bool {
  return true;
}

}  // namespace previct::system
