#pragma once

#include "api/objects.h"

#include <string>
#include <vector>

namespace previct {

/// Applies what the API server does when a pod is created, except for ResourceQuotas (limits.h) and webhooks: its
/// namespace accepts pods, admission (admission.h), LimitRanges, and its RuntimeClass (limits.h). Returns what the last
/// two added as text. `all_runtime_classes`: the RuntimeClasses of `objects` are all that the cluster has.
///
/// Errors, as from the API server (Failure::refusal): of admit(), check_limits(), apply_limits() and
/// apply_runtime_class(); the namespace is being deleted or does not exist. Kubernetes:
/// apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go Admit, v1.36.
[[nodiscard]] auto create_pod(Pod& pod, Symbol runtime_class, bool all_runtime_classes, Instant now, Objects& objects)
    -> Result<std::vector<std::string>>;

/// Returns true if the RuntimeClasses of the input are all that the cluster has: they were listed, or came from an API
/// server; handwritten ones, if the whole cluster is handwritten.
[[nodiscard]] auto has_all_runtime_classes(const Objects& objects) -> bool;

}  // namespace previct
