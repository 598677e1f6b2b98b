#pragma once

#include "api/pod.h"
#include "cluster/snapshot.h"

namespace previct {

/// Whose request is wanted: a pod that is on a node (or nominated to one) may be in the middle of an in-place
/// resize, and then takes the larger of what it has and what it wants. A pod to be placed takes what it asks for.
enum class RequestOf : std::uint8_t { incoming, placed };

/// What counts of a container whose in-place resize is under way.
enum class ResizeRule : std::uint8_t {
  wanted,    ///< what it asks for, and nothing else
  admitted,  ///< the larger of that and what the kubelet has admitted; of sidecars what they ask for (1.31)
  in_use,    ///< the larger of that and what it has now; of sidecars what they ask for (1.32)
  largest,   ///< the largest of the three, of sidecars, too (since 1.33)
  whole_pod  ///< the largest of the three sums over all containers, or of what the pod's own status says (since 1.37)
};

/// What counts of a pod's request beyond its containers; as kube-scheduler 1.35 has it by default.
struct RequestRules {
  bool pod_level = true;            ///< spec.resources takes the place of the containers'
  bool pod_level_hugepages = true;  ///< of hugepages, too (since 1.33)
  ResizeRule resize = ResizeRule::largest;
  bool pod_level_resize = false;  ///< a resize of spec.resources under way counts (since 1.36)

  friend auto operator==(const RequestRules&, const RequestRules&) -> bool = default;
};

/// What a pod takes of a node, exact, every resource name it uses.
///
/// The sum of its containers and sidecars, or the highest peak while its init containers run, whichever is
/// larger per resource; pod-level requests replace cpu, memory and hugepages; overhead comes on top. A container that
/// says nothing of a resource among `missing` counts with the amount there, as scores want it.
/// Source: kubernetes/kubernetes: pkg/api/v1/resource (component-helpers/resource) PodRequests, v1.31 to v1.37.
[[nodiscard]] auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules = {},
                               const ResourceList& missing = {}) -> ResourceList;

/// Does spec.resources request something that takes the place of what the containers request?
[[nodiscard]] auto requests_as_pod(const Snapshot& cluster, const Pod& pod, RequestRules rules) -> bool;

/// May pod_request() be another under other rules? Only with spec.resources, or while a resize is under way.
[[nodiscard]] auto request_hangs_on_rules(const Snapshot& cluster, const Pod& pod) -> bool;

}  // namespace previct
