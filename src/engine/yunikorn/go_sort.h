#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace previct::yunikorn {

/// Sorts with the same steps as Go's stable sort: insertion sort of blocks of 20, then in-place merges.
///
/// The steps matter because YuniKorn sorts with an order that can return "before" in both directions; the result then
/// depends on the steps. `before(a, b)` takes two elements.
/// Source: Go's sort.SliceStable; the merge is SymMerge (Kim and Kutzner, "Stable Minimum Storage Merging by Symmetric
/// Comparisons", 2004).
template <class T, class Before>
class GoSort {
 public:
  GoSort(std::vector<T>& items, Before before) : items_(items), before_(before) {}

  void run() {
    constexpr std::size_t kBlock = 20;
    const std::size_t n = items_.size();
    for (std::size_t begin = 0; begin < n; begin += kBlock) insert_sort(begin, std::min(begin + kBlock, n));
    for (std::size_t width = kBlock; width < n; width *= 2) {
      for (std::size_t begin = 0; begin + width < n; begin += 2 * width) {
        merge({begin, begin + width, std::min(begin + 2 * width, n)});
      }
    }
  }

 private:
  struct Runs {
    std::size_t begin, middle, end;
  };

  void insert_sort(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      for (std::size_t at = i; at > begin && before_(items_[at], items_[at - 1]); --at) {
        std::swap(items_[at], items_[at - 1]);
      }
    }
  }

  /// Returns the first i in [low, high) for which `right(i)` is false.
  template <class Right>
  static auto search(std::size_t low, std::size_t high, Right right) -> std::size_t {
    while (low < high) {
      const std::size_t half = low + (high - low) / 2;
      if (right(half)) {
        low = half + 1;
      } else {
        high = half;
      }
    }
    return low;
  }

  void rotate(std::size_t begin, std::size_t middle, std::size_t end) {
    const auto at = [&](std::size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(begin), at(middle), at(end));
  }

  /// Merges two sorted runs; uses a list of pending runs instead of recursion.
  void merge(Runs first) {
    std::vector<Runs> waiting = {first};
    while (!waiting.empty()) {
      const std::size_t a = waiting.back().begin;
      const std::size_t m = waiting.back().middle;
      const std::size_t b = waiting.back().end;
      waiting.pop_back();
      if (m - a == 1) {
        const std::size_t i = search(m, b, [&](std::size_t h) { return before_(items_[h], items_[a]); });
        rotate(a, m, i);
        continue;
      }
      if (b - m == 1) {
        const std::size_t i = search(a, m, [&](std::size_t h) { return !before_(items_[m], items_[h]); });
        rotate(i, m, b);
        continue;
      }
      const std::size_t mid = a + (b - a) / 2;
      const std::size_t n = mid + m;
      const std::size_t last = n - 1;
      const std::size_t start = search(m > mid ? n - b : a, m > mid ? mid : m,
                                       [&](std::size_t c) { return !before_(items_[last - c], items_[c]); });
      const std::size_t end = n - start;
      if (start < m && m < end) rotate(start, m, end);
      if (mid < end && end < b) waiting.push_back({mid, end, b});
      if (a < start && start < mid) waiting.push_back({a, start, mid});
    }
  }

  std::vector<T>& items_;
  Before before_;
};

template <class T, class Before>
void go_stable_sort(std::vector<T>& items, Before before) {
  GoSort<T, Before>(items, before).run();
}

}  // namespace previct::yunikorn
