#include "system/memory.h"

#include "base/end_of_thread.h"
#include "base/pool.h"

#include <cstdlib>

namespace previct {

// There is one thread, which ends with the program.
void at_end_of_thread(void (* /*leave*/)(void*), void* /*value*/) {}

auto memory_for_large_pages(std::size_t size) -> void* {
  return std::malloc(size);
}

void use_large_pages(void* /*at*/, std::size_t /*size*/) noexcept {}

// Memory that WebAssembly was given is never taken back: this is the most that was ever in use.
auto system::resident_memory() -> std::uint64_t {
  constexpr std::uint64_t kPage = 65'536;
  return __builtin_wasm_memory_size(0) * kPage;
}

}  // namespace previct
