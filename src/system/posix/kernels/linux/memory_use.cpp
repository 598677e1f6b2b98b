#include "system/beyond_posix.h"
#include "system/memory.h"

#include <array>
#include <charconv>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

namespace previct::system {

auto resident_memory() -> std::uint64_t {
  // The numbers are pages: the size of the program, then its resident part.
  std::array<char, 128> text{};
  const Descriptor descriptor = open_to_inspect("/proc/self/statm");
  const ssize_t size = descriptor ? descriptor.read(text) : 0;
  const std::string_view words(text.data(), static_cast<std::size_t>(size > 0 ? size : 0));
  const std::size_t blank = words.find(' ');
  std::uint64_t pages = 0;
  if (blank == std::string_view::npos) return 0;
  std::from_chars(words.data() + blank + 1, words.data() + words.size(), pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

auto limit_data(std::uint64_t bytes) -> bool {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace previct::system
