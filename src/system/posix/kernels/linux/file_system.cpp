#include "system/beyond_posix.h"
#include "system/files.h"
#include "system/unix/changed_at.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace previct::system {
namespace {

// musl has no function for it.
auto rename_with(const char* from, const char* to, unsigned flags) -> bool {
  return ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0;
}

}  // namespace

auto program_file() -> std::string {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

auto rename_to_new(const char* from, const char* to) -> bool {
  if (rename_with(from, to, RENAME_NOREPLACE)) return true;
  // Some file systems do not support that; link() does not replace a file either.
  return errno == EINVAL && ::link(from, to) == 0;
}

auto exchange(const char* one, const char* other) -> bool {
  return rename_with(one, other, RENAME_EXCHANGE);
}

auto copy_extended_attributes(const char* from, int to) -> bool {
  const ssize_t size = ::listxattr(from, nullptr, 0);
  if (size <= 0) return size == 0 || errno == ENOTSUP;
  std::string names(static_cast<std::size_t>(size), '\0');
  const ssize_t listed = ::listxattr(from, names.data(), names.size());
  if (listed < 0) return false;
  names.resize(static_cast<std::size_t>(listed));
  for (std::size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    const char* const name = names.c_str() + at;
    const ssize_t length = ::getxattr(from, name, nullptr, 0);
    std::string value(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    if (length < 0 || ::getxattr(from, name, value.data(), value.size()) != length) return false;
    if (::fsetxattr(to, name, value.data(), value.size(), 0) == 0) continue;
    // A security module sets its labels itself, as for the old file.
    if (!std::string_view(name).starts_with("security.")) return false;
  }
  return true;
}

auto changed_at(const struct stat& status) -> timespec {
  return status.st_mtim;
}

}  // namespace previct::system
