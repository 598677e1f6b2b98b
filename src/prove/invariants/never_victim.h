#pragma once

#include "prove/invariant.h"

#include <functional>
#include <set>

namespace previct::prove {

/// These pods are never evicted.
class NeverVictim final : public Invariant {
 public:
  /// `words`: `a pod with app=license-sim`, `ml/license-sim`.
  NeverVictim(const Snapshot& cluster, std::string words, const std::function<bool(PodId)>& is_meant);

  [[nodiscard]] auto violation() const -> std::string override { return "evicts " + words_; }
  [[nodiscard]] auto pods_on(NodeId node) const -> std::size_t override;
  [[nodiscard]] auto pods_elsewhere(std::span<const NodeId> nodes) const -> std::size_t override;
  [[nodiscard]] auto holds_among(std::span<const PodId> potential_victims) const -> bool override;
  [[nodiscard]] auto is_broken_by(const Verdict& verdict) const -> bool override;

 private:
  const Snapshot& cluster_;
  std::string words_;
  std::set<PodId> pods_;              // on a node
  std::size_t on_unknown_nodes_ = 0;  // that the input lacks
};

}  // namespace previct::prove
