#pragma once

#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/release.h"

#include <memory>
#include <optional>
#include <vector>

/// Pods created in the same second come in any order, so that any of the oldest may have made its application.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/context.go InitializeState (an unstable sort).
namespace previct::yunikorn {

/// Do two attempts of one pod end alike? Their sentences may differ by how far off a moment is.
[[nodiscard]] auto alike(const ReleaseDecision& a, const ReleaseDecision& b) -> bool;

/// Another pod that might have made its application, and what the attempt comes to then.
struct OtherEldest {
  PodId pod;
  PodId instead_of;
  std::shared_ptr<const PartitionContext> core;  ///< as it is then
  std::optional<ReleaseDecision> then;           ///< none: its application is rejected, and it is never scheduled
  std::vector<PodId> victims;                    ///< possible ones
};

struct OpenEldest {
  std::vector<OtherEldest> differing;
  std::size_t tried = 0;
  std::size_t choices = 0;  ///< that may matter; more than `tried`: not all were tried
};

/// Tries the other choices, one at a time. Cost: a core each, for up to a dozen.
[[nodiscard]] auto other_eldest(const PartitionContext& core, const Setup& setup, const ReleaseDecision& decision,
                                const ReleaseOptions& options, Instant now) -> OpenEldest;

}  // namespace previct::yunikorn
