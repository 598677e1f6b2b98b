#include "engine/yunikorn/required_node.h"

#include "engine/yunikorn/go_sort.h"
#include "unit/engine/yunikorn/type_ids.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>

using namespace previct;
using namespace previct::yunikorn;

namespace {

constexpr TypeId kMemory = 2;

auto allocation(std::uint32_t id, std::int64_t cpu, std::int64_t memory = 0) -> Allocation {
  Allocation result;
  result.pod = PodId{id};
  result.size = {{kPods, 1}, {kCpu, cpu}};
  if (memory != 0) result.size.set(kMemory, memory);
  result.created = {1000, 0};
  return result;
}

auto ask(std::int64_t cpu, std::int64_t memory = 0) -> Allocation {
  return allocation(99, cpu, memory);
}

/// A node whose cpu is fully used by its pods; memory and pods are plentiful.
auto full_node(const std::vector<Allocation>& pods) -> NodeUsage {
  NodeUsage room;
  for (const Allocation& pod : pods) room.allocated += pod.size;
  room.total = {{kCpu, room.allocated.amount(kCpu)}, {kPods, 110}, {kMemory, 1000}};
  return room;
}

auto ids(const std::vector<PodId>& pods) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> result;
  for (const PodId pod : pods) result.push_back(pod.index);
  return result;
}

using Ids = std::vector<std::uint32_t>;

/// The pods as a set, without their order.
auto all_of(const std::vector<PodId>& pods) -> std::set<std::uint32_t> {
  std::set<std::uint32_t> result;
  for (const PodId pod : pods) result.insert(pod.index);
  return result;
}

using All = std::set<std::uint32_t>;

}  // namespace

TEST_CASE("required node: regular pods are evicted before opted-out ones, and originators last", "[yunikorn]") {
  std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1), allocation(3, 1)};
  pods[0].originator = true;
  pods[1].opted_out = true;
  const auto attempt = attempt_required_node(ask(2), full_node(pods), pods);
  CHECK(ids(attempt.victims) == Ids{3, 2});
}

TEST_CASE("required node: an originator that opted out is an originator", "[yunikorn]") {
  Allocation pod = allocation(1, 1);
  pod.originator = true;
  pod.opted_out = true;
  CHECK(class_of(pod) == VictimClass::originator);
}

TEST_CASE("required node: within a class, the lowest priority first, then the youngest, then the smallest",
          "[yunikorn]") {
  std::vector<Allocation> pods = {allocation(1, 2), allocation(2, 1), allocation(3, 1), allocation(4, 1)};
  pods[2].priority = 5;
  pods[3].created = {2000, 0};
  Allocation wants = ask(9);
  wants.priority = 10;
  const auto attempt = attempt_required_node(wants, full_node(pods), pods);
  std::vector<PodId> order;
  for (const Allocation& pod : attempt.candidates) order.push_back(pod.pod);
  CHECK(ids(order) == Ids{4, 2, 1, 3});
}

TEST_CASE("required node: each pod is filtered by the first rule that applies, and counted once", "[yunikorn]") {
  std::vector<Allocation> pods(5, allocation(1, 1));
  for (std::uint32_t i = 0; i < pods.size(); ++i) pods[i].pod = PodId{i};
  pods[0].required_node = Symbol{7};
  pods[0].priority = 100;  // counted as bound to its node, not as of higher priority
  pods[1].priority = 1;
  pods[2].preempted = true;
  pods[2].released = true;
  pods[3].released = true;
  const auto attempt = attempt_required_node(ask(1), full_node(pods), pods);
  CHECK(attempt.counts.total == 5);
  CHECK(attempt.counts.required_node == 1);
  CHECK(attempt.counts.higher_priority == 1);
  CHECK(attempt.counts.already_preempted == 1);
  CHECK(attempt.counts.released == 1);
  CHECK(ids(attempt.victims) == Ids{4});
}

TEST_CASE("required node: free resources are not deducted while collecting, so too many pods are evicted",
          "[yunikorn]") {
  // Memory is free, and 3 pods of 1 cpu use none of it. For a request of 1 cpu and 1 memory, all three are collected
  // without any memory, and accepted because of the free memory. One of them would suffice.
  std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1), allocation(3, 1)};
  pods[0].created = {3000, 0};
  pods[1].created = {2000, 0};
  const auto attempt = attempt_required_node(ask(1, 1), full_node(pods), pods);
  CHECK(ids(attempt.victims) == Ids{1, 2, 3});
  CHECK(ids(attempt.collateral) == Ids{1, 2});
}

