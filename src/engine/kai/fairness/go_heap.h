#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace previct::kai {

/// A copy of Go's container/heap, step by step: its moves determine which of two equal or stale elements is popped
/// first.
template <class T>
class GoHeap {
 public:
  [[nodiscard]] auto empty() const -> bool { return items_.empty(); }
  [[nodiscard]] auto size() const -> std::size_t { return items_.size(); }
  [[nodiscard]] auto top() const -> const T& { return items_.front(); }

  template <class Less>
  void push(T item, const Less& less) {
    items_.push_back(std::move(item));
    up(items_.size() - 1, less);
  }

  /// Adds an element to a heap that is only sorted when its first element is taken: until then, only the top is in its
  /// place. For elements of which no two are equal, so that no position but the top can be observed.
  template <class Less>
  void collect(T item, const Less& less) {
    if (items_.empty()) collected_ = true;
    if (!collected_) return push(std::move(item), less);
    items_.push_back(std::move(item));
    if (less(items_.back(), items_.front())) std::swap(items_.back(), items_.front());
  }

  /// Makes a heap of the collected elements.
  template <class Less>
  void order(const Less& less) {
    if (!collected_) return;
    collected_ = false;
    for (std::size_t at = items_.size() / 2; at-- > 0;) down(at, items_.size(), less);
  }

  template <class Less>
  auto pop(const Less& less) -> T {
    order(less);
    return take_last_after_swap(0, less);
  }

  /// Removes the element at an array position (not by rank).
  template <class Less>
  auto remove(std::size_t at, const Less& less) -> T {
    const std::size_t last = items_.size() - 1;
    if (at != last) {
      std::swap(items_[at], items_[last]);
      if (!down(at, last, less)) up(at, less);
    }
    return take_last();
  }

  /// Re-sifts one position after its element has changed.
  template <class Less>
  void fix(std::size_t at, const Less& less) {
    if (!down(at, items_.size(), less)) up(at, less);
  }

 private:
  template <class Less>
  auto take_last_after_swap(std::size_t at, const Less& less) -> T {
    const std::size_t last = items_.size() - 1;
    std::swap(items_[at], items_[last]);
    down(at, last, less);
    return take_last();
  }

  auto take_last() -> T {
    T item = std::move(items_.back());
    items_.pop_back();
    return item;
  }

  template <class Less>
  void up(std::size_t at, const Less& less) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 2;
      if (!less(items_[at], items_[parent])) return;
      std::swap(items_[at], items_[parent]);
      at = parent;
    }
  }

  template <class Less>
  auto down(std::size_t from, std::size_t size, const Less& less) -> bool {
    std::size_t at = from;
    while (2 * at + 1 < size) {
      std::size_t child = 2 * at + 1;
      if (child + 1 < size && less(items_[child + 1], items_[child])) ++child;
      if (!less(items_[child], items_[at])) break;
      std::swap(items_[at], items_[child]);
      at = child;
    }
    return at > from;
  }

  std::vector<T> items_;
  bool collected_ = false;  // only the top is in its place
};

}  // namespace previct::kai
