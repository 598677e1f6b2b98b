#include "system/memory.h"

#include "base/end_of_thread.h"
#include "base/pool.h"

#include <cstdint>
#include <cstdlib>

#include <pthread.h>
#include <sys/mman.h>

namespace previct {

void at_end_of_thread(void (*leave)(void*), void* value) {
  struct Key {
    explicit Key(void (*leave)(void*)) : made(::pthread_key_create(&number, leave) == 0) {}
    pthread_key_t number{};
    bool made;
  };
  static const Key kKey(leave);
  if (kKey.made) ::pthread_setspecific(kKey.number, value);
}

auto memory_for_large_pages(std::size_t size) -> void* {
  return std::aligned_alloc(kLargePage, size);
}

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

}  // namespace previct
