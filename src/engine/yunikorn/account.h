#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/design_151.h"
#include "engine/yunikorn/eldest.h"
#include "engine/yunikorn/next_change.h"
#include "engine/yunikorn/quota_preemption.h"
#include "engine/yunikorn/release.h"

#include <memory>
#include <optional>
#include <vector>

namespace previct::yunikorn {

/// A decision and its inputs. `release` and `design` are absent if the scheduler does not consider the pod: it is on a
/// node, gated or being deleted, belongs to another scheduler, belongs to an application that is rejected, or lacks a
/// claim.
struct EngineTrace final : previct::EngineTrace {
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const PartitionContext> core;
  PodId pod;
  bool by_design = false;                                     ///< the design document's algorithm was used
  std::shared_ptr<const std::vector<QuotaPreemption>> quota;  ///< of all queues above their maximum

  /// A claim in the input as given that keeps the pod from the core. If it is certain, nothing below is computed.
  std::optional<UnusableClaim> unusable_claim;
  std::optional<ReleaseDecision> release;
  NextChange next;
  FirstPodChoices other_first_pods;  ///< other pods that may have created an application, where it matters
  /// If volumes are unknown, `release` is the decision under the assumption that every node can reach them, and this is
  /// the decision for the input as given.
  std::optional<ReleaseDecision> literal_reading;

  std::optional<DesignDecision> design;
  std::optional<DesignDecision> design_then;  ///< at the end of the start delay, if it has not ended yet
  std::optional<TypeNames> types;             ///< types of the amounts in `design`
};

/// Fill the verdict with the outcome of the decision.
void conclude_release(const EngineTrace& account, Verdict& verdict);
void conclude_design(const EngineTrace& account, Verdict& verdict);

/// Returns what the dump or the model lacks for this verdict. `core` is null for the design document's algorithm; `ask`
/// is none if the question is about all pods.
[[nodiscard]] auto gaps_of(const Snapshot& cluster, const Setup& setup, const PartitionContext* core, PodId ask)
    -> std::vector<Gap>;

/// Returns the gap because of which the queues are not known; none if they are.
[[nodiscard]] auto unknown_queues(const Snapshot& cluster, const Setup& setup) -> std::optional<Gap>;

/// Adds what no input shows about quota preemption: whether the delay of a queue has started, and whether it is over.
void doubt_for_quota(const PartitionContext& core, const QuotaPreemption& one, std::vector<Gap>& gaps);

}  // namespace previct::yunikorn
