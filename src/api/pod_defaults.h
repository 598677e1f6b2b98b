#pragma once

#include "api/objects.h"

namespace previct {

/// Applies the API server's defaults for a new pod, those before and those after admission plugins. Applying them again
/// changes nothing.
///
/// - The request of a container or an init container defaults to its limit. A pod-level request of cpu or memory
///   defaults to the sum of its containers, then to the pod-level limit; a pod-level limit of huge pages defaults to
///   that of the containers. Releases that do not count pod-level requests ignore them.
/// - With hostNetwork, each container port is a host port.
/// - `matchLabelKeys` and `mismatchLabelKeys` of pod (anti-)affinity terms become requirements of their selectors.
///
/// Source: kubernetes/kubernetes: pkg/apis/core/v1/defaults.go SetDefaults_Pod, defaultHugePagePodLimits,
/// defaultPodRequests, defaultHostNetworkPorts; pkg/registry/core/pod/strategy.go mutatePodAffinity; v1.31 to v1.36.
void default_pod(Pod& pod, Symbols& symbols);

/// Applies the defaults to every pod and node that no API server has seen (it has no uid): manifests among the inputs.
void default_manifests(Objects& objects);

/// The total request (or limit) of all containers of a pod: their sum, or that of an init container and the sidecars
/// before it, whichever is larger.
/// Source: kubernetes/kubernetes: component-helpers/resource/helpers.go AggregateContainerRequests,
/// AggregateContainerLimits.
[[nodiscard]] auto total_of_containers(const PodSpec& spec, ResourceList ResourceRequirements::*said,
                                       const Symbols& symbols) -> ResourceList;

}  // namespace previct
