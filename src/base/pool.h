#pragma once

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

/// Memory for the objects of a large input: many small blocks and a few long lists. The kernel is asked to use large
/// pages, because the first access to each small page costs more than reading what is stored in it.
namespace previct {

struct FreePiece {
  void operator()(char* piece) const noexcept { std::free(piece); }
};
/// A piece of memory; if it has kLargePage bytes or more, large pages can back it where the system has them.
using Piece = std::unique_ptr<char, FreePiece>;
inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

/// Allocates a piece. Throws std::bad_alloc.
[[nodiscard]] auto piece_of(std::size_t size) -> Piece;

/// Allocates memory that large pages can back, for std::free(); null if there is none. `size` is a multiple of
/// kLargePage. Like use_large_pages(), defined in src/system.
[[nodiscard]] auto memory_for_large_pages(std::size_t size) -> void*;

/// Asks the kernel to back these bytes with large pages when they are first accessed.
void use_large_pages(void* at, std::size_t size) noexcept;

/// Blocks for objects with an alignment of at most kAlignment. A small block that is given back is reused for a block
/// of its size, by the thread that gave it back or by a thread that starts after that one has ended. It is never
/// returned to the system.
class Pool {
 public:
  static constexpr std::size_t kAlignment = 8;

  /// Allocates a block. Throws std::bad_alloc.
  [[nodiscard]] static auto take(std::size_t size) -> void*;
  /// Gives a block back. `size` must be the size that was passed to take().
  static void give(void* block, std::size_t size) noexcept;
};

/// Reserves capacity for `room` elements; a long list uses large pages.
template <class T>
void reserve_with_large_pages(std::vector<T>& list, std::size_t room) {
  if (room <= list.capacity()) return;
  std::vector<T> larger;
  larger.reserve(room);
  use_large_pages(larger.data(), larger.capacity() * sizeof(T));
  larger.insert(larger.end(), std::move_iterator(list.begin()), std::move_iterator(list.end()));
  list.swap(larger);
}
/// Reserves capacity for one more element. A short list is left to its own growth.
template <class T>
void reserve_with_large_pages(std::vector<T>& list) {
  if (list.size() < list.capacity() || list.size() * sizeof(T) < kLargePage) return;
  reserve_with_large_pages(list, list.size() * 2);
}

}  // namespace previct