TEST_CASE("required node: no victims if all candidates together do not suffice", "[yunikorn]") {
  const std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1)};
  CHECK(attempt_required_node(ask(3), full_node(pods), pods).victims.empty());
}

TEST_CASE("required node: an amount that stays negative refuses every selection", "[yunikorn]") {
  const std::vector<Allocation> pods = {allocation(1, 5)};
  NodeUsage room = full_node(pods);
  room.occupied = {{kMemory, 2000}};
  CHECK(attempt_required_node(ask(1), room, pods).victims.empty());
}

TEST_CASE("required node: any of several equal candidates may be evicted, and none for certain", "[yunikorn]") {
  const std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1), allocation(3, 1)};
  const auto attempt = attempt_required_node(ask(1), full_node(pods), pods);
  CHECK(attempt.possible.open());
  CHECK(attempt.possible.sets.size() == 3);
  CHECK(attempt.possible.always.empty());
  CHECK(attempt.possible.sometimes.size() == 3);
}

TEST_CASE("required node: of comparable sizes the smaller one is always evicted first", "[yunikorn]") {
  const std::vector<Allocation> pods = {allocation(1, 2, 2), allocation(2, 1, 1)};
  const auto attempt = attempt_required_node(ask(2), full_node(pods), pods);
  CHECK_FALSE(attempt.possible.open());
  CHECK(ids(attempt.victims) == Ids{2, 1});
}

TEST_CASE("required node: if some orders free too little, one possible result has no victims", "[yunikorn]") {
  // 1 memory too much is in use on the node. Pod 1 (cpu) alone covers the request but leaves the node overcommitted;
  // pod 2 frees memory as well. Their sizes are not comparable.
  const std::vector<Allocation> pods = {allocation(1, 3), allocation(2, 2, 5)};
  NodeUsage room = full_node(pods);
  room.total.set(kMemory, 4);
  const auto attempt = attempt_required_node(ask(2), room, pods);
  REQUIRE(attempt.possible.sets.size() == 2);
  CHECK(attempt.possible.always.empty());
  CHECK(ids(attempt.possible.sometimes) == Ids{2});
}

TEST_CASE("required node: groups before the deciding one are evicted as a whole, and for certain", "[yunikorn]") {
  // 1 is evicted first because of its priority; of the other two, which are equal, one more is needed.
  std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1), allocation(3, 1)};
  pods[1].priority = pods[2].priority = 1;
  Allocation wants = ask(2);
  wants.priority = 10;
  const VictimSets possible = attempt_required_node(wants, full_node(pods), pods).possible;
  std::set<All> sets;
  for (const auto& set : possible.sets) sets.insert(all_of(set));
  CHECK(sets == std::set<All>{{1, 2}, {1, 3}});
  CHECK(all_of(possible.always) == All{1});
  CHECK(all_of(possible.sometimes) == All{2, 3});
  CHECK(possible.complete);
}

TEST_CASE("required node: pods that are all needed are certain victims, even if they are equal", "[yunikorn]") {
  const std::vector<Allocation> pods = {allocation(1, 1), allocation(2, 1)};
  const VictimSets possible = attempt_required_node(ask(2), full_node(pods), pods).possible;
  CHECK(possible.sets.size() == 1);
  CHECK(all_of(possible.always) == All{1, 2});
  CHECK(possible.sometimes.empty());
}

TEST_CASE("required node: all candidates together with the free resources, or no victims", "[yunikorn]") {
  // 1 cpu is free as well. The pod alone does not cover the request for 2, but with the free cpu it does; nothing
  // covers the request for 3.
  const std::vector<Allocation> pods = {allocation(1, 1)};
  NodeUsage room = full_node(pods);
  room.total.set(kCpu, 2);
  const VictimSets two = attempt_required_node(ask(2), room, pods).possible;
  CHECK(two.sets.size() == 1);
  CHECK(ids(two.always) == Ids{1});
  const VictimSets three = attempt_required_node(ask(3), room, pods).possible;
  REQUIRE(three.sets.size() == 1);
  CHECK(three.sets.front().empty());
  CHECK(three.always.empty());
}

