#pragma once

#include "engine/engine.h"
#include "engine/kube/filter.h"

#include <string>
#include <vector>

namespace previct::kube {

/// The plugins that run at PostFilter and are modelled.
enum class PostFilter : std::uint8_t { dynamic_resources, default_preemption, preemption_toleration };

/// A filter plugin that a profile runs; upstream lets its two halves be turned off one by one.
struct EnabledFilter {
  const FilterInfo* info = nullptr;
  bool pre_filter = true;
  bool filter = true;
};

/// One scheduler profile: which plugins run, in which order, with which arguments.
struct Profile {
  std::string scheduler_name = "default-scheduler";
  std::vector<EnabledFilter> filters;  ///< in the order in which they run
  std::vector<PostFilter> post_filters = {PostFilter::dynamic_resources, PostFilter::default_preemption};
  FilterSettings settings;
  std::int64_t candidate_percentage = 10;  ///< minCandidateNodesPercentage
  std::int64_t candidate_absolute = 100;   ///< minCandidateNodesAbsolute
  std::vector<Gap> gaps;                   ///< what is configured but not modelled; what was assumed

  [[nodiscard]] auto tolerates() const -> bool;  ///< does PreemptionToleration run?

  /// The default profile; with `toleration`, PreemptionToleration stands in DefaultPreemption's place.
  [[nodiscard]] static auto standard(bool toleration) -> Profile;
};

/// Would kube-scheduler start with the configuration given? Warns of what it reads with a remark.
[[nodiscard]] auto check_profiles(const Snapshot& cluster, const Question& question) -> Result<void>;

/// The profile that serves a pod: from the KubeSchedulerConfiguration given, or the default one; then as
/// --toleration-plugin wants it. Empty: no profile has the pod's schedulerName, so this scheduler ignores it.
///
/// Errors: a configuration that kube-scheduler would refuse (unknown field, version, plugin name near a known one, two
/// profiles of one name), with its place.
/// Source: pkg/scheduler/framework/runtime framework.go getEndpoints and expandMultiPointPlugins; apis/config/v1
/// default_plugins.go mergePlugins; v1.35.
[[nodiscard]] auto profile_for(const Snapshot& cluster, const Pod& pod, const Question& question)
    -> Result<std::optional<Profile>>;

}  // namespace previct::kube
