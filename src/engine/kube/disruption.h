#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <span>
#include <vector>

namespace previct::kube {

/// The PodDisruptionBudgets that apply to each pod, matched once for all questions (upstream builds every selector
/// again for each pod of each node).
///
/// A budget applies to a pod of its namespace that has labels, if its selector is neither absent nor empty and matches,
/// unless the pod's eviction is already granted (status.disruptedPods).
/// Source: plugins/defaultpreemption filterPodsWithPDBViolation, v1.35.
class Budgets {
 public:
  explicit Budgets(const NodeInfoSnapshot& node_infos);

  /// The budgets of a pod, as indices into Objects::disruption_budgets.
  [[nodiscard]] auto of(PodId pod) const -> std::span<const std::uint32_t> {
    if (members_.empty()) return {};
    return std::span(members_).subspan(begin_[pod.index], begin_[pod.index + 1] - begin_[pod.index]);
  }
  /// status.disruptionsAllowed of each budget.
  [[nodiscard]] auto allowed() const -> const std::vector<std::int32_t>& { return allowed_; }
  void allow(std::uint32_t budget, std::int32_t disruptions) { allowed_[budget] = disruptions; }
  /// For simulations: a pod was added to the end of the cluster's pods.
  void pod_was_added(const NodeInfoSnapshot& node_infos);
  /// Returns true if no budget applies to any pod.
  [[nodiscard]] auto none() const -> bool { return members_.empty(); }

 private:
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::int32_t> allowed_;
};

}  // namespace previct::kube
