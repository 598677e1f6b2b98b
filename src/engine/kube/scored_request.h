#pragma once

#include "cluster/pod_request.h"
#include "engine/kube/release.h"

#include <cstdint>

namespace previct::kube {

/// What counts of a pod's request in this release.
[[nodiscard]] auto rules_of_requests(const Release& release) -> RequestRules;

/// What a container without requests of cpu or memory requests by scores: 100m and 200Mi.
/// Source: kubernetes/kubernetes: pkg/scheduler/util/pod_resources.go DefaultMilliCPURequest, DefaultMemoryRequest.
[[nodiscard]] auto amounts_by_default(const Snapshot& cluster) -> ResourceList;

/// What a pod requests of its node, counted with these amounts as scores do, in milli-CPU and bytes.
/// Source: kubernetes/kubernetes: pkg/scheduler/framework/types.go CalculateResource, getNonMissingContainerRequests,
/// v1.35.4; calculateResource, v1.31.14.
struct ScoredRequest {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
};
[[nodiscard]] auto scored_request(const Snapshot& cluster, const Pod& pod, const Release& release) -> ScoredRequest;

}  // namespace previct::kube
