#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/design_151.h"
#include "engine/yunikorn/eldest.h"
#include "engine/yunikorn/release.h"

#include <memory>
#include <optional>
#include <vector>

namespace previct::yunikorn {

/// Where the attempt would first end otherwise than now.
struct NextChange {
  Instant at = Instant::never();
  std::optional<ReleaseDecision> then;  ///< none: so many instants were tried that the search ended here
  std::size_t tried = 0;
};

/// A decision, and what it was made of. Without `release` and `design` the pod is not asked about: it is on a node,
/// gated or being deleted, another scheduler's, of an application that is rejected, or lacks a claim.
struct Account final : previct::Account {
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const PartitionContext> core;
  PodId pod;
  bool by_design = false;  ///< the design document's algorithm was asked

  /// What keeps the pod from the core, by the letter of the input. Where it is certain, nothing below is asked.
  std::optional<UnsoundClaim> unsound_claim;
  std::optional<ReleaseDecision> release;
  NextChange next;
  OpenEldest other_eldest;  ///< who else may have made an application, where that matters
  /// Where volumes are not known, `release` is the decision if every node reaches them, and this is what follows from
  /// the input by the letter.
  std::optional<ReleaseDecision> by_the_letter;

  std::optional<DesignDecision> design;
  std::optional<DesignDecision> design_then;  ///< when the start delay is over, if it still runs
  std::optional<TypeNames> types;             ///< of the design's amounts
};

/// What is decided, as values.
void conclude_release(const Account& account, Verdict& verdict);
void conclude_design(const Account& account, Verdict& verdict);

/// What the dump or the model lacks for this verdict. `core` is null for the design document's algorithm,
/// `ask` none if the question is about all pods.
[[nodiscard]] auto gaps_of(const Snapshot& cluster, const Setup& setup, const PartitionContext* core, PodId ask)
    -> std::vector<Gap>;

}  // namespace previct::yunikorn
