#pragma once

#include "engine/kube/filter.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// A volume of a pod that refers to a claim.
struct PodClaim {
  Symbol name;             ///< name of the claim; none if the input has no such name
  Symbol volume;           ///< name of the volume in the pod
  bool ephemeral = false;  ///< generic ephemeral volume: its claim is named <pod>-<volume>
};

/// Returns the claims of a pod's volumes, in volume order.
[[nodiscard]] auto claims_of(const Snapshot& cluster, const Pod& pod) -> std::vector<PodClaim>;

/// Returns the class of a claim: from the old annotation, else storageClassName; none if neither is set.
[[nodiscard]] auto class_of(const Snapshot& cluster, const PersistentVolumeClaim& claim) -> Symbol;

/// Returns true if a volume of this class is provisioned when a pod that uses the claim has a node. False for a missing
/// class.
[[nodiscard]] auto waits_for_consumer(const Snapshot& cluster, Symbol class_name) -> bool;

/// Returns true if the claim of an ephemeral volume is controlled (by UID) by the pod that it belongs to.
[[nodiscard]] auto owned_by(const PersistentVolumeClaim& claim, const Pod& pod) -> bool;

}  // namespace previct::kube
