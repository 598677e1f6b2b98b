#include "system/beyond_posix.h"
#include "system/files.h"
#include "system/unix/changed_at.h"

#include <cerrno>

#include <unistd.h>

namespace previct::system {

auto program_file() -> std::string {
  return {};
}

// It does not replace a file.
auto rename_to_new(const char* from, const char* to) -> bool {
  return ::link(from, to) == 0;
}

auto exchange(const char* /*one*/, const char* /*other*/) -> bool {
  errno = ENOTSUP;
  return false;
}

auto copy_extended_attributes(const char* /*from*/, int /*to*/) -> bool {
  return true;
}

auto changed_at(const struct stat& status) -> timespec {
  return status.st_mtim;
}

}  // namespace previct::system
