#pragma once

#include <string>
#include <vector>

#include "engine/kube/filter.h"

namespace previct::kube {

/// The plugins that run at PostFilter and are modelled.
enum class PostFilter : std::uint8_t { dynamic_resources, default_preemption, preemption_toleration };

/// One scheduler profile: which plugins run, in which order, with which arguments.
struct Profile {
  std::string scheduler_name = "default-scheduler";
  std::vector<const FilterInfo*> filters;  ///< in the order in which they run
  std::vector<PostFilter> post_filters = {PostFilter::dynamic_resources, PostFilter::default_preemption};
  FilterSettings settings;
  std::int64_t candidate_percentage = 10;  ///< minCandidateNodesPercentage
  std::int64_t candidate_absolute = 100;   ///< minCandidateNodesAbsolute
  std::vector<std::string> unmodelled;     ///< plugins that are enabled and might change the answer

  [[nodiscard]] auto tolerates() const -> bool;  ///< does PreemptionToleration run?

  /// The default profile; with `toleration`, PreemptionToleration stands in DefaultPreemption's place.
  [[nodiscard]] static auto standard(bool toleration) -> Profile;
};

}  // namespace previct::kube
