#pragma once

#include "prove/invariant.h"

#include <set>

namespace previct::prove {

/// No preemption violates a PodDisruptionBudget.
class BudgetsHold final : public Invariant {
 public:
  explicit BudgetsHold(const Snapshot& cluster);

  [[nodiscard]] auto violation() const -> std::string override { return "violates a PodDisruptionBudget"; }
  [[nodiscard]] auto pods_on(NodeId node) const -> std::size_t override;
  [[nodiscard]] auto holds_among(std::span<const PodId> potential_victims) const -> bool override;
  [[nodiscard]] auto is_broken_by(const Verdict& verdict) const -> bool override;

 private:
  const Snapshot& cluster_;
  std::set<PodId> guarded_;  // pods to which a budget applies
};

}  // namespace previct::prove
