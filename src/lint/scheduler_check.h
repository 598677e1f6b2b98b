#pragma once

#include "base/diagnostics.h"
#include "lint/value.h"

#include <optional>
#include <vector>

namespace previct::lint {

/// Why kube-scheduler would not start with a KubeSchedulerConfiguration; none: it would. Plugins that a build of its
/// own seems to have (see foreign_plugins()) are passed over.
[[nodiscard]] auto fault_of_configuration(const Manifest& configuration) -> std::optional<Failure>;

/// Names of plugins that kube-scheduler does not have and that no published repository has, where the configuration
/// is for a build of its own: it gives such a plugin arguments, or enables one of a published repository. Any other
/// unknown name is a slip.
[[nodiscard]] auto foreign_plugins(const Manifest& configuration) -> std::vector<Value>;

}  // namespace previct::lint
