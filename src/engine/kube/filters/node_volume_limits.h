#pragma once

#include "engine/kube/filter.h"

#include <span>
#include <string>

namespace previct::kube {

/// Returns a claim (`namespace/name`) of a pod on this node that the input lacks, if the volumes of such claims may
/// leave too few for the incoming pod, which fits without them; empty: there is none. `gone`: pods that do not count.
/// The scheduler ignores such a claim, too, but a cluster keeps the claims of running pods.
/// Source: plugins/nodevolumelimits/csi.go filterAttachableVolumes, v1.35; pkg/controller/volume/pvcprotection.
[[nodiscard]] auto claim_that_may_exceed_limits(const Incoming& incoming, NodeId node, std::span<const PodId> gone)
    -> std::string;

}  // namespace previct::kube
