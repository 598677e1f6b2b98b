#include "engine/kube/go_sort.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using previct::kube::go_sort;

TEST_CASE("go_sort: up to twelve elements are sorted by insertion, so ties keep their order") {
  std::vector<std::pair<int, int>> items;  // key, position
  for (int i = 0; i < 12; ++i) items.emplace_back(i % 3, i);
  go_sort(std::span(items), [](const auto& a, const auto& b) { return a.first < b.first; });
  CHECK(std::is_sorted(items.begin(), items.end()));
}

TEST_CASE("go_sort: a comparison that is true both ways reverses the elements of a short slice") {
  // Insertion moves each element before all others, since it is "less" than each of them: 1 2 3 → 2 1 3 → 3 2 1.
  std::vector<int> items = {1, 2, 3};
  go_sort(std::span(items), [](int, int) { return true; });
  CHECK(items == std::vector<int>{3, 2, 1});
}

TEST_CASE("go_sort: slices of any length and pattern are sorted") {
  std::mt19937 random(7);
  for (const std::size_t size : {0U, 1U, 2U, 13U, 50U, 51U, 200U, 3000U}) {
    for (int pattern = 0; pattern < 5; ++pattern) {
      std::vector<int> items(size);
      std::iota(items.begin(), items.end(), 0);
      if (pattern == 1) std::reverse(items.begin(), items.end());
      if (pattern == 2) std::shuffle(items.begin(), items.end(), random);
      if (pattern == 3) std::transform(items.begin(), items.end(), items.begin(), [](int i) { return i % 7; });
      if (pattern == 4 && size > 4) std::swap(items[1], items[size - 2]);
      auto expected = items;
      std::sort(expected.begin(), expected.end());
      go_sort(std::span(items), [](int a, int b) { return a < b; });
      CHECK(items == expected);
    }
  }
}
