#pragma once

#include "prove/invariant.h"

namespace previct::prove {

/// No preemption evicts more pods than this.
class AtMostVictims final : public Invariant {
 public:
  AtMostVictims(const Snapshot& cluster, std::size_t most) : cluster_(cluster), most_(most) {}

  [[nodiscard]] auto violation() const -> std::string override;
  [[nodiscard]] auto pods_on(NodeId node) const -> std::size_t override { return cluster_.pods_on(node).size(); }
  [[nodiscard]] auto holds_among(std::span<const PodId> potential_victims) const -> bool override {
    return potential_victims.size() <= most_;
  }
  [[nodiscard]] auto is_broken_by(const Verdict& verdict) const -> bool override;

 private:
  const Snapshot& cluster_;
  std::size_t most_;
};

}  // namespace previct::prove
