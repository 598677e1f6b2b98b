#include "engine/kube/plugins.h"

#include "base/contains.h"
#include "base/text.h"
#include "engine/kube/groups/group.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace previct::kube {
namespace {

using Names = std::vector<std::string>;
using enum PluginInfo::Home;

constexpr std::array kPoints = {
    PointInfo{Point::pre_filter, "preFilter", "PreFilterPlugin", &ProfilePlugins::pre_filter},
    PointInfo{Point::filter, "filter", "FilterPlugin", &ProfilePlugins::filter},
    PointInfo{Point::post_filter, "postFilter", "PostFilterPlugin", &ProfilePlugins::post_filter},
    PointInfo{Point::reserve, "reserve", "ReservePlugin", &ProfilePlugins::reserve},
    PointInfo{Point::pre_score, "preScore", "PreScorePlugin", &ProfilePlugins::pre_score},
    PointInfo{Point::score, "score", "ScorePlugin", &ProfilePlugins::score},
    PointInfo{Point::pre_bind, "preBind", "PreBindPlugin", &ProfilePlugins::pre_bind},
    PointInfo{Point::bind, "bind", "BindPlugin", &ProfilePlugins::bind},
    PointInfo{Point::post_bind, "postBind", "PostBindPlugin", &ProfilePlugins::post_bind},
    PointInfo{Point::permit, "permit", "PermitPlugin", &ProfilePlugins::permit},
    PointInfo{Point::pre_enqueue, "preEnqueue", "PreEnqueuePlugin", &ProfilePlugins::pre_enqueue},
    PointInfo{Point::queue_sort, "queueSort", "QueueSortPlugin", &ProfilePlugins::queue_sort}};

constexpr auto at(std::initializer_list<Point> points) -> std::uint16_t {
  std::uint16_t bits = 0;
  for (const Point point : points) bits = static_cast<std::uint16_t>(bits | static_cast<std::uint16_t>(point));
  return bits;
}
using enum Point;

constexpr std::uint16_t kFilters = at({pre_filter, filter});
constexpr std::uint16_t kScores = at({pre_score, score});

// Events of plugins without a filter.
auto events_of_scheduling_gates(const Release& release) -> EventTable {
  if (!release.has(Change::queueing_hints)) return {};
  return {{target_pod(release), action::kPodGatesEliminated}};
}
// Upstream, NodeName has a filter, which passes every pod that is not on a node.
auto events_of_node_name(const Release& release) -> EventTable {
  return {{Resource::node, new_nodes(release)}};
}
// A pod whose preemption is in progress gets the event that another pod has left its node, but that is no reason to try
// it; the end of its preemption is.
// Source: defaultpreemption/default_preemption.go isPodSchedulableAfterPodDeletion.
auto events_of_default_preemption(const Release& release) -> EventTable {
  const bool hears = release.has(Change::asynchronous_preemption) && release.has(Change::held_pods_hear_one_plugin);
  if (!hears) return {};
  return {{assigned_pods(release), action::kDelete, [](const RejectedPod&, const ClusterEvent&) { return false; }}};
}

constexpr std::array kPlugins = {
    PluginInfo{"SchedulingGates", at({pre_enqueue}), by_default, 1, "", events_of_scheduling_gates},
    PluginInfo{"PrioritySort", at({queue_sort}), by_default}, PluginInfo{"NodeUnschedulable", at({filter}), by_default},
    PluginInfo{"NodeName", at({filter}), by_default, 1, "", events_of_node_name},
    PluginInfo{"TaintToleration", at({filter}) | kScores, by_default, 3},
    PluginInfo{"NodeAffinity", kFilters | kScores, by_default, 2}, PluginInfo{"NodePorts", kFilters, by_default},
    PluginInfo{"NodeResourcesFit", kFilters | kScores, by_default},
    PluginInfo{"VolumeRestrictions", kFilters, by_default}, PluginInfo{"NodeVolumeLimits", kFilters, by_default},
    PluginInfo{"VolumeBinding", kFilters | kScores | at({reserve, pre_bind}), by_default},
    PluginInfo{"VolumeZone", kFilters, by_default}, PluginInfo{"PodTopologySpread", kFilters | kScores, by_default, 2},
    PluginInfo{"InterPodAffinity", kFilters | kScores, by_default, 2},
    PluginInfo{"DynamicResources", kFilters | at({pre_enqueue, post_filter, score, reserve, pre_bind}), by_default, 2,
               "DynamicResourceAllocation", nullptr, 35},
    PluginInfo{"DefaultPreemption", at({post_filter, pre_enqueue}), by_default, 1, "", events_of_default_preemption},
    PluginInfo{"NodeResourcesBalancedAllocation", kScores, by_default},
    PluginInfo{"ImageLocality", at({score}), by_default}, PluginInfo{"DefaultBinder", at({bind}), by_default},
    PluginInfo{"NodeDeclaredFeatures", kFilters, by_default, 1, "NodeDeclaredFeatures"},
    PluginInfo{"GangScheduling", at({pre_enqueue, reserve, permit}), by_default, 1, "GangScheduling", events_of_gangs},

    PluginInfo{"PreemptionToleration", at({post_filter}), published},
    PluginInfo{"CapacityScheduling", at({pre_filter, post_filter, reserve}), published},
    PluginInfo{"Coscheduling", at({queue_sort, pre_filter, post_filter, permit, reserve}), published},
    PluginInfo{"CrossNodePreemption", at({post_filter}), published},
    PluginInfo{"LoadVariationRiskBalancing", at({score}), published},
    PluginInfo{"LowRiskOverCommitment", kScores, published},
    PluginInfo{"NetworkOverhead", kFilters | at({score}), published},
    PluginInfo{"NodeMetadata", at({score}), published},
    PluginInfo{"NodeResourceTopologyMatch", kFilters | at({score, reserve, post_bind}), published},
    PluginInfo{"NodeResourcesAllocatable", at({score}), published}, PluginInfo{"Peaks", at({score}), published},
    PluginInfo{"PodState", at({score}), published}, PluginInfo{"QOSSort", at({queue_sort}), published},
    PluginInfo{"SySched", at({score}), published}, PluginInfo{"TargetLoadPacking", at({score}), published},
    PluginInfo{"TopologicalSort", at({queue_sort}), published},
    // From other repositories: koordinator, and what scheduler-plugins no longer has.
    PluginInfo{"ElasticQuota", at({pre_filter, post_filter, reserve}), published},
    PluginInfo{"LoadAwareScheduling", at({filter, score, reserve}), published},
    PluginInfo{"NodeNUMAResource", kFilters | at({score, reserve, pre_bind}), published},
    PluginInfo{"DeviceShare", kFilters | at({score, reserve, pre_bind}), published},
    PluginInfo{"Reservation", kFilters | kScores | at({post_filter, reserve, pre_bind, bind}), published},
    PluginInfo{"SchedulingHint", at({pre_filter}), published}, PluginInfo{"DefaultPreBind", at({pre_bind}), published},
    PluginInfo{"NodeResourcesFitPlus", at({score}), published},
    PluginInfo{"ScarceResourceAvoidance", at({score}), published},
    // The sample plugin of the scheduler simulator.
    PluginInfo{"NodeNumber", kScores | at({permit}), published}};

auto names_of(const std::vector<PluginRef>& refs) -> Names {
  Names names;
  for (const PluginRef& ref : refs) names.push_back(ref.name);
  return names;
}

}  // namespace

