#pragma once

#include "prove/invariant.h"

#include <vector>

namespace previct::prove {

/// The outcome of every decision is one of these: with `fits` and `preempts`, every pod gets a node.
class OutcomeIn final : public Invariant {
 public:
  explicit OutcomeIn(std::vector<Outcome> allowed) : allowed_(std::move(allowed)) {}

  [[nodiscard]] auto violation() const -> std::string override { return "has another outcome"; }
  /// Each node counts, also without pods.
  [[nodiscard]] auto pods_on(NodeId /*node*/) const -> std::size_t override { return 1; }
  [[nodiscard]] auto holds_among(std::span<const PodId> /*potential_victims*/) const -> bool override { return false; }
  [[nodiscard]] auto is_broken_by(const Verdict& verdict) const -> bool override;

 private:
  std::vector<Outcome> allowed_;
};

}  // namespace previct::prove
