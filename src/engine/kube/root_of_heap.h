#pragma once

#include <algorithm>
#include <cstddef>

namespace previct::kube {

/// Among equal greatest totals, upstream picks the root of a heap made of its list: a node stays above its children
/// unless a child is greater, and a left child above an equal right one. That is the first in a preorder walk of the
/// tree. `any(from, to)` returns true if the list has a greatest total in [from, to]; it has one somewhere.
/// Source: schedule_one.go newSortedNodeScores; Go: container/heap Init.
template <typename Any>
auto root_of_heap(const Any& any, std::size_t size) -> std::size_t {
  const auto any_below = [&](std::size_t from, std::size_t to) {
    for (; from < size; from = 2 * from + 1, to = 2 * to + 2) {
      if (any(from, std::min(to, size - 1))) return true;
    }
    return false;
  };
  std::size_t at = 0;
  while (!any(at, at)) {
    const std::size_t left = 2 * at + 1;
    at = any_below(left, left) ? left : left + 1;
  }
  return at;
}

}  // namespace previct::kube
