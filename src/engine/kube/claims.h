#pragma once

#include "engine/kube/filter.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// A volume of a pod that stands for a claim.
struct PodClaim {
  Symbol name;             ///< of the claim; none if nothing in the input has that name
  Symbol volume;           ///< of the volume in the pod
  bool ephemeral = false;  ///< generic ephemeral volume: its claim is named <pod>-<volume>
};

/// The claims of a pod's volumes, in volume order.
[[nodiscard]] auto claims_of(const Snapshot& cluster, const Pod& pod) -> std::vector<PodClaim>;

/// The class of a claim: the old annotation, else storageClassName; none if neither names one.
[[nodiscard]] auto class_of(const Snapshot& cluster, const PersistentVolumeClaim& claim) -> Symbol;

/// Is a volume of this class made when a pod that claims it has a node? False for a class that is not there.
[[nodiscard]] auto waits_for_consumer(const Snapshot& cluster, Symbol class_name) -> bool;

/// Is an ephemeral volume's claim controlled by the pod it should be made for (by UID)?
[[nodiscard]] auto owned_by(const PersistentVolumeClaim& claim, const Pod& pod) -> bool;

}  // namespace previct::kube
