#pragma once

#include "api/objects.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// What the API server makes of a pod when it is created, as far as a scheduler sees it:
///
/// - priority and preemption policy of its PriorityClass; without one, those of the class that is the global default
///   (of several, the lowest value); the two system classes exist everywhere. Kubernetes:
///   plugin/pkg/admission/priority/admission.go, v1.35.
/// - the defaults of every new pod (api/pod_defaults.h).
/// - tolerations of the taints not-ready and unreachable. Kubernetes: plugin/pkg/admission/defaulttolerationseconds.
/// - phase Pending, created at `now` if nothing else is said.
///
/// Left out: what LimitRanges and the RuntimeClass fill in (limits.h), and webhooks.
///
/// Errors, as the API server gives them: no such class; a priority or policy that is not that of the class; a resource
/// without a prefix that containers do not have.
[[nodiscard]] auto admit(Pod& pod, Instant now, Objects& objects) -> Result<void>;

/// Fails as admit() does if a pod that was written by hand, which no API server has taken yet, names a PriorityClass
/// that the input, which has PriorityClasses, does not hold.
[[nodiscard]] auto check_class(const Pod& pod, const Objects& objects) -> Result<void>;

/// For "did you mean".
[[nodiscard]] auto nearest_class(std::string_view name, const Objects& objects) -> std::optional<std::string>;

/// Can a container request it? A name with a slash is somebody's own.
/// Kubernetes: pkg/apis/core/helper/helpers.go IsStandardContainerResourceName.
[[nodiscard]] auto is_container_resource(std::string_view name) -> bool;

}  // namespace previct
