#include "system/memory.h"

#include "base/descriptor.h"
#include "base/pool.h"

#include <array>
#include <charconv>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace previct {

// Only a hint for the kernel: the contents of the memory do not change.
void use_large_pages(void* at, std::size_t size) noexcept {
#if defined(MADV_HUGEPAGE)
  const auto begin = (reinterpret_cast<std::uintptr_t>(at) + kLargePage - 1) / kLargePage * kLargePage;
  const auto end = (reinterpret_cast<std::uintptr_t>(at) + size) / kLargePage * kLargePage;
  if (begin >= end) return;
  char* const first = static_cast<char*>(at) + (begin - reinterpret_cast<std::uintptr_t>(at));
  static_cast<void>(::madvise(first, end - begin, MADV_HUGEPAGE));
#else
  static_cast<void>(at);
  static_cast<void>(size);
#endif
}

namespace system {

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

}  // namespace system
}  // namespace previct
