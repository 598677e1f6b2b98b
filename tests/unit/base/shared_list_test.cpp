#include "base/shared_list.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace previct;

namespace {

auto elements(const SharedList<int>& list) -> std::vector<int> {
  return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("shared list: is a value, changes of a copy are invisible elsewhere") {
  SharedList<int> first;
  CHECK(first.empty());
  CHECK(std::as_const(first).begin() == nullptr);
  for (const int i : {1, 2, 3}) first.push_back(i);
  SharedList<int> second = first;
  CHECK(std::as_const(second).begin() == std::as_const(first).begin());
  second.push_back(4);
  CHECK(elements(first) == std::vector{1, 2, 3});
  CHECK(elements(second) == std::vector{1, 2, 3, 4});

  SharedList<int> third = second;
  third[0] = 9;
  CHECK(elements(second) == std::vector{1, 2, 3, 4});
  CHECK(elements(third) == std::vector{9, 2, 3, 4});
  third.clear();
  CHECK(third.empty());
  CHECK(second.size() == 4);
  CHECK(first == first);
  CHECK_FALSE(first == second);

  // Appends its own element, also when it reallocates.
  for (int i = 0; i < 20; ++i) first.push_back(*first.begin());
  CHECK(first.size() == 23);
  CHECK(*(first.end() - 1) == 1);
}

TEST_CASE("shared list: changes of the shared elements are visible to all owners") {
  SharedList<int> first = {1, 2, 3};
  CHECK(first.shared() == nullptr);
  const SharedList<int> second = first;
  SharedList<int> other = {1, 2, 3};
  CHECK(first.shared() == second.shared());
  CHECK(first.shared() != nullptr);
  CHECK(other.shared() == nullptr);
  for (int& each : first.elements_of_all()) each += 10;
  CHECK(elements(second) == std::vector{11, 12, 13});
  CHECK(elements(other) == std::vector{1, 2, 3});
  CHECK(SharedList<int>().elements_of_all().empty());
  CHECK(SharedList<int>().shared() == nullptr);
}
