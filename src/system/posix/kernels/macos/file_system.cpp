#include "base/descriptor.h"
#include "system/beyond_posix.h"
#include "system/files.h"
#include "system/unix/changed_at.h"

#include <mach-o/dyld.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <copyfile.h>
#include <unistd.h>

namespace previct::system {

auto program_file() -> std::string {
  std::array<char, PATH_MAX> path{};
  auto size = static_cast<std::uint32_t>(path.size());
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code failed;
  return std::filesystem::canonical(path.data(), failed).string();
}

auto rename_to_new(const char* from, const char* to) -> bool {
  if (::renamex_np(from, to, RENAME_EXCL) == 0) return true;
  // Some file systems do not support that; link() does not replace a file either.
  return errno == ENOTSUP && ::link(from, to) == 0;
}

auto exchange(const char* one, const char* other) -> bool {
  return ::renamex_np(one, other, RENAME_SWAP) == 0;
}

auto copy_extended_attributes(const char* from, int to) -> bool {
  const Descriptor file = open_to_inspect(from);
  return file && ::fcopyfile(file.number(), to, nullptr, COPYFILE_ACL | COPYFILE_XATTR) == 0;
}

auto changed_at(const struct stat& status) -> timespec {
  return status.st_mtimespec;
}

}  // namespace previct::system
