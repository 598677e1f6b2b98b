#pragma once

#include <span>
#include <vector>

#include "engine/kube/world.h"

namespace previct::kube {

/// Which PodDisruptionBudgets speak of which running pod, matched once for all questions (upstream builds every
/// selector anew for each pod of each node).
///
/// A budget counts for a pod of its namespace that has labels, if its selector is neither absent nor empty and
/// matches, unless the pod's eviction is already granted (status.disruptedPods).
/// Source: plugins/defaultpreemption filterPodsWithPDBViolation, v1.35.
class Budgets {
 public:
  explicit Budgets(const World& world);

  /// Indices into Objects::disruption_budgets; `index` is a pod's place in World::all().
  [[nodiscard]] auto of(std::size_t index) const -> std::span<const std::uint32_t> {
    if (members_.empty()) return {};
    return std::span(members_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
  }
  /// status.disruptionsAllowed of each budget.
  [[nodiscard]] auto allowed() const -> const std::vector<std::int32_t>& { return allowed_; }
  /// No budget speaks of any running pod.
  [[nodiscard]] auto none() const -> bool { return members_.empty(); }

 private:
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::int32_t> allowed_;
};

}  // namespace previct::kube
