#include "input/memory_guard.h"

#include "base/descriptor.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include <unistd.h>

namespace previct {

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

auto MemoryGuard::allows(std::uint64_t bytes) -> bool {
  const std::uint64_t before = read_.fetch_add(bytes);
  if (before / kStep == (before + bytes) / kStep && before != 0) return !exceeded_;
  if (resident_memory() > limit()) exceeded_ = true;
  return !exceeded_;
}

auto MemoryGuard::failure(FileId file) const -> Failure {
  return {fmt::format("reading it needs more than the limit of {} MiB of memory", limit() >> 20U),
          {file},
          "raise the limit with --max-memory"};
}

}  // namespace previct
