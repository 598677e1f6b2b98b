#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/rules.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// The resource claims of a pod, as the plugin DynamicResources sees them.
struct PodResourceClaims {
  std::vector<const ResourceClaim*> claims;  ///< in the order of the pod; claims that none was needed for are left out
  std::optional<Reason> fault;               ///< the first that is not as it must be: the pod is not tried
  bool missing_kind = false;                 ///< the input holds no ResourceClaims, so nothing is known of them

  /// Do some hold devices, and others not?
  [[nodiscard]] auto mixed() const -> bool;
};
/// Source: plugins/dynamicresources foreachPodResourceClaim; dynamic-resource-allocation/resourceclaim Name, IsForPod;
/// v1.35.
[[nodiscard]] auto resource_claims_of(const Snapshot& cluster, PodId pod) -> PodResourceClaims;

/// The class whose devices a pod gets by asking for this resource, on nodes that do not offer the resource themselves;
/// null if it is an ordinary one, or the release knows only those.
/// Source: plugins/noderesources/fit.go shouldDelegateResourceToDRA; dynamicresources/extended DeviceClassResolver,
/// v1.36.3.
[[nodiscard]] auto device_class_for(const NodeInfoSnapshot& node_infos, ResourceId resource) -> const DeviceClass*;

/// The resources that a pod asks for and that stand for devices, with their classes.
[[nodiscard]] auto resources_of_devices(const NodeInfoSnapshot& node_infos, const PodInfo& incoming)
    -> std::vector<std::pair<ResourceId, const DeviceClass*>>;

/// The claim that an earlier attempt has made for such resources of the pod; null if there is none.
/// Source: plugins/dynamicresources/extendeddynamicresources.go findExtendedResourceClaim, v1.36.3.
[[nodiscard]] auto extended_claim_of(const Snapshot& cluster, const Pod& pod) -> const ResourceClaim*;

/// Can a further pod use it? Source: dynamic-resource-allocation/resourceclaim CanBeReserved, IsReservedForPod.
[[nodiscard]] auto can_be_used(const ResourceClaim& claim, const Pod& pod) -> bool;

/// Could PostFilter take the allocation back? Only if no other pod uses the claim.
[[nodiscard]] auto can_be_deallocated(const ResourceClaim& claim, const Pod& pod) -> bool;

}  // namespace previct::kube
