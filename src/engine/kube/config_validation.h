#pragma once

#include "api/scheduler_arguments.h"
#include "engine/kube/configuration.h"

#include <vector>

namespace previct::kube {

/// The arguments of one profile's plugins that affect its decisions, with upstream's defaults for missing ones.
struct ProfileArguments {
  PreemptionArgs default_preemption;
  PreemptionArgs preemption_toleration;
  NodeAffinityArgs node_affinity;
  NodeResourcesFitArgs node_resources_fit;
  PodTopologySpreadArgs pod_topology_spread;
  InterPodAffinityArgs inter_pod_affinity;
  BalancedAllocationArgs balanced_allocation;
  VolumeBindingArgs volume_binding;
  DynamicResourcesArgs dynamic_resources;
};

/// Checks that kube-scheduler would start with this configuration, and returns the arguments of each profile. Like
/// upstream, it checks everything: every profile, the arguments of plugins that do not run, fields unrelated to
/// preemption.
///
/// Errors: the first fault in upstream's order, with upstream's reason and the place of the field.
/// Source: pkg/scheduler/apis/config/validation ValidateKubeSchedulerConfiguration, validatePluginConfig;
/// framework/runtime/framework.go NewFramework; profile/profile.go; v1.35.
[[nodiscard]] auto validate(const Snapshot& cluster, const ReadConfiguration& configuration, Diagnostics& diagnostics)
    -> Result<std::vector<ProfileArguments>>;

/// Reads and checks the arguments of one profile, `profiles[index]`; part of the above.
[[nodiscard]] auto read_arguments(const Snapshot& cluster, const ReadConfiguration& configuration, std::size_t index,
                                  Diagnostics& diagnostics) -> Result<ProfileArguments>;

/// Returns the error `profiles[0].plugins: Invalid value: 3: must be …`, with its place.
[[nodiscard]] auto invalid(const ReadConfiguration& configuration, const std::string& path, const std::string& value,
                           std::string_view reason) -> tl::unexpected<Failure>;

/// Returns true if the profile has the plugin at any extension point. Only then does upstream create the plugin, which
/// checks the arguments that it alone understands.
[[nodiscard]] auto is_made(const ProfilePlugins& plugins, const Release& release, std::string_view name) -> bool;

/// Returns true if upstream has removed the plugin; its name is refused.
[[nodiscard]] auto is_gone(std::string_view plugin) -> bool;

/// Returns the schedulerName of the profile, or `default-scheduler` if it has none.
[[nodiscard]] auto name_of(const ProfileConfig& profile) -> std::string;

}  // namespace previct::kube
