#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/rules.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// The resource claims of a pod, as the DynamicResources plugin sees them.
struct PodResourceClaims {
  std::vector<const ResourceClaim*> claims;  ///< in the order of the pod; references that need no claim are left out
  std::optional<Reason> fault;               ///< the first invalid claim: the pod is not tried
  bool missing_kind = false;                 ///< the input has no ResourceClaims, so nothing is known about them

  /// Returns true if some claims are allocated and others are not.
  [[nodiscard]] auto mixed() const -> bool;
};
/// Source: plugins/dynamicresources foreachPodResourceClaim; dynamic-resource-allocation/resourceclaim Name, IsForPod;
/// v1.35.
[[nodiscard]] auto resource_claims_of(const Snapshot& cluster, PodId pod) -> PodResourceClaims;

/// Returns the class whose devices serve a request for this resource on nodes that do not offer the resource
/// themselves; null if it is an ordinary resource or the release does not support this.
/// Source: plugins/noderesources/fit.go shouldDelegateResourceToDRA; dynamicresources/extended DeviceClassResolver,
/// v1.36.3.
[[nodiscard]] auto device_class_for(const NodeInfoSnapshot& node_infos, ResourceId resource) -> const DeviceClass*;

/// Returns a class that may keep the resource `deviceclass.resource.kubernetes.io/NAME` from being served by class
/// NAME: it has the same extendedResourceName, is newer, and comes earlier by name. The scheduler drops an older class
/// that it reads after a newer one, with both of its resource names. It reads classes by name when it starts, and then
/// in the order of their creation. Null: there is no such class. Source: dynamic-resource-allocation:
/// deviceclass/extendedresourcecache updateResourceName2class, v0.35 to v0.37.
[[nodiscard]] auto rival_of(const NodeInfoSnapshot& node_infos, ResourceId resource) -> const DeviceClass*;

/// Returns the resources in a pod's request that devices can serve, with their classes.
[[nodiscard]] auto resources_of_devices(const NodeInfoSnapshot& node_infos, const PodInfo& incoming)
    -> std::vector<std::pair<ResourceId, const DeviceClass*>>;

/// Returns the claim that an earlier attempt created for such resources of the pod; null if there is none.
/// Source: plugins/dynamicresources/extendeddynamicresources.go findExtendedResourceClaim, v1.36.3.
[[nodiscard]] auto extended_claim_of(const Snapshot& cluster, const Pod& pod) -> const ResourceClaim*;

/// Returns true if `pod` may use the claim.
/// Source: dynamic-resource-allocation/resourceclaim CanBeReserved, IsReservedForPod.
[[nodiscard]] auto can_be_used(const ResourceClaim& claim, const Pod& pod) -> bool;

/// Returns true if PostFilter could deallocate the claim, that is, if no other pod uses it.
[[nodiscard]] auto can_be_deallocated(const ResourceClaim& claim, const Pod& pod) -> bool;

}  // namespace previct::kube
