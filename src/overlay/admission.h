#pragma once

#include "api/objects.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// Applies what the API server does when a pod is created, as far as a scheduler sees it:
///
/// - priority and preemption policy of its PriorityClass; without one, those of the global default class (the lowest
///   value if there are several); the two system classes always exist. Kubernetes:
///   plugin/pkg/admission/priority/admission.go, v1.35.
/// - the defaults of every new pod (api/pod_defaults.h).
/// - tolerations of the not-ready and unreachable taints. Kubernetes: plugin/pkg/admission/defaulttolerationseconds.
/// - phase Pending, created at `now` unless given.
///
/// Not included: LimitRanges and the RuntimeClass (limits.h), and webhooks.
///
/// Errors, as from the API server: the class does not exist; the priority or policy differs from the class; a resource
/// name without a prefix that containers cannot request; an amount of an extended resource that is no integer.
[[nodiscard]] auto admit(Pod& pod, Instant now, Objects& objects) -> Result<void>;

/// Checks a handwritten pod that no API server has accepted yet. Fails, as admit() does, if the input has
/// PriorityClasses but not the one that the pod names.
[[nodiscard]] auto check_class(const Pod& pod, const Objects& objects) -> Result<void>;

/// Returns true if the API server accepts no request for the resource without an equal limit: for extended resources
/// and huge pages. Kubernetes: pkg/apis/core/v1/helper/helpers.go IsOvercommitAllowed.
[[nodiscard]] auto needs_limit(std::string_view resource) -> bool;
/// Fails if a container requests such a resource without an equal limit.
/// Kubernetes: pkg/apis/core/validation/validation.go validateContainerResourceRequirements.
[[nodiscard]] auto check_limits(const Pod& pod, const Objects& objects) -> Result<void>;

/// The most similar class name, for "did you mean".
[[nodiscard]] auto nearest_class(std::string_view name, const Objects& objects) -> std::optional<std::string>;

/// Returns true if a container can request the resource. A name with a slash is an extended resource.
/// Kubernetes: pkg/apis/core/helper/helpers.go IsStandardContainerResourceName.
[[nodiscard]] auto is_container_resource(std::string_view name) -> bool;

}  // namespace previct
