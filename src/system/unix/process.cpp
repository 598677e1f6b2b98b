#include "system/process.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

namespace previct::system {
namespace {

auto is_executable(const std::string& file) -> bool {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

auto find_program(const std::string& name, std::string_view path) -> Result<std::string> {
  if (name.find('/') != std::string::npos) {
    if (is_executable(name)) return name;
    return fail(fmt::format("{} is not an executable program", name));
  }
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    if (end > 0) {
      std::string file = fmt::format("{}/{}", path.substr(0, end), name);
      if (is_executable(file)) return file;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return fail(fmt::format("there is no {} in PATH", name));
}

}  // namespace previct::system
