#pragma once

#include "cluster/pod_request.h"
#include "engine/kube/release.h"

#include <cstdint>

namespace previct::kube {

/// Returns what counts in a pod's request in this release.
[[nodiscard]] auto rules_of_requests(const Release& release) -> RequestRules;

/// Returns the amounts that scores assume for a container without requests of cpu or memory: 100m and 200Mi.
/// Source: kubernetes/kubernetes: pkg/scheduler/util/pod_resources.go DefaultMilliCPURequest, DefaultMemoryRequest.
[[nodiscard]] auto amounts_by_default(const Snapshot& cluster) -> ResourceList;

/// The request of a pod as scores count it, with these default amounts, in milli-CPU and bytes.
/// Source: kubernetes/kubernetes: pkg/scheduler/framework/types.go CalculateResource, getNonMissingContainerRequests,
/// v1.35.4; calculateResource, v1.31.14.
struct ScoredRequest {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
};
[[nodiscard]] auto scored_request(const Snapshot& cluster, const Pod& pod, const Release& release) -> ScoredRequest;

}  // namespace previct::kube
