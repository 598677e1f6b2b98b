#include "system/beyond_posix.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace previct::system {
namespace {

// What getdents64(2) writes; musl has no other name for it.
static_assert(sizeof(dirent::d_ino) == 8 && offsetof(dirent, d_name) == 19);

// Calls `each` with the id of every process.
template <class Each>
void each_process(Each each) {
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(dirent) std::array<char, 2048> entries{};
  for (long got = 0; (got = ::syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0;) {
    for (long at = 0; at < got;) {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): so says getdents64(2)
      const auto* entry = reinterpret_cast<const dirent*>(&entries[static_cast<std::size_t>(at)]);
      const std::string_view name = static_cast<const char*>(entry->d_name);
      pid_t number = 0;
      const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
      if (read.ec == std::errc() && read.ptr == name.data() + name.size()) each(number);
      at += entry->d_reclen;
    }
  }
  ::close(folder);
}

// Source: proc_pid_stat(5): `1234 (name of the program) S 1233 …`.
auto parent_of(pid_t process) -> pid_t {
  std::array<char, 32> path{"/proc/"};
  char* const end = std::to_chars(path.data() + std::strlen(path.data()), path.data() + 20, process).ptr;
  std::memcpy(end, "/stat", sizeof "/stat");
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t got = ::read(file, text.data(), text.size());
  ::close(file);
  const std::string_view stat(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const std::size_t behind = stat.rfind(") ");
  pid_t parent = 0;
  if (behind != std::string_view::npos && behind + 4 < stat.size())
    std::from_chars(stat.data() + behind + 4, stat.data() + stat.size(), parent);
  return parent;
}

}  // namespace

void each_child(pid_t process, void (*each)(pid_t child, int depth), int depth) {
  each_process([&](pid_t other) {
    if (parent_of(other) == process) each(other, depth);
  });
}

}  // namespace previct::system
