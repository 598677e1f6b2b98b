#include "engine/kai/account.h"

#include <algorithm>
#include <set>

namespace previct::kai {
namespace {

// Orders tried: as many as cost about as much as this many pods looked at.
constexpr std::uint64_t kWorkOfOrders = 200'000;
constexpr std::uint64_t kFewestOrders = 4;
constexpr std::uint64_t kMostOrders = 64;

auto orders_to_try(const Decision& decision) -> std::uint64_t {
  const ClusterInfo& cluster_info = decision.cluster_info;
  const Effort& effort = decision.cycle.effort();
  const std::uint64_t work =
      cluster_info.tasks().size() + cluster_info.shard_nodes().size() * (1 + effort.simulated) + effort.victims_popped;
  return std::clamp(kWorkOfOrders / work, kFewestOrders, kMostOrders);
}

}  // namespace

auto other_results(const std::shared_ptr<Cycles>& cycles, const Subject& subject, std::size_t most)
    -> std::vector<std::shared_ptr<Account>> {
  std::vector<std::shared_ptr<Account>> others;
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return others;
  std::set<std::string> known{fate_key(base, subject.group)};
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 1; seed <= last && others.size() < most; ++seed) {
    const Decision& decision = cycles->in_order(seed);
    if (!known.insert(fate_key(decision, subject.group)).second) continue;
    auto other = std::make_shared<Account>(cycles, decision);
    other->subject = subject;
    other->fate = fate_of(decision, subject.group);
    others.push_back(std::move(other));
  }
  return others;
}

auto lost_again_by_chance(const std::shared_ptr<Cycles>& cycles, const Subject& subject) -> bool {
  const Decision& base = cycles->in_order(0);
  if (!base.cycle.session().chance().is_open()) return false;
  const GroupId to = loses_again_to(base, subject.group);
  const std::uint64_t last = orders_to_try(base);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    if (loses_again_to(cycles->in_order(seed), subject.group) != to) return true;
  }
  return false;
}

}  // namespace previct::kai
