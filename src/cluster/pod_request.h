#pragma once

#include "api/pod.h"
#include "cluster/snapshot.h"

namespace previct {

/// Whose request is wanted: a pod that is on a node (or nominated to one) may be in the middle of an in-place
/// resize, and then takes the larger of what it has and what it wants. A pod to be placed takes what it asks for.
enum class RequestOf : std::uint8_t { incoming, placed };

/// What counts of a pod's request beyond its containers; as kube-scheduler 1.35 has it by default.
struct RequestRules {
  bool pod_level = true;          ///< spec.resources takes the place of the containers'
  bool resize = true;             ///< an in-place resize under way, of containers
  bool pod_level_resize = false;  ///< the same of spec.resources (1.36)
};

/// What a pod takes of a node, exact, every resource name it uses.
///
/// The sum of its containers and sidecars, or the highest peak while its init containers run, whichever is
/// larger per resource; pod-level requests replace cpu, memory and hugepages; overhead comes on top.
/// Source: kubernetes/kubernetes: pkg/api/v1/resource (component-helpers/resource) PodRequests, v1.35.
[[nodiscard]] auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules = {})
    -> ResourceList;

}  // namespace previct
