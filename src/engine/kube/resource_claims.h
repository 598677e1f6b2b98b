#pragma once

#include "engine/kube/rules.h"
#include "engine/kube/world.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// The resource claims of a pod, as the plugin DynamicResources sees them.
struct PodResourceClaims {
  std::vector<const ResourceClaim*> claims;  ///< in the order of the pod; claims that none was needed for are left out
  std::optional<Reason> fault;               ///< the first that is not as it must be: the pod is not tried
  bool missing_kind = false;                 ///< the input holds no ResourceClaims, so nothing is known of them

  /// Is there any whose devices are still to be chosen? By which rules that is done is not modelled.
  [[nodiscard]] auto open() const -> bool;
};
/// Source: plugins/dynamicresources foreachPodResourceClaim; dynamic-resource-allocation/resourceclaim Name, IsForPod;
/// v1.35.
[[nodiscard]] auto resource_claims_of(const Snapshot& cluster, PodId pod) -> PodResourceClaims;

/// The class whose devices a pod gets by asking for this resource, on nodes that do not offer the resource themselves;
/// null if it is an ordinary one, or the release knows only those.
/// Source: plugins/noderesources/fit.go shouldDelegateResourceToDRA; dynamicresources/extended DeviceClassResolver,
/// v1.36.3.
[[nodiscard]] auto device_class_for(const World& world, ResourceId resource) -> const DeviceClass*;

/// Could PostFilter take the allocation back? Only if no other pod uses the claim.
[[nodiscard]] auto can_be_deallocated(const ResourceClaim& claim, const Pod& pod) -> bool;

}  // namespace previct::kube
