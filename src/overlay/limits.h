#pragma once

#include "cluster/snapshot.h"
#include "overlay/surroundings.h"

#include <string>

namespace previct {

/// Gives the containers of a pod the requests and limits that LimitRanges of its namespace have for those who name
/// none, and the pod the overhead, node labels and tolerations of its RuntimeClass. Returns what was filled in, for
/// people; empty if nothing was.
///
/// Errors, as the API server gives them: a container or pod that breaks a bound of a LimitRange; no such RuntimeClass,
/// an overhead or node label that is not the class's. Of a class that the input lacks, though the cluster may have it,
/// the pod notes that it is missing.
///
/// Source: kubernetes/kubernetes: plugin/pkg/admission/limitranger, pkg/apis/core/v1/defaults.go
/// SetDefaults_LimitRangeItem, plugin/pkg/admission/runtimeclass; v1.35.4.
[[nodiscard]] auto apply_limits(Pod& pod, const std::vector<LimitRange>& ranges, Objects& objects)
    -> Result<std::string>;
[[nodiscard]] auto apply_runtime_class(Pod& pod, Symbol name, const Surroundings& around, Objects& objects)
    -> Result<std::string>;

/// Did LimitRanges fill in something when the pod was created? The API server notes it in an annotation.
[[nodiscard]] auto limits_were_applied(const Pod& pod, const Symbols& symbols) -> bool;
/// Takes that out again: what is left is what the pod's author wrote.
void take_back_limits(Pod& pod, const Symbols& symbols);

/// Why a ResourceQuota of its namespace would refuse the pod; empty if none would. By what the quotas' status says is
/// in use.
///
/// Source: kubernetes/kubernetes: pkg/quota/v1/evaluator/core/pods.go; staging/src/k8s.io/apiserver
/// pkg/admission/plugin/resourcequota/controller.go checkRequest; v1.35.4.
[[nodiscard]] auto quota_refusal(const Pod& pod, const std::vector<ResourceQuota>& quotas, const Snapshot& cluster)
    -> std::string;
/// The pod has come, or is gone: what is in use by the quotas' status follows.
void count_in_quotas(const Pod& pod, bool has_come, std::vector<ResourceQuota>& quotas, const Snapshot& cluster);

/// The mutating webhooks that are asked about new pods, by name.
[[nodiscard]] auto webhooks_of_pods(const Surroundings& around, const Symbols& symbols) -> std::vector<std::string>;

}  // namespace previct
