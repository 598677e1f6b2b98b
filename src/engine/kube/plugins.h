#pragma once

#include "api/scheduler_config.h"
#include "engine/kube/release.h"
#include "engine/kube/requeue.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// kube-scheduler's plugins and extension points, and the merging of a profile's configuration with the defaults.
namespace previct::kube {

/// An extension point. Each is one bit of PluginInfo::points.
enum class Point : std::uint16_t {
  pre_enqueue = 1,
  queue_sort = 2,
  pre_filter = 4,
  filter = 8,
  post_filter = 16,
  pre_score = 32,
  score = 64,
  reserve = 128,
  permit = 256,
  pre_bind = 512,
  bind = 1024,
  post_bind = 2048
};

/// The names of an extension point, and the member of a profile's configuration that holds its plugins.
struct PointInfo {
  Point point;
  std::string_view field;      ///< `preFilter`, as in the configuration
  std::string_view interface;  ///< `PreFilterPlugin`, as in upstream's errors
  PluginSet ProfilePlugins::*set;
};
/// Returns the extension points in upstream's order (getExtensionPoints).
[[nodiscard]] auto points() -> std::span<const PointInfo>;
[[nodiscard]] auto info(Point point) -> const PointInfo&;

struct PluginInfo {
  /// Where the plugin is: in kube-scheduler, on by default or not; or in a published repository for custom builds.
  enum class Home : std::uint8_t { by_default, in_tree, published };

  std::string_view name;
  std::uint16_t points = 0;  ///< extension points that it implements
  Home home = Home::in_tree;
  std::int32_t weight = 1;     ///< default weight of its score
  std::string_view gate = {};  ///< without this feature gate it does nothing and is not a default
  /// The events that requeue a pod that it holds back or rejects. Null: its filter defines them, or it rejects no pods.
  auto(*events)(const Release& release) -> EventTable = nullptr;
  int scores_since = 0;  ///< the first minor release in which it scores, if not in all

  [[nodiscard]] auto implements(Point point) const -> bool { return (points & static_cast<std::uint16_t>(point)) != 0; }
  /// Like implements(), for this release.
  [[nodiscard]] auto runs_at(Point point, const Release& release) const -> bool {
    return implements(point) && (point != Point::score || release.minor() >= scores_since);
  }
  /// Returns true if a configuration may name it at this point. Since 1.37 some filters have a PreFilter that does
  /// nothing.
  [[nodiscard]] auto may_stand_at(Point point, const Release& release) const -> bool;
};
/// Returns the plugins of kube-scheduler and of kubernetes-sigs/scheduler-plugins; the defaults come first, in their
/// order.
/// Source: pkg/scheduler/apis/config/v1/default_plugins.go, framework/plugins/registry.go, v1.36.
[[nodiscard]] auto plugins() -> std::span<const PluginInfo>;
/// Returns null if there is no such plugin.
[[nodiscard]] auto find_plugin(std::string_view name) -> const PluginInfo*;

/// Returns the plugin names that neither kube-scheduler nor a published repository has, if the configuration is for a
/// custom build: it gives such a plugin arguments, names it at several points, or enables a plugin of a published
/// repository; or if `any_build` is set. Any other unknown name is a misspelling, and so is a name that is close to a
/// known one.
[[nodiscard]] auto own_plugins(const SchedulerConfig& config, bool any_build) -> std::vector<std::string>;

/// Returns true if the plugin does anything in this release, with its gates. An unknown plugin may do anything.
[[nodiscard]] auto works_in(const Release& release, std::string_view plugin) -> bool;

/// Returns the merged multiPoint of a profile: the defaults that it does not disable, then its own plugins.
/// Source: apis/config/v1/default_plugins.go mergePluginSet.
[[nodiscard]] auto merged_multi_point(const ProfilePlugins& profile, const Release& release) -> std::vector<PluginRef>;

/// Returns the plugins of one extension point, in the order in which they run. An unknown plugin counts at the points
/// that name it, but not through multiPoint.
/// Source: framework/runtime/framework.go updatePluginList and expandMultiPointPlugins, v1.35.
[[nodiscard]] auto plugins_at(const ProfilePlugins& profile, Point point, const Release& release)
    -> std::vector<std::string>;

}  // namespace previct::kube
