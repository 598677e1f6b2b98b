#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <span>

namespace previct::kube {

/// Among equal greatest totals, upstream picks the root of a heap made of its list: a node stays above its children
/// unless a child is greater, and a left child above an equal right one. That is the first in a preorder walk of the
/// tree. Returns which of `ties` it is: the positions of the greatest totals, sorted, in a list that begins at `begin`.
/// Source: schedule_one.go newSortedNodeScores; Go: container/heap Init.
[[nodiscard]] inline auto root_of_heap(std::span<const std::size_t> ties, std::size_t begin = 0) -> std::size_t {
  constexpr std::size_t kLeftmost = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 1);
  std::size_t root = begin;
  std::size_t first = std::numeric_limits<std::size_t>::max();
  for (const std::size_t tie : ties) {
    // The root of the tree is number 1, and the children of n are 2n and 2n + 1: after its first 1, the binary digits
    // of a number are the path to it. A node precedes those below it, which have a greater number.
    const std::size_t number = tie - begin + 1;
    const std::size_t path = number << std::countl_zero(number);
    if (path >= first) continue;
    first = path;
    root = tie;
    if (path == kLeftmost) break;
  }
  return root;
}

}  // namespace previct::kube