auto PluginInfo::may_stand_at(Point point, const Release& release) const -> bool {
  if (runs_at(point, release)) return true;
  constexpr std::array<std::string_view, 3> kIdlePreFilters = {"NodeName", "NodeUnschedulable", "TaintToleration"};
  return point == Point::pre_filter && release.minor() >= 37 && contains(kIdlePreFilters, name);
}

auto points() -> std::span<const PointInfo> {
  return kPoints;
}

auto info(Point point) -> const PointInfo& {
  return *std::find_if(kPoints.begin(), kPoints.end(), [&](const PointInfo& p) { return p.point == point; });
}

auto plugins() -> std::span<const PluginInfo> {
  return kPlugins;
}

auto find_plugin(std::string_view name) -> const PluginInfo* {
  const auto found =
      std::find_if(kPlugins.begin(), kPlugins.end(), [&](const PluginInfo& p) { return p.name == name; });
  return found == kPlugins.end() ? nullptr : &*found;
}

auto own_plugins(const SchedulerConfig& config, bool any_build) -> std::vector<std::string> {
  std::vector<std::string> known;
  for (const PluginInfo& plugin : kPlugins) known.emplace_back(plugin.name);
  const auto is_slip = [&](const std::string& name) {
    return name.empty() || name == "*" || nearest(name, known).has_value();
  };
  std::map<std::string, std::set<const void*>> at_points;  // names that are not misspellings
  bool own_build = any_build;
  const auto take = [&](const PluginSet& set) {
    for (const PluginRef& ref : set.enabled) {
      const PluginInfo* plugin = find_plugin(ref.name);
      own_build = own_build || (plugin != nullptr && plugin->home == published);
      if (plugin == nullptr && !is_slip(ref.name)) at_points[ref.name].insert(&set);
    }
  };
  for (const ProfileConfig& profile : config.profiles) {
    take(profile.plugins.multi_point);
    for (const PointInfo& point : kPoints) take(profile.plugins.*point.set);
    for (const PluginConfig& arguments : profile.plugin_config)
      own_build = own_build || (find_plugin(arguments.name) == nullptr && !is_slip(arguments.name));
  }
  Names own;
  for (const auto& [name, places] : at_points) {
    own_build = own_build || places.size() > 1;
    own.push_back(name);
  }
  if (!own_build) own.clear();
  return own;
}

