#pragma once

#include "cluster/snapshot.h"
#include "engine/verdict.h"

#include <cstddef>
#include <span>
#include <string>

namespace previct::prove {

/// A statement about every verdict for a preemptor. It speaks of each node alone: it holds for all nodes if it holds
/// for preemptors that may run on one node only.
class Invariant {
 public:
  Invariant() = default;
  Invariant(const Invariant&) = delete;
  auto operator=(const Invariant&) -> Invariant& = delete;
  virtual ~Invariant() = default;

  /// What no preemptor does: `evicts a pod with app=license-sim`.
  [[nodiscard]] virtual auto violation() const -> std::string = 0;

  /// Returns the pods on a node that it is about; a node without such pods cannot break it.
  [[nodiscard]] virtual auto pods_on(NodeId node) const -> std::size_t = 0;

  /// Returns the number of pods that it is about and that are on none of these nodes, or on a node that is not in the
  /// input.
  [[nodiscard]] virtual auto pods_elsewhere(std::span<const NodeId> /*nodes*/) const -> std::size_t { return 0; }

  /// Returns true if it holds whenever only these pods may be evicted, whichever of them are.
  [[nodiscard]] virtual auto holds_among(std::span<const PodId> potential_victims) const -> bool = 0;

  /// Returns true if the verdict breaks it, or may break it.
  [[nodiscard]] virtual auto is_broken_by(const Verdict& verdict) const -> bool = 0;
};

}  // namespace previct::prove
