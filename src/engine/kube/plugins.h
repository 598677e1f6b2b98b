#pragma once

#include "api/scheduler_config.h"
#include "engine/kube/release.h"
#include "engine/kube/requeue.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// kube-scheduler's plugins and extension points, and how a profile's configuration is merged with the defaults.
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

/// One extension point: its names, and where a profile's configuration has its plugins.
struct PointInfo {
  Point point;
  std::string_view field;      ///< `preFilter`, of the configuration
  std::string_view interface;  ///< `PreFilterPlugin`, in upstream's errors
  PluginSet ProfilePlugins::*set;
};
/// In upstream's order (getExtensionPoints).
[[nodiscard]] auto points() -> std::span<const PointInfo>;
[[nodiscard]] auto info(Point point) -> const PointInfo&;

struct PluginInfo {
  /// In kube-scheduler itself, on by default or not; in a published repository of plugins that one builds in.
  enum class Home : std::uint8_t { by_default, in_tree, published };

  std::string_view name;
  std::uint16_t points = 0;  ///< that it implements
  Home home = Home::in_tree;
  std::int32_t weight = 1;     ///< of its score, by default
  std::string_view gate = {};  ///< without which it does nothing, and is no default
  /// When a pod that it holds back or rejects is tried again. Null: its filter says so, or it rejects no pods.
  auto(*events)(const Release& release) -> EventTable = nullptr;
  int scores_since = 0;  ///< the first minor release in which it scores, if not in all

  [[nodiscard]] auto implements(Point point) const -> bool { return (points & static_cast<std::uint16_t>(point)) != 0; }
  /// The same in this release.
  [[nodiscard]] auto runs_at(Point point, const Release& release) const -> bool {
    return implements(point) && (point != Point::score || release.minor() >= scores_since);
  }
  /// May a configuration name it at this point? Since 1.37 some filters have a PreFilter that decides nothing.
  [[nodiscard]] auto may_stand_at(Point point, const Release& release) const -> bool;
};
/// Those of kube-scheduler and of kubernetes-sigs/scheduler-plugins; the defaults come first, in their order.
/// Source: pkg/scheduler/apis/config/v1/default_plugins.go, framework/plugins/registry.go, v1.36.
[[nodiscard]] auto plugins() -> std::span<const PluginInfo>;
/// Null if there is none of that name.
[[nodiscard]] auto find_plugin(std::string_view name) -> const PluginInfo*;

/// Names of plugins that neither kube-scheduler nor a published repository has, where a configuration is for a build of
/// its own: it gives such a plugin arguments, names it at several points, or enables one of a published repository; or
/// with `any_build` whatever it says. Any other unknown name is a slip, and so is one that is close to a known name.
[[nodiscard]] auto own_plugins(const SchedulerConfig& config, bool any_build) -> std::vector<std::string>;

/// Does it do anything in this release, with its gates? What nobody knows may do anything.
[[nodiscard]] auto works_in(const Release& release, std::string_view plugin) -> bool;

/// multiPoint as a profile leaves it: the defaults without those disabled, then the profile's own.
/// Source: apis/config/v1/default_plugins.go mergePluginSet.
[[nodiscard]] auto merged_multi_point(const ProfilePlugins& profile, const Release& release) -> std::vector<PluginRef>;

/// The plugins of one extension point, in the order in which they run. A name that nothing knows counts as a plugin of
/// that point where the point itself names it, and of none where multiPoint does.
/// Source: framework/runtime/framework.go updatePluginList and expandMultiPointPlugins, v1.35.
[[nodiscard]] auto plugins_at(const ProfilePlugins& profile, Point point, const Release& release)
    -> std::vector<std::string>;

}  // namespace previct::kube
