#pragma once

#include "api/objects.h"
#include "base/instant.h"
#include "cluster/changed_cluster.h"

namespace previct {

/// Adds a pod like this one, with this name, and what controllers create for each pod: the claims of its
/// ResourceClaimTemplates, of its generic ephemeral volumes, and of the volumeClaimTemplates of its StatefulSet, all
/// without devices or volumes. Claims that the pod names are shared.
///
/// Source: kubernetes: pkg/controller/resourceclaim/controller.go handleClaim;
/// pkg/controller/volume/ephemeral/controller.go handleVolume; pkg/controller/statefulset/stateful_set_utils.go
/// getPersistentVolumeClaims; v1.36.
auto add_copy(const Pod& like, Symbol name, Instant now, ChangedCluster& changed) -> PodId;

}  // namespace previct
