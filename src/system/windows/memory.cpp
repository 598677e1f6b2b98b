#include "system/memory.h"

#include "base/end_of_thread.h"
#include "base/pool.h"
#include "system/windows/wide.h"

#include <cstdlib>

#include <psapi.h>

namespace previct {

void at_end_of_thread(void (*leave)(void*), void* value) {
  static const DWORD kSlot = FlsAlloc(leave);
  if (kSlot != FLS_OUT_OF_INDEXES) FlsSetValue(kSlot, value);
}

auto memory_for_large_pages(std::size_t size) -> void* {
  return std::malloc(size);
}

// Windows gives large pages only to accounts with a privilege of their own.
void use_large_pages(void* /*at*/, std::size_t /*size*/) noexcept {}

auto system::resident_memory() -> std::uint64_t {
  PROCESS_MEMORY_COUNTERS told{};
  told.cb = sizeof told;
  return K32GetProcessMemoryInfo(GetCurrentProcess(), &told, sizeof told) != 0 ? told.WorkingSetSize : 0;
}

}  // namespace previct
