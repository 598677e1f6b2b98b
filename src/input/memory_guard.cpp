#include "input/memory_guard.h"

#include "system/memory.h"

#include <fmt/format.h>

namespace previct {

auto MemoryGuard::allows(std::uint64_t bytes) -> bool {
  const std::uint64_t before = read_.fetch_add(bytes);
  if (before / kStep == (before + bytes) / kStep && before != 0) return !exceeded_;
  if (system::resident_memory() > limit()) exceeded_ = true;
  return !exceeded_;
}

auto MemoryGuard::failure(FileId file) const -> Failure {
  return {fmt::format("reading it needs more than the limit of {} MiB of memory", limit() >> 20U),
          {file},
          "raise the limit with --max-memory"};
}

}  // namespace previct
