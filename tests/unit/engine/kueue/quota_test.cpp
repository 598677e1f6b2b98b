#include "engine/kueue/amounts.h"
#include "engine/kueue/quota_tree.h"

#include <catch2/catch.hpp>

// Source: kubernetes-sigs/kueue v0.19.0 pkg/resources, pkg/cache/scheduler/resource_node.go, fair_sharing.go. The
// expected values are derived by hand.

namespace previct::kueue {
namespace {

constexpr Symbol kFlavor{1};
constexpr Symbol kCpu{2};

struct Tree {
  FlavorResources names;
  QuotaTree tree{names};
  FlavorResource cpu = names.intern(kFlavor, kCpu);

  auto cohort(const std::string& name, QuotaNodeId parent = {}) -> QuotaNodeId {
    return tree.add({.name = name, .parent = parent});
  }
  auto queue(const std::string& name, QuotaNodeId parent, const Quota& quota) -> QuotaNodeId {
    const QuotaNodeId id = tree.add({.name = name, .is_cluster_queue = true, .parent = parent});
    tree.set_quota(id, cpu, quota);
    return id;
  }
};

auto text(std::string_view resource, std::int64_t value) -> std::string {
  return amount_text(resource, {value});
}

}  // namespace

TEST_CASE("kueue amounts: unlimited amounts absorb what is added to them", "[kueue]") {
  const Amount none = Amount::unlimited();
  for (const std::int64_t value : {INT64_MIN, std::int64_t{-5}, std::int64_t{0}, std::int64_t{5}, INT64_MAX}) {
    CHECK(none + Amount{value} == none);
    CHECK(Amount{value} + none == none);
  }
  CHECK(none - Amount{5} == none);
  CHECK(none - none == Amount{0});
  CHECK(Amount{5} - none == Amount{INT64_MIN});
  CHECK(Amount{INT64_MAX - 1} + Amount{INT64_MAX - 1} == none);
  CHECK(quota_amount("cpu", *Quantity::parse("1E")) == none);  // in milli-CPU it is beyond the range
  CHECK(quota_amount("memory", *Quantity::parse("1E")) == Amount{1'000'000'000'000'000'000});
  CHECK(quota_amount("cpu", *Quantity::parse("0.0001")) == Amount{1});
}

TEST_CASE("kueue amounts: printed as Kueue prints them", "[kueue]") {
  CHECK(text("cpu", 1500) == "1500m");
  CHECK(text("cpu", 2000) == "2");
  CHECK(text("cpu", 2'000'000) == "2k");
  CHECK(text("cpu", 0) == "0");
  CHECK(text("memory", std::int64_t{1} << 30U) == "1Gi");
  CHECK(text("memory", 1500) == "1500");
  CHECK(text("hugepages-2Mi", 4096) == "4Ki");
  CHECK(text("nvidia.com/gpu", 8) == "8");
  CHECK(text("nvidia.com/gpu", 1000) == "1k");
  CHECK(text("cpu", INT64_MAX) == "9223372036854775807");
  CHECK(request_text("cpu", {INT64_MAX}) == "9223372036854775807m");
}

TEST_CASE("kueue quota tree: lent, borrowed and free quota in a tree of cohorts", "[kueue]") {
  // root: left (a 3; b 3, lends 1), right (own 3; c 3). a uses 1, b 3, c 8.
  Tree t;
  const QuotaNodeId root = t.cohort("root");
  const QuotaNodeId left = t.cohort("left", root);
  const QuotaNodeId right = t.cohort("right", root);
  t.tree.set_quota(right, t.cpu, {{3}});
  const QuotaNodeId a = t.queue("a", left, {{3}});
  const QuotaNodeId b = t.queue("b", left, {{3}, {}, Amount{1}});
  const QuotaNodeId c = t.queue("c", right, {{3}});
  t.tree.build();
  t.tree.take(a, t.cpu, {1});
  t.tree.take(b, t.cpu, {3});
  t.tree.take(c, t.cpu, {8});
  CHECK(t.tree.local(b, t.cpu) == Amount{2});
  CHECK(t.tree.subtree(left, t.cpu) == Amount{4});
  CHECK(t.tree.subtree(right, t.cpu) == Amount{6});
  CHECK(t.tree.subtree(root, t.cpu) == Amount{10});
  CHECK(t.tree.usage(left, t.cpu) == Amount{2});  // for b, what exceeds the 2 that it never lends
  CHECK(t.tree.usage(root, t.cpu) == Amount{10});
  CHECK(t.tree.available(a, t.cpu) == Amount{0});
  CHECK(t.tree.potential(a, t.cpu) == Amount{10});
  CHECK(t.tree.potential(b, t.cpu) == Amount{12});
  CHECK(t.tree.borrows(right, t.cpu));
  CHECK_FALSE(t.tree.borrows(left, t.cpu));
  t.tree.give_back(c, t.cpu, {2});
  CHECK(t.tree.available(a, t.cpu) == Amount{2});
  CHECK(t.tree.usage(right, t.cpu) == Amount{6});
  // With 2 more, a stays within its own 3. With 3 more, it borrows 1, and left, which has 4, would use 5: up to the
  // root.
  CHECK(t.tree.level(a, t.cpu, {2}).height == 0);
  CHECK(t.tree.level(a, t.cpu, {3}).height == 2);
  // With 7 more, left is not enough (2 + 7 of 4), nor root (8 + 7 of 10): it borrows up to the root, and reclaims
  // nothing.
  CHECK(t.tree.level(a, t.cpu, {7}).height == 2);
  CHECK_FALSE(t.tree.level(a, t.cpu, {7}).may_reclaim);
}

TEST_CASE("kueue quota tree: a borrowing limit bounds what a queue uses beyond its own quota", "[kueue]") {
  Tree t;
  const QuotaNodeId all = t.cohort("all");
  const QuotaNodeId a = t.queue("a", all, {{2}, Amount{1}, {}});
  t.queue("b", all, {{8}});
  t.tree.build();
  CHECK(t.tree.available(a, t.cpu) == Amount{3});
  CHECK(t.tree.potential(a, t.cpu) == Amount{3});
  t.tree.take(a, t.cpu, {3});
  CHECK(t.tree.available(a, t.cpu) == Amount{0});
}

TEST_CASE("kueue quota tree: unlimited quota stays unlimited, whatever is used", "[kueue]") {
  Tree t;
  const QuotaNodeId all = t.cohort("all");
  const QuotaNodeId a = t.queue("a", all, {Amount::unlimited()});
  const QuotaNodeId b = t.queue("b", all, {{1}});
  t.tree.build();
  t.tree.take(b, t.cpu, {100});
  CHECK(t.tree.available(a, t.cpu).is_unlimited());
  CHECK(t.tree.potential(b, t.cpu).is_unlimited());
}

TEST_CASE("kueue share: what a queue borrows, relative to all that its cohort could have", "[kueue]") {
  // a 2, b 2, pool 8: lendable 12. b uses 10: (10 - 2) * 1000 / 12.
  Tree t;
  const QuotaNodeId all = t.cohort("all");
  const QuotaNodeId a = t.queue("a", all, {{2}});
  const QuotaNodeId b = t.queue("b", all, {{2}});
  t.queue("pool", all, {{8}});
  t.tree.build();
  t.tree.take(a, t.cpu, {4});
  t.tree.take(b, t.cpu, {10});
  CHECK(t.tree.share(a).value() == Approx(166.666667));
  CHECK(t.tree.share(b).value() == Approx(666.666667));
  CHECK(t.tree.share(a).compare(t.tree.share(b)) < 0);
  CHECK(t.tree.share(all).value() == 0);
  t.tree.give_back(b, t.cpu, {9});
  CHECK_FALSE(t.tree.share(b).borrows);
  // Without a weight, what is borrowed counts as infinite.
  t.tree.set_weight(a, 0);
  t.tree.take(b, t.cpu, {9});
  CHECK(t.tree.share(a).compare(t.tree.share(b)) > 0);
  CHECK(std::isinf(t.tree.share(a).value()));
}

TEST_CASE("kueue quota: borrowed and lent amounts", "[kueue]") {
  SECTION("one lender: the amount is known") {
    // a borrows 3 beyond its 4, and only b has unused quota: 5 of 5.
    Tree t;
    const QuotaNodeId root = t.cohort("root");
    const QuotaNodeId a = t.queue("a", root, {{4}});
    const QuotaNodeId b = t.queue("b", root, {{5}});
    t.tree.build();
    t.tree.take(a, t.cpu, {7});
    CHECK(t.tree.borrowed(a, t.cpu) == Amount{3});
    CHECK(t.tree.borrowed(b, t.cpu) == kNothing);
    CHECK(t.tree.lent(b, t.cpu).least == Amount{3});
    CHECK(t.tree.lent(b, t.cpu).most == Amount{3});
    CHECK(t.tree.lent(a, t.cpu).most == kNothing);
  }
  SECTION("two lenders: only bounds are known") {
    // a borrows 3; b and c offer 2 each, so each lends 1 to 2. With a lendingLimit of 1, c lends at most 1, and b 2.
    for (const bool limited : {false, true}) {
      Tree t;
      const QuotaNodeId root = t.cohort("root");
      const QuotaNodeId a = t.queue("a", root, {{4}});
      const QuotaNodeId b = t.queue("b", root, {{2}});
      Quota quota{{2}};
      if (limited) quota.lending_limit = Amount{1};
      const QuotaNodeId c = t.queue("c", root, quota);
      t.tree.build();
      t.tree.take(a, t.cpu, {7});
      CHECK(t.tree.lent(b, t.cpu).least == Amount{limited ? 2 : 1});
      CHECK(t.tree.lent(b, t.cpu).most == Amount{2});
      CHECK(t.tree.lent(c, t.cpu).least == Amount{1});
      CHECK(t.tree.lent(c, t.cpu).most == Amount{limited ? 1 : 2});
    }
  }
}

}  // namespace previct::kueue
