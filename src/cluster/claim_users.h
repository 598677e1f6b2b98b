#pragma once

#include "api/objects.h"
#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"

#include <string>
#include <vector>

namespace previct {

// Which pods use a ResourceClaim, and what the resourceclaim controller does when one is gone.
// Source: kubernetes: pkg/controller/resourceclaim/controller.go syncClaim; v1.36.

/// Returns true if the claim is reserved for the pod.
[[nodiscard]] auto is_reserved_for(const ResourceClaim& claim, const Pod& pod) -> bool;
/// Returns true if the claim was created for the pod, and is deleted with it.
[[nodiscard]] auto is_claim_of(const ResourceClaim& claim, const Pod& pod) -> bool;
/// Returns true if one of the two holds for some claim.
[[nodiscard]] auto uses_claims(const Pod& pod, const Objects& objects) -> bool;

/// Ends the reservation for the pod: devices without a user are deallocated. Returns true if there was one.
auto leave(const Pod& pod, ResourceClaim& claim) -> bool;
/// Does so for all claims, and deletes those that were created for the pod.
void release_claims_of(const Pod& gone, std::vector<ResourceClaim>& claims);

/// Returns the name of the claim that is created for a generic ephemeral volume of the pod.
/// Source: kubernetes: component-helpers/storage/ephemeral VolumeClaimName.
[[nodiscard]] auto ephemeral_claim_name(const Symbols& symbols, const Pod& pod, Symbol volume) -> std::string;

/// Removes the VolumeAttachments that end when the pod has left its node: those of its volumes that none of the
/// `others` on the node uses. Returns true if there were any. Source: kubernetes:
/// pkg/controller/volume/attachdetach/reconciler/reconciler.go reconcile, v1.35.
auto detach_volumes(const Snapshot& cluster, PodId gone, NodeId node, const std::vector<PodId>& others,
                    ChangedCluster& changed) -> bool;

}  // namespace previct
