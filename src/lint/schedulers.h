#pragma once

#include "engine/kube/plugin_names.h"
#include "lint/repository.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// A profile of a KubeSchedulerConfiguration.
struct SchedulerProfile {
  Value profile;
  std::string name;  ///< `default-scheduler` if it has none

  /// Returns true if `plugin` runs at PostFilter. `by_default`: it is one of upstream's default plugins.
  /// Source: kubernetes pkg/scheduler/framework/runtime/framework.go expandMultiPointPlugins.
  [[nodiscard]] auto runs_post_filter(std::string_view plugin, bool by_default) const -> bool;
  [[nodiscard]] auto runs_default_preemption() const -> bool {
    return runs_post_filter(kube::kDefaultPreemption, true);
  }
  [[nodiscard]] auto runs_toleration() const -> bool { return runs_post_filter(kube::kPreemptionToleration, false); }
  /// Returns true if a plugin that is not upstream's is enabled at Filter or at MultiPoint; its checks are unknown.
  [[nodiscard]] auto has_foreign_filter() const -> bool;
  /// The entry of `plugin` in `plugins.<point>.<list>` (`enabled`, `disabled`).
  [[nodiscard]] auto entry(std::string_view point, std::string_view list, std::string_view plugin) const -> Value;
};

/// The profiles of all configurations in the input. A configuration without profiles has one default profile, whose
/// `profile` is the configuration itself.
[[nodiscard]] auto scheduler_profiles(const Repository& repository) -> std::vector<SchedulerProfile>;

}  // namespace previct::lint
