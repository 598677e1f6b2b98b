#include "prove/regions.h"

#include <catch2/catch.hpp>

#include <set>

namespace previct::prove {
namespace {

// A decision that asks about the second resource only if enough of the first is requested. By hand, the pods of the box
// 0 to 9 of each fall into: at most 3 of the first; more, and at most 1 of the second; more, 2 to 5; more than 5.
auto decide_by_hand(kube::RequestBounds& requests) -> int {
  if (requests.at_most(0, 3)) return 1;
  if (requests.at_most(1, 1)) return 2;
  return requests.at_most(1, 5) ? 3 : 4;
}

}  // namespace

TEST_CASE("prove: regions cover a box once, and each holds all pods that are decided alike", "[prove]") {
  const Box box = {{kube::ResourceId{0}, 0, 9}, {kube::ResourceId{1}, 0, 9}};
  for (const From from : {From::smallest, From::largest}) {
    std::multiset<std::pair<std::int64_t, std::int64_t>> seen;
    std::size_t regions = 0;
    const bool all = for_each_region(box, from, decide_by_hand, [&](const Box& region, int decided) {
      ++regions;
      for (std::int64_t x = region[0].least; x <= region[0].most; ++x) {
        for (std::int64_t y = region[1].least; y <= region[1].most; ++y) {
          kube::RequestBounds alone({{region[0].resource, x, x}, {region[1].resource, y, y}});
          CHECK(decide_by_hand(alone) == decided);
          seen.emplace(x, y);
        }
      }
      return true;
    });
    CHECK(all);
    CHECK(regions == 4);
    CHECK(seen.size() == 100);
    CHECK(std::set(seen.begin(), seen.end()).size() == 100);
  }
}

TEST_CASE("prove: regions of one resource are visited from the smallest on", "[prove]") {
  const auto decide = [](kube::RequestBounds& requests) {
    return requests.at_most(0, 7) && requests.at_most(0, 2) ? 1 : 2;
  };
  std::vector<std::int64_t> firsts;
  for_each_region({{kube::ResourceId{0}, 0, 9}}, From::smallest, decide, [&](const Box& region, int) {
    firsts.push_back(region[0].least);
    return true;
  });
  CHECK(firsts == std::vector<std::int64_t>{0, 3, 8});
}

TEST_CASE("prove: a visit that returns false ends the search", "[prove]") {
  std::size_t visits = 0;
  CHECK_FALSE(for_each_region(
      {{kube::ResourceId{0}, 0, 9}}, From::smallest,
      [](kube::RequestBounds& requests) { return requests.at_most(0, 4); },
      [&](const Box&, bool) { return ++visits > 5; }));
  CHECK(visits == 1);
}

TEST_CASE("prove: a pod that requests nothing fits whatever is free", "[prove]") {
  kube::RequestBounds requests({{kube::ResourceId{0}, 0, 9}}, {0});
  CHECK(requests.at_most(0, -5));
  CHECK(requests.ranges()[0].most == 0);
}

}  // namespace previct::prove
