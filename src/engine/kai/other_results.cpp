#include "engine/kai/account.h"

#include <algorithm>
#include <set>

namespace previct::kai {
namespace {

// Orders tried: as many as cost about as much as this many pods looked at; fewer for one of many questions.
constexpr std::uint64_t kWorkOfOrders = 200'000;
constexpr std::uint64_t kFewestOrders = 4;
constexpr std::uint64_t kFewestOrdersInBrief = 2;
constexpr std::uint64_t kMostOrders = 64;

auto orders_to_try(const Decision& decision, bool brief) -> std::uint64_t {
  const ClusterInfo& cluster_info = decision.cluster_info;
  const Effort& effort = decision.cycle.effort();
  const std::uint64_t work =
      cluster_info.tasks().size() + cluster_info.shard_nodes().size() * (1 + effort.simulated) + effort.victims_popped;
  return std::clamp(kWorkOfOrders / work, brief ? kFewestOrdersInBrief : kFewestOrders, kMostOrders);
}

}  // namespace

auto other_results(const Account& account, const Explained& e, std::size_t most)
    -> std::vector<std::shared_ptr<Account>> {
  std::vector<std::shared_ptr<Account>> others;
  if (!e.decision.cycle.session().chance().is_open()) return others;
  std::set<std::string> known{fate_key(e.decision, e.subject.group)};
  const std::uint64_t last = orders_to_try(e.decision, e.question.brief);
  for (std::uint64_t seed = 1; seed <= last && others.size() < most; ++seed) {
    auto decision = decide(e.cluster, e.settings, e.question.now, e.question.now, e.subject.assumed, Chance(seed));
    if (!known.insert(fate_key(*decision, e.subject.group)).second) continue;
    auto other = std::make_shared<Account>(account.settings);
    other->subject = account.subject;
    other->fate = fate_of(*decision, e.subject.group);
    other->decision = std::move(decision);
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace previct::kai
