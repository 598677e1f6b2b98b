#pragma once

#include "api/kueue_config.h"
#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/kueue/settings.h"

#include <map>
#include <string_view>

namespace previct::kueue {

/// Returns an error if Kueue's controller does not start with the Configuration. Checks the fields that are read here.
/// `settings`: with the release and the feature gates. `at`: the object or file that has the Configuration.
/// Source: kubernetes-sigs/kueue v0.17.0, v0.19.0 and v0.19.2 pkg/config/validation.go Validate, after the defaults of
/// apis/config/v1beta1/defaults.go and apis/config/v1beta2/defaults.go.
[[nodiscard]] auto check_configuration(const Configuration& read, const Settings& settings, const Snapshot& cluster,
                                       Place at) -> Result<void>;

/// The feature gates that the controller's flags or its Configuration set.
using GivenGates = std::map<std::string_view, bool>;

/// Returns an error if Kueue's controller does not start because an enabled feature gate requires another one.
/// Source: pkg/config/validation.go LoadAndValidateFeatureGates, ValidateFeatureGates (v0.17.0),
/// validateDRAFeatureGateDependencies; pkg/features/kube_features.go.
[[nodiscard]] auto check_gates(const GivenGates& given, Release release, Place at) -> Result<void>;

}  // namespace previct::kueue
