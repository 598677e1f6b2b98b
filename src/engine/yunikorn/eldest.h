#pragma once

#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/release.h"

#include <memory>
#include <optional>
#include <vector>

/// Pods created in the same second are processed in arbitrary order, so any of the oldest may have created its
/// application.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/context.go InitializeState (an unstable sort).
namespace previct::yunikorn {

/// Returns true if two attempts for one pod have the same result. Their sentences may differ in the time until an
/// event.
[[nodiscard]] auto alike(const ReleaseDecision& a, const ReleaseDecision& b) -> bool;

/// Returns true if equally old pods may have created an application and would give it another queue, user or gang.
[[nodiscard]] auto creators_differ(const PartitionContext& core) -> bool;

/// Another pod that may have created its application, and the result of the attempt in that case.
struct OtherFirstPod {
  PodId pod;
  PodId instead_of;
  std::shared_ptr<const PartitionContext> core;  ///< in that case
  std::optional<ReleaseDecision> then;           ///< none: its application is rejected, so it is never scheduled
  std::vector<PodId> victims;                    ///< possible victims
};

struct FirstPodChoices {
  std::vector<OtherFirstPod> differing;
  std::size_t tried = 0;
  std::size_t choices = 0;  ///< number that may matter; if more than `tried`, not all were tried
};

/// Tries the other choices for the pod `ask`, one at a time. `decision` is null if its application is rejected. Cost:
/// one core for each of up to a dozen choices.
[[nodiscard]] auto other_first_pods(const PartitionContext& core, const Setup& setup, PodId ask,
                                    const ReleaseDecision* decision, const ReleaseOptions& options, Instant now)
    -> FirstPodChoices;

}  // namespace previct::yunikorn
