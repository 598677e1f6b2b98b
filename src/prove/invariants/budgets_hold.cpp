#include "prove/invariants/budgets_hold.h"

#include "engine/kube/disruption.h"
#include "engine/kube/node_info_snapshot.h"

#include <algorithm>

namespace previct::prove {

BudgetsHold::BudgetsHold(const Snapshot& cluster) : cluster_(cluster) {
  const kube::NodeInfoSnapshot node_infos(cluster);
  const kube::Budgets budgets(node_infos);
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.node_of(pod) && !cluster.finished(pod) && !budgets.of(pod).empty()) guarded_.insert(pod);
  }
}

auto BudgetsHold::pods_on(NodeId node) const -> std::size_t {
  const auto pods = cluster_.pods_on(node);
  return static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [&](PodId pod) { return guarded_.contains(pod); }));
}

auto BudgetsHold::holds_among(std::span<const PodId> potential_victims) const -> bool {
  return std::none_of(potential_victims.begin(), potential_victims.end(),
                      [&](PodId pod) { return guarded_.contains(pod); });
}

auto BudgetsHold::is_broken_by(const Verdict& verdict) const -> bool {
  std::int32_t most = verdict.pdb_violations;
  if (verdict.orders) {
    for (const Orders::OnNode& node : verdict.orders->nodes) most = std::max(most, node.most_pdb_violations);
  }
  return most > 0;
}

}  // namespace previct::prove
