#pragma once

#include "api/objects.h"
#include "cluster/snapshot.h"

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

/// The PersistentVolumes that the claims of the pod are bound to.
[[nodiscard]] auto volumes_of(const Snapshot& cluster, const Pod& pod) -> std::vector<Symbol>;

}  // namespace previct
