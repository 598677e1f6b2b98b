#include "input/file_state.h"

#include "system/files.h"

#include <sys/stat.h>

namespace previct {

auto state_of(const std::string& path) -> std::optional<FileState> {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const timespec changed = system::changed_at(status);
  return FileState{status.st_dev, status.st_ino, status.st_size, changed.tv_sec, changed.tv_nsec};
}

}  // namespace previct
