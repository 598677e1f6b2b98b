#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/devices/findings.h"
#include "engine/verdict.h"

#include <memory>
#include <vector>

namespace previct::kube {

/// A ResourceClaim before and after a change; null: it was created, or deleted.
struct ClaimChange {
  std::shared_ptr<const ResourceClaim> before{};
  std::shared_ptr<const ResourceClaim> after{};
};

/// Returns what the scheduler writes when it places the pod on the node: it reserves the pod's claims, and those
/// without devices get the devices in `findings`. Source: plugins/dynamicresources Reserve and PreBind, bindClaim.
[[nodiscard]] auto claims_of_placed(const Snapshot& cluster, PodId pod, NodeId node, const devices::Findings* findings)
    -> std::vector<ClaimChange>;

/// Makes these changes.
void apply(const std::vector<ClaimChange>& changes, std::vector<ResourceClaim>& claims);

/// Returns the devices that this engine chose for the verdict's pod, node by node; null: it uses none, or the verdict
/// is of another engine.
[[nodiscard]] auto devices_of(const Verdict& verdict) -> const devices::Findings*;

}  // namespace previct::kube
