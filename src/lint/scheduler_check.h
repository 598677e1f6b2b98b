#pragma once

#include "base/diagnostics.h"
#include "lint/value.h"

#include <optional>
#include <vector>

namespace previct::lint {

/// Why kube-scheduler would not start with a KubeSchedulerConfiguration; none: it would. Plugins that a build of its
/// own seems to have (see foreign_plugins()) are passed over.
[[nodiscard]] auto fault_of_configuration(const Manifest& configuration) -> std::optional<Failure>;

/// Where the names of plugins first stand that a build of its own has: see kube::own_plugins().
[[nodiscard]] auto foreign_plugins(const Manifest& configuration) -> std::vector<Value>;

/// Where names first stand that are unknown and no slip, and that no such build explains.
[[nodiscard]] auto unknown_plugins(const Manifest& configuration) -> std::vector<Value>;

}  // namespace previct::lint
