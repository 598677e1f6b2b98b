#pragma once

#include "engine/kube/request_bounds.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Proofs about every pod that could be created: the requests, priorities and moments are split into regions in which
/// the scheduler decides the same, and one pod of each region is decided.
namespace previct::prove {

/// Ranges of requests, one for each resource.
using Box = std::vector<kube::RequestRange>;

/// Which pod of a box is decided first.
enum class From : std::uint8_t { smallest, largest };

/// Returns the amounts of the smallest or largest pod of a box.
[[nodiscard]] inline auto corner_of(const Box& box, From from) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> amounts;
  for (const kube::RequestRange& range : box) amounts.push_back(from == From::smallest ? range.least : range.most);
  return amounts;
}

/// Splits a box into regions: `decide(RequestBounds&)` decides one pod, and the comparisons that it records are the
/// borders of the region of that pod. Calls `visit(const Box& region, result of decide)` for each region until it
/// returns false. Parts of the box for which `skip(const Box&)` returns true are left out. Returns true if every other
/// amount of the box was in one of the visited regions.
///
/// Pods that differ in the result of a comparison are alike in all comparisons before it. So what is left of the box
/// after one decision is split at the comparisons in their order, and no region is visited twice. From the smallest
/// pod, regions of one resource are visited in ascending order.
template <class Decide, class Visit, class Skip>
auto for_each_region(Box box, From from, const Decide& decide, const Visit& visit, const Skip& skip) -> bool {
  std::vector<Box> open = {std::move(box)};
  while (!open.empty()) {
    Box region = std::move(open.back());
    open.pop_back();
    if (skip(static_cast<const Box&>(region))) continue;
    kube::RequestBounds requests(region, corner_of(region, from));
    const auto& decided = decide(requests);
    for (const kube::RequestBounds::Comparison& comparison : requests.comparisons()) {
      kube::RequestRange& here = region[comparison.range];
      kube::RequestRange& there = open.emplace_back(region)[comparison.range];
      (comparison.within ? there.least : here.least) = comparison.limit + 1;
      (comparison.within ? here.most : there.most) = comparison.limit;
    }
    if (!visit(static_cast<const Box&>(region), decided)) return false;
  }
  return true;
}
template <class Decide, class Visit>
auto for_each_region(Box box, From from, const Decide& decide, const Visit& visit) -> bool {
  return for_each_region(std::move(box), from, decide, visit, [](const Box&) { return false; });
}

}  // namespace previct::prove
