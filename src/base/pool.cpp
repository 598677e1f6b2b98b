#include "base/pool.h"

#include "base/end_of_thread.h"
#include "base/sanitizer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <new>

namespace previct {
namespace {

constexpr std::size_t kLargestBlock = 1024;
constexpr std::size_t kFirstPiece = std::size_t{32} << 10U;
constexpr std::size_t kLargestPiece = std::size_t{8} << 20U;

struct FreeBlock {
  FreeBlock* next;
};

/// The free memory of one thread.
struct ThreadCache {
  std::array<FreeBlock*, kLargestBlock / Pool::kAlignment + 1> free{};  // by size
  char* at = nullptr;
  std::size_t left = 0;
  std::size_t next_piece = kFirstPiece;
  ThreadCache* next = nullptr;
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): memory belongs to the program as a whole, and to its
// threads
std::mutex unused_mutex;
ThreadCache* unused = nullptr;  // the shelves of threads that have ended

thread_local ThreadCache* thread_cache = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void leave_thread_cache(void* left) {
  auto* const leaving = static_cast<ThreadCache*>(left);
  const std::lock_guard lock(unused_mutex);
  leaving->next = std::exchange(unused, leaving);
  thread_cache = nullptr;
}

auto take_thread_cache() -> ThreadCache& {
  {
    const std::lock_guard lock(unused_mutex);
    if (unused != nullptr) thread_cache = std::exchange(unused, unused->next);
  }
  if (thread_cache == nullptr) thread_cache = new ThreadCache;
  at_end_of_thread(leave_thread_cache, thread_cache);
  return *thread_cache;
}

auto new_block(ThreadCache& from, std::size_t size) -> void* {
  if (from.left < size) {
    // Never released: blocks of it may be in use until the program ends.
    from.at = piece_of(from.next_piece).release();
    from.left = from.next_piece;
    from.next_piece = std::min(from.next_piece * 2, kLargestPiece);
  }
  from.left -= size;
  return std::exchange(from.at, from.at + size);
}

constexpr auto rounded(std::size_t size) -> std::size_t {
  return (size + Pool::kAlignment - 1) / Pool::kAlignment * Pool::kAlignment;
}

auto is_small(std::size_t size) -> bool {
#if PREVICT_ADDRESS_SANITIZER
  return size == SIZE_MAX;
#else
  return size <= kLargestBlock;
#endif
}

}  // namespace

auto piece_of(std::size_t size) -> Piece {
  const bool large = size >= kLargePage;
  if (large) size = (size + kLargePage - 1) / kLargePage * kLargePage;
  Piece piece(static_cast<char*>(large ? memory_for_large_pages(size) : std::malloc(size)));
  if (!piece) throw std::bad_alloc();
  if (large) use_large_pages(piece.get(), size);
  return piece;
}

auto Pool::take(std::size_t size) -> void* {
  if (!is_small(size)) return ::operator new(size);
  ThreadCache& from = thread_cache == nullptr ? take_thread_cache() : *thread_cache;
  size = std::max(rounded(size), sizeof(FreeBlock));
  FreeBlock*& first = from.free[size / kAlignment];
  if (first == nullptr) return new_block(from, size);
  return std::exchange(first, first->next);
}

void Pool::give(void* block, std::size_t size) noexcept {
  if (!is_small(size)) return ::operator delete(block);
  ThreadCache& to = thread_cache == nullptr ? take_thread_cache() : *thread_cache;
  size = std::max(rounded(size), sizeof(FreeBlock));
  FreeBlock*& first = to.free[size / kAlignment];
  first = new (block) FreeBlock{first};
}

}  // namespace previct
