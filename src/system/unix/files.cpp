#include "system/files.h"

#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace previct::system {

auto home_folder() -> std::string {
  const char* const home = std::getenv("HOME");
  return home == nullptr ? std::string() : home;
}

auto list_separator() -> char {
  return ':';
}

auto with_slashes(std::string path) -> std::string {
  return path;
}

auto open_to_write(const std::string& path) -> int {
  return ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

auto write_some(int descriptor, std::string_view bytes) -> std::ptrdiff_t {
  return ::write(descriptor, bytes.data(), bytes.size());
}

auto flush(int descriptor) -> bool {
  return ::fsync(descriptor) == 0;
}

auto close(int descriptor) -> bool {
  return ::close(descriptor) == 0;
}

auto rename_over(const char* from, const char* to) -> bool {
  return std::rename(from, to) == 0;
}

void remove(const char* path) {
  ::unlink(path);
}

}  // namespace previct::system