auto works_in(const Release& release, std::string_view plugin) -> bool {
  const PluginInfo* info = find_plugin(plugin);
  const Gate* gate = info == nullptr ? nullptr : find_gate(info->gate);
  return gate == nullptr || release.is_on(*gate);
}

auto merged_multi_point(const ProfilePlugins& profile, const Release& release) -> std::vector<PluginRef> {
  const std::vector<PluginRef>& own = profile.multi_point.enabled;
  const Names off = names_of(profile.multi_point.disabled);
  std::vector<PluginRef> merged;
  std::vector<char> placed(own.size(), 0);
  if (!contains(off, "*")) {
    for (const PluginInfo& plugin : kPlugins) {
      if (plugin.home != by_default || contains(off, plugin.name) || !works_in(release, plugin.name)) continue;
      merged.push_back({std::string(plugin.name), plugin.weight});
      // A default plugin that is named again keeps its position; if it is named several times, the last one applies.
      for (std::size_t i = own.size(); i-- > 0;) {
        if (own[i].name != plugin.name) continue;
        merged.back() = own[i];
        placed[i] = 1;
        break;
      }
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (placed[i] == 0) merged.push_back(own[i]);
  }
  return merged;
}

auto plugins_at(const ProfilePlugins& profile, Point point, const Release& release) -> Names {
  const PluginSet& set = profile.*info(point).set;
  Names here = names_of(set.enabled);
  const Names off = names_of(set.disabled);
  if (contains(off, "*")) return here;
  Names overridden;  // in multiPoint and also at the point itself: first, in the order of the point
  Names expanded;
  for (const PluginRef& ref : merged_multi_point(profile, release)) {
    const PluginInfo* plugin = find_plugin(ref.name);
    if (plugin == nullptr || !plugin->runs_at(point, release) || contains(off, ref.name)) continue;
    Names& list = contains(here, ref.name) ? overridden : expanded;
    if (!contains(list, ref.name)) list.push_back(ref.name);
  }
  Names result;
  for (const std::string& name : here) {
    if (contains(overridden, name)) result.push_back(name);
  }
  result.insert(result.end(), expanded.begin(), expanded.end());
  for (const std::string& name : here) {
    if (!contains(overridden, name)) result.push_back(name);
  }
  return result;
}

}  // namespace previct::kube
