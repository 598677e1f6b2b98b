#include "system/files.h"

#include "system/beyond_posix.h"

#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct::system {
namespace {

// The permissions of a new file that everybody may read and write, less those that the user withholds (umask).
auto default_permissions() -> mode_t {
  constexpr mode_t kAll = 0666;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return kAll & ~mask;
}

}  // namespace

auto create_unique(char* path, std::size_t ending, bool /*for_owner_only*/) -> int {
  return ::mkostemps(path, static_cast<int>(ending), O_CLOEXEC);
}

auto may_create_in(const std::string& folder) -> bool {
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

auto may_write(const std::string& file) -> bool {
  constexpr mode_t kAnyMayWrite = 0222;
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && (status.st_mode & kAnyMayWrite) != 0 &&
         ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0;
}

auto current_user() -> User {
  return std::to_string(::geteuid());
}

auto is_administrator(const User& user) -> bool {
  return user == "0";
}

auto owner_of(const std::string& path, bool follow) -> std::optional<User> {
  struct stat status {};
  if ((follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) return {};
  return std::to_string(status.st_uid);
}

void copy_permissions(int descriptor, const std::string& like) {
  constexpr mode_t kPermissions = 0777;
  struct stat status {};
  ::fchmod(descriptor, ::stat(like.c_str(), &status) == 0 ? status.st_mode & kPermissions : default_permissions());
}

auto copy_attributes(const std::string& from, int to) -> bool {
  struct stat status {};
  struct stat now {};
  if (::stat(from.c_str(), &status) != 0 || ::fstat(to, &now) != 0) return false;
  const bool same_owner = now.st_uid == status.st_uid && now.st_gid == status.st_gid;
  if (!same_owner && ::fchown(to, status.st_uid, status.st_gid) != 0) return false;
  constexpr mode_t kMode = 07777;
  return ::fchmod(to, status.st_mode & kMode) == 0 && copy_extended_attributes(from.c_str(), to);
}

}  // namespace previct::system
