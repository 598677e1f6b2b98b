#pragma once

#include "api/objects.h"

namespace previct {

/// What the API server fills in of any new pod, before admission plugins see it and after them; once more changes
/// nothing:
///
/// - The request of a container or an init container is its limit where it names none. A pod-level request of cpu or
///   memory is what the containers request together, then the pod-level limit; a pod-level limit of huge pages is that
///   of the containers. Releases that do not count pod-level requests ignore them.
/// - With hostNetwork, each container port is a host port.
/// - `matchLabelKeys` and `mismatchLabelKeys` of pod (anti-)affinity terms become requirements of their selectors.
///
/// Source: kubernetes/kubernetes: pkg/apis/core/v1/defaults.go SetDefaults_Pod, defaultHugePagePodLimits,
/// defaultPodRequests, defaultHostNetworkPorts; pkg/registry/core/pod/strategy.go mutatePodAffinity; v1.31 to v1.36.
void default_pod(Pod& pod, Symbols& symbols);

/// The same for every pod that no API server has seen (it has no uid): manifests among the inputs.
void default_pods_without_uid(Objects& objects);

/// What all containers of a pod request (or are limited to) together: their sum, or what one of the init containers
/// and the sidecars before it do, whichever is more.
/// Source: kubernetes/kubernetes: component-helpers/resource/helpers.go AggregateContainerRequests,
/// AggregateContainerLimits.
[[nodiscard]] auto total_of_containers(const PodSpec& spec, ResourceList ResourceRequirements::*said,
                                       const Symbols& symbols) -> ResourceList;

}  // namespace previct
