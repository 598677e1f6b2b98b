#include "engine/kai/fairness/go_heap.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using previct::kai::GoHeap;

TEST_CASE("GoHeap: pop returns elements in order", "[kai]") {
  GoHeap<int> heap;
  const auto less = [](int a, int b) { return a < b; };
  for (const int i : {5, 3, 8, 1, 9, 2}) heap.push(i, less);
  std::vector<int> out;
  while (!heap.empty()) out.push_back(heap.pop(less));
  CHECK(out == std::vector<int>{1, 2, 3, 5, 8, 9});
}

TEST_CASE("GoHeap: collected elements come out in order, also with others added in between", "[kai]") {
  GoHeap<int> heap;
  const auto less = [](int a, int b) { return a < b; };
  for (const int i : {5, 3, 8, 1, 9, 2}) {
    heap.collect(i, less);
    CHECK(heap.top() == std::min({i, heap.top()}));
  }
  CHECK(heap.pop(less) == 1);
  CHECK(heap.pop(less) == 2);
  for (const int i : {4, 0, 7}) heap.collect(i, less);
  std::vector<int> out;
  while (!heap.empty()) out.push_back(heap.pop(less));
  CHECK(out == std::vector<int>{0, 3, 4, 5, 7, 8, 9});
}

TEST_CASE("GoHeap: remove takes the element at an array position, not at a rank", "[kai]") {
  // After pushing 1 2 3, the array is 1 2 3, so position 1 holds 2.
  GoHeap<int> heap;
  const auto less = [](int a, int b) { return a < b; };
  for (const int i : {1, 2, 3}) heap.push(i, less);
  CHECK(heap.remove(1, less) == 2);
  CHECK(heap.size() == 2);
}
