#pragma once

#include "base/diagnostics.h"
#include "lint/value.h"

#include <optional>
#include <vector>

namespace previct::lint {

/// Why kube-scheduler would not start with a KubeSchedulerConfiguration; nullopt: it would. Plugins that a custom build
/// seems to have (see foreign_plugins()) are accepted.
[[nodiscard]] auto fault_of_configuration(const Manifest& configuration) -> std::optional<Failure>;

/// The first occurrences of plugins that a custom build has: see kube::own_plugins().
[[nodiscard]] auto foreign_plugins(const Manifest& configuration) -> std::vector<Value>;

/// The first occurrences of unknown plugins that are neither misspelled nor explained by a custom build.
[[nodiscard]] auto unknown_plugins(const Manifest& configuration) -> std::vector<Value>;

}  // namespace previct::lint
