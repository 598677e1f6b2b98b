#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/required_nodes.h"

#include <memory>
#include <optional>

namespace previct::kube {

/// The nodes that a spread constraint counts for an incoming pod, by its nodeAffinityPolicy and nodeTaintsPolicy.
/// Source: plugins/podtopologyspread/common.go matchNodeInclusionPolicies, v1.35.
struct InclusionPolicies {
  InclusionPolicies() = default;
  InclusionPolicies(const TopologySpreadConstraint& constraint, const Snapshot& cluster);

  bool honors_affinity = true;
  bool honors_taints = false;
};

/// What the filter and the score of PodTopologySpread count in the same way for one incoming pod.
class SpreadCounts {
 public:
  using OnNode = IdVector<NodeId, std::int64_t>;

  /// `incoming` must outlive it.
  SpreadCounts(const NodeInfoSnapshot& node_infos, const Pod& incoming);

  [[nodiscard]] auto includes(const InclusionPolicies& policies, NodeId node) const -> bool;

  /// Returns true if the pod is on a node and not terminating, and the selector matches it.
  [[nodiscard]] auto counts(const LabelSelector& selector, PodId id) const -> bool;

  /// Returns the number of counted pods on each node. An empty selector counts no pods.
  [[nodiscard]] auto on_nodes(const std::optional<LabelSelector>& selector) const -> OnNode;

 private:
  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Pod& incoming_;
  std::shared_ptr<const RequiredNodes> required_;
};

}  // namespace previct::kube
