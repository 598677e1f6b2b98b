#include "support/work.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> blocks{0};
std::atomic<std::uint64_t> bytes{0};

}  // namespace

// Replaces the library's operator for the whole program that this is linked to.
auto operator new(std::size_t size) -> void* {
  blocks.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(size, std::memory_order_relaxed);
  if (void* const block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
// The non-throwing operator: with the library's version, a sanitizer would report that new and delete do not match.
auto operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept -> void* {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t /*size*/) noexcept {
  std::free(block);
}
void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
  std::free(block);
}

namespace previct::test {

auto work() -> Work {
  return {blocks.load(), bytes.load()};
}

}  // namespace previct::test
