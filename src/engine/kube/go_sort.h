#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace previct::kube {
// NOLINTBEGIN(misc-no-recursion): recurses into the smaller part, so the depth is logarithmic

/// Go's sort.Slice, comparison by comparison and swap by swap.
///
/// It is not stable, and a comparison that returns "less" both ways (two missing start times) is not even an order, so
/// the result depends on the algorithm: pattern-defeating quicksort as in Go's sort package (zsortfunc).
/// Source: spec of sort.Slice in Go 1.19 and later; positions are those of the whole slice.
template <class T, class Less>
class GoSort {
 public:
  GoSort(std::span<T> items, Less less) : items_(items), less_(less) {}

  void run() { quick(0, size(), static_cast<int>(std::bit_width(items_.size()))); }

 private:
  using Index = std::ptrdiff_t;
  enum class Hint { unknown, increasing, decreasing };
  struct Pivot {
    Index at;
    Hint hint;
  };

  [[nodiscard]] auto size() const -> Index { return static_cast<Index>(items_.size()); }
  [[nodiscard]] auto at(Index i) -> T& { return items_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] auto less(Index i, Index j) -> bool { return less_(at(i), at(j)); }
  void swap(Index i, Index j) { std::swap(at(i), at(j)); }

  void insertion(Index a, Index b) {
    for (Index i = a + 1; i < b; ++i) {
      for (Index j = i; j > a && less(j, j - 1); --j) swap(j, j - 1);
    }
  }

  void sift_down(Index lo, Index hi, Index first) {
    Index root = lo;
    while (true) {
      Index child = 2 * root + 1;
      if (child >= hi) return;
      if (child + 1 < hi && less(first + child, first + child + 1)) ++child;
      if (!less(first + root, first + child)) return;
      swap(first + root, first + child);
      root = child;
    }
  }

  void heap(Index a, Index b) {
    const Index n = b - a;
    for (Index i = (n - 1) / 2; i >= 0; --i) sift_down(i, n, a);
    for (Index i = n - 1; i >= 0; --i) {
      swap(a, a + i);
      sift_down(0, i, a);
    }
  }

  auto median(Index x, Index y, Index z, int& swaps) -> Index {
    const auto order = [&](Index& p, Index& q) {
      if (!less(q, p)) return;
      std::swap(p, q);
      ++swaps;
    };
    order(x, y);
    order(y, z);
    order(x, y);
    return y;
  }

  auto choose_pivot(Index a, Index b) -> Pivot {
    constexpr Index kShortestNinther = 50;
    constexpr int kMaxSwaps = 4 * 3;
    const Index n = b - a;
    int swaps = 0;
    Index i = a + n / 4 * 1;
    Index j = a + n / 4 * 2;
    Index k = a + n / 4 * 3;
    if (n >= 8) {
      if (n >= kShortestNinther) {
        i = median(i - 1, i, i + 1, swaps);
        j = median(j - 1, j, j + 1, swaps);
        k = median(k - 1, k, k + 1, swaps);
      }
      j = median(i, j, k, swaps);
    }
    if (swaps == 0) return {j, Hint::increasing};
    return {j, swaps == kMaxSwaps ? Hint::decreasing : Hint::unknown};
  }

  auto partial_insertion(Index a, Index b) -> bool {
    constexpr int kMaxSteps = 5;
    constexpr Index kShortestShifting = 50;
    Index i = a + 1;
    for (int step = 0; step < kMaxSteps; ++step) {
      while (i < b && !less(i, i - 1)) ++i;
      if (i == b) return true;
      if (b - a < kShortestShifting) return false;
      swap(i, i - 1);
      if (i - a >= 2) {
        for (Index j = i - 1; j >= 1 && less(j, j - 1); --j) swap(j, j - 1);
      }
      if (b - i >= 2) {
        for (Index j = i + 1; j < b && less(j, j - 1); ++j) swap(j, j - 1);
      }
    }
    return false;
  }

  struct Partition {
    Index middle;
    bool was_partitioned;
  };

  auto partition(Index a, Index b, Index pivot) -> Partition {
    swap(a, pivot);
    Index i = a + 1;
    Index j = b - 1;
    for (bool first = true;; first = false) {
      while (i <= j && less(i, a)) ++i;
      while (i <= j && !less(j, a)) --j;
      if (i > j) {
        swap(j, a);
        return {j, first};
      }
      swap(i, j);
      ++i;
      --j;
    }
  }

  auto partition_equal(Index a, Index b, Index pivot) -> Index {
    swap(a, pivot);
    Index i = a + 1;
    Index j = b - 1;
    while (true) {
      while (i <= j && !less(a, i)) ++i;
      while (i <= j && less(a, j)) --j;
      if (i > j) return i;
      swap(i, j);
      ++i;
      --j;
    }
  }

  void break_patterns(Index a, Index b) {
    const Index n = b - a;
    if (n < 8) return;
    std::uint64_t random = static_cast<std::uint64_t>(n);
    const std::uint64_t mask = (std::uint64_t{1} << std::bit_width(random)) - 1;
    const Index around = a + n / 4 * 2 - 1;
    for (Index i = 0; i < 3; ++i) {
      random ^= random << 13U;
      random ^= random >> 7U;
      random ^= random << 17U;
      Index other = static_cast<Index>(random & mask);
      if (other >= n) other -= n;
      swap(around + i, a + other);
    }
  }

  void quick(Index a, Index b, int limit) {
    constexpr Index kLongestInsertion = 12;
    bool balanced = true;
    bool partitioned = true;
    while (true) {
      const Index n = b - a;
      if (n <= kLongestInsertion) return insertion(a, b);
      if (limit == 0) return heap(a, b);
      if (!balanced) {
        break_patterns(a, b);
        --limit;
      }
      auto [pivot, hint] = choose_pivot(a, b);
      if (hint == Hint::decreasing) {
        std::reverse(items_.begin() + a, items_.begin() + b);
        pivot = b - 1 - (pivot - a);
        hint = Hint::increasing;
      }
      if (balanced && partitioned && hint == Hint::increasing && partial_insertion(a, b)) return;
      if (a > 0 && !less(a - 1, pivot)) {
        a = partition_equal(a, b, pivot);
        continue;
      }
      const Partition parts = partition(a, b, pivot);
      partitioned = parts.was_partitioned;
      const Index left = parts.middle - a;
      const Index right = b - parts.middle;
      if (left < right) {
        balanced = left >= n / 8;
        quick(a, parts.middle, limit);
        a = parts.middle + 1;
      } else {
        balanced = right >= n / 8;
        quick(parts.middle + 1, b, limit);
        b = parts.middle;
      }
    }
  }

  std::span<T> items_;
  Less less_;
};

template <class T, class Less>
void go_sort(std::span<T> items, Less less) {
  GoSort<T, Less>(items, less).run();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube
