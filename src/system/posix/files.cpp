#include "system/files.h"

#include "system/beyond_posix.h"

#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct::system {
auto create_unique(char* path, std::size_t ending) -> int {
  return ::mkostemps(path, static_cast<int>(ending), O_CLOEXEC);
}

auto current_user() -> uid_t {
  return ::geteuid();
}

void set_permissions(int descriptor, mode_t mode) {
  ::fchmod(descriptor, mode);
}

auto default_permissions() -> mode_t {
  constexpr mode_t kAll = 0666;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return kAll & ~mask;
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
