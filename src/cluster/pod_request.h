#pragma once

#include "api/pod.h"
#include "cluster/snapshot.h"

namespace previct {

/// Which request is meant. A pod that is on a node (or nominated to one) may be in the middle of an in-place resize; it
/// then counts with the larger of what it has and what it requests. A pod that is to be placed counts with its request.
enum class RequestOf : std::uint8_t { incoming, placed };

/// What counts for a container during an in-place resize.
enum class ResizeRule : std::uint8_t {
  wanted,    ///< only its request
  admitted,  ///< the larger of its request and what the kubelet has admitted; for sidecars the request (1.31)
  in_use,    ///< the larger of its request and what it has now; for sidecars the request (1.32)
  largest,   ///< the largest of the three, for sidecars, too (since 1.33)
  whole_pod  ///< the largest of the three sums over all containers, or of the values in the pod's own status (since
             ///< 1.37)
};

/// What counts for the request of a pod besides its containers. The defaults are those of kube-scheduler 1.35.
struct RequestRules {
  bool pod_level = true;            ///< spec.resources replaces the requests of the containers
  bool pod_level_hugepages = true;  ///< also for hugepages (since 1.33)
  ResizeRule resize = ResizeRule::largest;
  bool pod_level_resize = false;  ///< an in-place resize of spec.resources counts (since 1.36)

  friend auto operator==(const RequestRules&, const RequestRules&) -> bool = default;
};

/// The exact request of a pod, for every resource name that it uses.
///
/// The sum of its containers and sidecars, or the highest peak while its init containers run, whichever is larger for
/// each resource; pod-level requests replace cpu, memory and hugepages; overhead is added. For a resource in `missing`,
/// a container without a request counts with the amount given there, as scoring plugins need it.
/// Source: kubernetes/kubernetes: pkg/api/v1/resource (component-helpers/resource) PodRequests, v1.31 to v1.37.
[[nodiscard]] auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules = {},
                               const ResourceList& missing = {}) -> ResourceList;

/// Returns true if spec.resources requests a resource that replaces the requests of the containers.
[[nodiscard]] auto requests_as_pod(const Snapshot& cluster, const Pod& pod, RequestRules rules) -> bool;

/// Returns true if pod_request() may depend on the rules: only with spec.resources, or during a resize.
[[nodiscard]] auto request_depends_on_rules(const Snapshot& cluster, const Pod& pod) -> bool;

}  // namespace previct
