#pragma once

#include <string_view>

/// Names of plugins, as configurations and messages write them, for code that treats one plugin differently from
/// others. Source: kubernetes: pkg/scheduler/framework/plugins/names/names.go; KEP-205 for PreemptionToleration.
namespace previct::kube {

inline constexpr std::string_view kDefaultPreemption = "DefaultPreemption";
inline constexpr std::string_view kDynamicResources = "DynamicResources";
inline constexpr std::string_view kGangScheduling = "GangScheduling";
inline constexpr std::string_view kPreemptionToleration = "PreemptionToleration";

}  // namespace previct::kube
