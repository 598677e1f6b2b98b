#include "engine/kube/spread_counts.h"

#include "cluster/matching.h"

namespace previct::kube {

InclusionPolicies::InclusionPolicies(const TopologySpreadConstraint& constraint, const Snapshot& cluster)
    : honors_affinity(cluster.text(constraint.node_affinity_policy) != "Ignore"),
      honors_taints(cluster.text(constraint.node_taints_policy) == "Honor") {}

SpreadCounts::SpreadCounts(const NodeInfoSnapshot& node_infos, const Pod& incoming)
    : node_infos_(node_infos),
      cluster_(node_infos.cluster()),
      incoming_(incoming),
      required_(cluster_.derived<RequiredNodesOfPods>().of(incoming.spec)) {}

auto SpreadCounts::includes(const InclusionPolicies& policies, NodeId node) const -> bool {
  if (policies.honors_affinity && !required_->contains(node)) return false;
  return !policies.honors_taints || first_untolerated_taint(incoming_.spec, cluster_.node(node), cluster_.known(),
                                                            node_infos_.numbers_in_tolerations()) == nullptr;
}

auto SpreadCounts::counts(const LabelSelector& selector, PodId id) const -> bool {
  const Pod& pod = cluster_.pod(id);
  return node_infos_.place_of(id) && !pod.meta.deleting && matches(selector, pod.meta.labels, cluster_.symbols());
}

auto SpreadCounts::on_nodes(const std::optional<LabelSelector>& selector) const -> OnNode {
  OnNode counted(node_infos_.node_count());
  if (!selector || selector->empty()) return counted;
  for (const PodId id : node_infos_.pods_by_label().near(incoming_.meta.ns, *selector)) {
    if (counts(*selector, id)) ++counted[node_infos_.place_of(id)];
  }
  return counted;
}

}  // namespace previct::kube
