#include "engine/kai/account.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace previct::kai {
namespace {

// The number of orders to try: as many as cost about as much as looking at this many pods.
constexpr std::uint64_t kWorkOfOrders = 200'000;
constexpr std::uint64_t kFewestOrders = 4;
constexpr std::uint64_t kMostOrders = 64;

auto orders_to_try(const Decision& decision) -> std::uint64_t {
  return std::clamp(kWorkOfOrders / decision.work(), kFewestOrders, kMostOrders);
}

auto placed_otherwise(const Decision& a, const Decision& b, const Subject& subject) -> bool {
  const Group& group = a.cluster_info.group(subject.group);
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : a.cluster_info.tasks_of(group.set(i))) {
      if (subject.pod && a.cluster_info.task(task).pod != subject.pod) continue;
      if (a.cycle.allocated_to(task) != b.cycle.allocated_to(task)) return true;
      if (a.cycle.pipelined_to(task) != b.cycle.pipelined_to(task)) return true;
    }
  }
  return false;
}

}  // namespace

auto other_results(const std::shared_ptr<Cycles>& cycles, const Subject& subject, std::size_t most)
    -> std::vector<std::shared_ptr<EngineTrace>> {
  std::vector<std::shared_ptr<EngineTrace>> others;
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return others;
  std::set<std::string> known{fate_key(base, subject)};
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 1; seed <= last && others.size() < most; ++seed) {
    const Decision& decision = cycles->in_order(seed);
    if (!known.insert(fate_key(decision, subject)).second) continue;
    auto other = std::make_shared<EngineTrace>(cycles, decision);
    other->subject = subject;
    other->fate = fate_of(decision, subject);
    widen(cycles, decision, subject, other->fate);
    others.push_back(std::move(other));
  }
  return others;
}

void widen(const std::shared_ptr<Cycles>& cycles, const Decision& decision, const Subject& subject, Fate& fate) {
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return;
  const std::string ours = fate_key(decision, subject);
  const auto include = [](Range& range, const Range& other) {
    range.least = std::min(range.least, other.least);
    range.most = std::max(range.most, other.most);
  };
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 0; seed <= last; ++seed) {
    const Decision& other = cycles->in_order(seed);
    if (&other == &decision || fate_key(other, subject) != ours) continue;
    const Fate then = fate_of(other, subject);
    include(fate.for_others, then.for_others);
    include(fate.moved, then.moved);
    for (const Eviction& each : fate.evictions) {
      const bool known = std::find(fate.moves_depending_on_order.begin(), fate.moves_depending_on_order.end(),
                                   each.task) != fate.moves_depending_on_order.end();
      if (!known && other.cycle.moved_to(each.task) != decision.cycle.moved_to(each.task))
        fate.moves_depending_on_order.push_back(each.task);
    }
    fate.placement_depends_on_order = fate.placement_depends_on_order || placed_otherwise(decision, other, subject);
    if (!subject.pod) continue;
    for (const std::string& node : then.nodes) {
      const auto place = std::lower_bound(fate.nodes.begin(), fate.nodes.end(), node);
      if (place == fate.nodes.end() || *place != node) fate.nodes.insert(place, node);
    }
  }
}

auto shares_depend_on_order(const std::shared_ptr<Cycles>& cycles) -> bool {
  constexpr double kRounding = 1e-6;
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return false;
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    const FairShares& other = cycles->in_order(seed).cycle.shares();
    for (const QueueId queue : base.cluster_info.tree().queues().ids()) {
      for (std::size_t r = 0; r < kShared; ++r) {
        const double share = base.cycle.shares().of[queue][r];
        if (std::abs(other.of[queue][r] - share) > kRounding * std::max(1.0, std::abs(share))) return true;
      }
    }
  }
  return false;
}

auto loss_depends_on_order(const std::shared_ptr<Cycles>& cycles, const Subject& subject) -> bool {
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return false;
  const GroupId to = placement_lost_to(base, subject);
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    if (placement_lost_to(cycles->in_order(seed), subject) != to) return true;
  }
  return false;
}

}  // namespace previct::kai
