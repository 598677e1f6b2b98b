#pragma once

#include "api/scheduler_arguments.h"
#include "engine/kube/configuration.h"

#include <vector>

namespace previct::kube {

/// The arguments of one profile's plugins that its decisions depend on; what a configuration leaves out has upstream's
/// default.
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

/// Would kube-scheduler start with this configuration? It judges all of it: every profile, the arguments of plugins
/// that do not run, fields that have nothing to do with preemption. If so, the arguments of each profile.
///
/// Errors: the first fault in upstream's order, with upstream's reason and the place of the field.
/// Source: pkg/scheduler/apis/config/validation ValidateKubeSchedulerConfiguration, validatePluginConfig;
/// framework/runtime/framework.go NewFramework; profile/profile.go; v1.35.
[[nodiscard]] auto validate(const Snapshot& cluster, const ReadConfiguration& configuration, Diagnostics& diagnostics)
    -> Result<std::vector<ProfileArguments>>;

/// The same of the arguments of one profile, `profiles[index]`; part of the above.
[[nodiscard]] auto read_arguments(const Snapshot& cluster, const ReadConfiguration& configuration, std::size_t index,
                                  Diagnostics& diagnostics) -> Result<ProfileArguments>;

/// `profiles[0].plugins: Invalid value: 3: must be …`, with its place.
[[nodiscard]] auto invalid(const ReadConfiguration& configuration, const std::string& path, const std::string& value,
                           std::string_view reason) -> tl::unexpected<Failure>;

/// Does the profile have the plugin at any point? Only then upstream makes it, and looks at arguments that it alone
/// understands.
[[nodiscard]] auto is_made(const ProfilePlugins& plugins, const Release& release, std::string_view name) -> bool;

/// Was the plugin removed from upstream? Its name is refused.
[[nodiscard]] auto is_gone(std::string_view plugin) -> bool;

/// `default-scheduler` where a profile has no name.
[[nodiscard]] auto name_of(const ProfileConfig& profile) -> std::string;

}  // namespace previct::kube