TEST_CASE("required node: with many equal candidates, certainty is exact although not all sets are listed",
          "[yunikorn]") {
  std::vector<Allocation> pods;
  for (std::uint32_t i = 0; i < 40; ++i) pods.push_back(allocation(i, 1));
  const auto attempt = attempt_required_node(ask(20), full_node(pods), pods);  // 137,846,528,820 sets
  CHECK_FALSE(attempt.possible.complete);
  CHECK(attempt.possible.always.empty());
  CHECK(attempt.possible.sometimes.size() == 40);
}

TEST_CASE("required node: the possible sets are those of every input order of the scheduler's sort", "[yunikorn]") {
  // Six pods of one age in three sizes, two of which are not comparable: all 720 orders are compared with the
  // enumeration.
  const std::vector<Allocation> pods = {allocation(0, 1), allocation(1, 1),    allocation(2, 3),
                                        allocation(3, 2), allocation(4, 1, 4), allocation(5, 3)};
  std::vector<std::size_t> order(pods.size());
  std::iota(order.begin(), order.end(), 0);
  std::set<std::set<std::uint32_t>> seen;
  const NodeUsage room = full_node(pods);
  do {
    std::vector<Allocation> input;
    for (const std::size_t i : order) input.push_back(pods[i]);
    const Ids victims = ids(attempt_required_node(ask(3, 1), room, input).victims);
    seen.emplace(victims.begin(), victims.end());
  } while (std::next_permutation(order.begin(), order.end()));
  std::set<std::set<std::uint32_t>> listed;
  for (const auto& set : attempt_required_node(ask(3, 1), room, pods).possible.sets) {
    const Ids victims = ids(set);
    listed.emplace(victims.begin(), victims.end());
  }
  CHECK(seen == listed);
}

// 8 pods each of three sizes, the third not comparable with the others. In 2,000 random orders, the scheduler's own
// sort selected each of the 24 in some of them, even the larger ones while some of the smaller ones were left.
TEST_CASE("required node: beyond one sort block, a larger pod may be evicted before a smaller one", "[yunikorn]") {
  std::vector<Allocation> pods;
  for (std::uint32_t i = 0; i < 24; i += 3) {
    pods.push_back(allocation(i, 10));
    pods.push_back(allocation(i + 1, 20));
    pods.push_back(allocation(i + 2, 5, 64));
  }
  const auto attempt = attempt_required_node(ask(30), full_node(pods), pods);
  CHECK_FALSE(attempt.possible.complete);
  CHECK(attempt.possible.always.empty());
  CHECK(attempt.possible.sometimes.size() == 24);
  // Each frees 5 or more, so six are always enough, and no more are evicted (required_node_preemptor.go, GetVictims).
  for (const std::vector<PodId>& set : attempt.possible.sets) CHECK(set.size() <= 6);
  pods.resize(18);  // one block: pods of 20 cpu come after all of 10 cpu
  CHECK(attempt_required_node(ask(30), full_node(pods), pods).possible.sometimes.size() == 12);
}

TEST_CASE("required node: beyond one sort block, the set is known if all sizes are comparable", "[yunikorn]") {
  std::vector<Allocation> pods;
  for (std::uint32_t i = 0; i < 24; ++i) {
    pods.push_back(allocation(i, 10 + i));
    pods.back().priority = static_cast<std::int32_t>(i) - 24;
  }
  const auto attempt = attempt_required_node(ask(25), full_node(pods), pods);  // 10 + 11 + 12
  CHECK(attempt.possible.complete);
  CHECK(all_of(attempt.possible.always) == All{0, 1, 2});
  CHECK(attempt.possible.sometimes.empty());
}

TEST_CASE("go_stable_sort: stable and sorted, for runs of every length", "[yunikorn]") {
  for (std::size_t n = 0; n < 130; ++n) {
    std::vector<std::pair<int, std::size_t>> items;
    for (std::size_t i = 0; i < n; ++i) items.emplace_back(static_cast<int>((i * 7919) % 11), i);
    auto expected = items;
    std::sort(expected.begin(), expected.end());
    go_stable_sort(items, [](const auto& a, const auto& b) { return a.first < b.first; });
    CHECK(items == expected);
  }
}

TEST_CASE("go_stable_sort: a comparison that is true both ways reverses a block, as insertion does in Go",
          "[yunikorn]") {
  std::vector<int> items = {1, 2, 3, 4};
  go_stable_sort(items, [](int, int) { return true; });
  CHECK(items == std::vector<int>{4, 3, 2, 1});
}
