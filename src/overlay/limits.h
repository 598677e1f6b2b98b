#pragma once

#include "api/limits.h"
#include "cluster/snapshot.h"

#include <functional>
#include <string>
#include <vector>

namespace previct {

/// Gives the containers of a pod the default requests and limits of the LimitRanges of its namespace, and the pod the
/// overhead, node labels and tolerations of its RuntimeClass. Returns what was added as text; empty if nothing was.
///
/// Errors, as from the API server: a container or pod violates a bound of a LimitRange; the RuntimeClass does not
/// exist; an overhead or node label differs from the class. If the class is missing from the input, but may exist in
/// the cluster (`all_known` is false), the pod is marked.
///
/// Source: kubernetes/kubernetes: plugin/pkg/admission/limitranger, pkg/apis/core/v1/defaults.go
/// SetDefaults_LimitRangeItem, plugin/pkg/admission/runtimeclass; v1.35.4.
[[nodiscard]] auto apply_limits(Pod& pod, const std::vector<LimitRange>& ranges, const Objects& objects)
    -> Result<std::string>;
[[nodiscard]] auto apply_runtime_class(Pod& pod, Symbol name, bool all_known, Objects& objects) -> Result<std::string>;

/// Returns true if LimitRanges added values when the pod was created. The API server records that in an annotation.
[[nodiscard]] auto limits_were_applied(const Pod& pod, const Symbols& symbols) -> bool;
/// Removes these values: what remains is what the pod's author wrote.
void take_back_limits(Pod& pod, const Symbols& symbols);

/// Returns why a ResourceQuota of its namespace would refuse the pod, based on the usage in the quotas' status; empty
/// if none would.
///
/// Source: kubernetes/kubernetes: pkg/quota/v1/evaluator/core/pods.go; staging/src/k8s.io/apiserver
/// pkg/admission/plugin/resourcequota/controller.go checkRequest; v1.35.4.
[[nodiscard]] auto quota_refusal(const Pod& pod, const std::vector<ResourceQuota>& quotas, const Snapshot& cluster)
    -> std::string;
/// Updates the usage in the quotas' status after a pod is added or removed.
void count_in_quotas(const Pod& pod, bool has_come, std::vector<ResourceQuota>& quotas, const Snapshot& cluster);

/// Sets the status of a quota as its controller does: what the pods of its namespace that `exists` accepts, and its
/// claims use. Source: kubernetes/kubernetes: pkg/controller/resourcequota/resource_quota_controller.go
/// syncResourceQuota; v1.35.
void set_status(ResourceQuota& quota, const Snapshot& cluster, const std::function<bool(const Pod&)>& exists);

/// Returns why the LimitRanges and ResourceQuotas of the input would refuse `made` in place of `old`, which the quotas
/// count; empty if they would not. Quotas also apply to a pod that is resized.
[[nodiscard]] auto refusal_in_place(const Pod& old, const Pod& made, const Snapshot& cluster) -> std::string;

/// Returns why LimitRanges or ResourceQuotas of its namespace would refuse a new claim; empty if they accept it. Quotas
/// count the claim from then on.
///
/// Source: kubernetes/kubernetes: pkg/quota/v1/evaluator/core/persistent_volume_claims.go Usage;
/// plugin/pkg/admission/limitranger/admission.go PersistentVolumeClaimValidateLimitFunc; v1.36.
[[nodiscard]] auto claim_refusal(const PersistentVolumeClaim& claim, std::vector<ResourceQuota>& quotas,
                                 const Objects& objects) -> std::string;

/// The names of the mutating webhooks that are called for new pods.
[[nodiscard]] auto webhooks_of_pods(const Objects& objects) -> std::vector<std::string>;

}  // namespace previct
