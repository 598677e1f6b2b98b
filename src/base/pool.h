#pragma once

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

/// Memory for what a large input leaves: many small blocks, and a few long lists. The system is asked to back it by
/// large pages, since the first touch of each small one costs more than reading what comes to stand there.
namespace previct {

struct FreePiece {
  void operator()(char* piece) const noexcept { std::free(piece); }
};
/// A piece of memory; one of kLargePage or more begins at a multiple of that.
using Piece = std::unique_ptr<char, FreePiece>;
inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

/// Throws std::bad_alloc.
[[nodiscard]] auto piece_of(std::size_t size) -> Piece;

/// What is in these bytes may stand in large pages, once it is touched.
void use_large_pages(void* at, std::size_t size) noexcept;

/// Blocks for objects that need an alignment of kAlignment at most. A small block that was given back is used again for
/// one of its size, by the thread that gave it back, or by one that began when that had ended; the system gets none.
class Pool {
 public:
  static constexpr std::size_t kAlignment = 8;

  /// Throws std::bad_alloc.
  [[nodiscard]] static auto take(std::size_t size) -> void*;
  /// `size`: what was asked for.
  static void give(void* block, std::size_t size) noexcept;
};

/// Room for `room` elements; of a long list in large pages.
template <class T>
void make_room(std::vector<T>& list, std::size_t room) {
  if (room <= list.capacity()) return;
  std::vector<T> larger;
  larger.reserve(room);
  use_large_pages(larger.data(), larger.capacity() * sizeof(T));
  larger.insert(larger.end(), std::move_iterator(list.begin()), std::move_iterator(list.end()));
  list.swap(larger);
}
/// The same for one more; a short list makes room by itself.
template <class T>
void make_room(std::vector<T>& list) {
  if (list.size() < list.capacity() || list.size() * sizeof(T) < kLargePage) return;
  make_room(list, list.size() * 2);
}

}  // namespace previct
