#include "base/contains.h"
#include "base/text.h"
#include "engine/kube/claims.h"
#include "engine/kube/plugin_names.h"
#include "engine/yunikorn/account.h"
#include "engine/yunikorn/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace previct::yunikorn {
namespace {

/// Returns true if a pod requests a queue: the built-in configuration ignores that.
auto asks_for_queues(const Snapshot& cluster, const Release& release) -> bool {
  const Keys keys(cluster, release);
  return std::any_of(cluster.pods().begin(), cluster.pods().end(), [&](const Pod& pod) {
    return is_ours(keys, pod) && !requested_queue(cluster, keys, pod).empty();
  });
}

/// Returns true if the input has no ConfigMap of the namespace in which YuniKorn runs, only of others.
auto may_lack_config_maps(const Snapshot& cluster) -> bool {
  const std::set<std::string_view> runs_in = scheduler_namespaces(cluster);
  const auto& maps = cluster.objects().config_maps;
  return !maps.empty() && std::none_of(maps.begin(), maps.end(), [&](const ConfigMap& map) {
    return contains(kYunikornConfigMaps, cluster.text(map.meta.name)) || runs_in.contains(cluster.text(map.meta.ns));
  });
}

void missing_kinds(const Snapshot& cluster, const Setup& setup, bool by_design, std::vector<Gap>& gaps) {
  const Objects& objects = cluster.objects();
  for (const std::string_view kind : {"Pod", "Node", "PriorityClass"})
    add_gaps(missing_kind(objects, kNeeds, kind), gaps);
  make_missing_nodes_decisive(gaps);
  add_gaps(setup.gaps, gaps);
  if (setup.origin != Setup::Origin::built_in || !setup.gaps.empty()) return;
  std::vector<Gap> without_config = missing_kind(objects, kNeeds, "ConfigMap");
  // A dump of a real cluster without ConfigMaps: nearly all clusters configure their own queues.
  const auto used = [](const Node& node) { return node.status.has_been_used(); };
  const bool real = std::any_of(cluster.nodes().begin(), cluster.nodes().end(), used);
  for (Gap& gap : without_config) gap.decides = real || (!by_design && asks_for_queues(cluster, setup.running.release));
  add_gaps(without_config, gaps);
  if (!without_config.empty()) return;
  const bool decides = !by_design && may_lack_config_maps(cluster) && asks_for_queues(cluster, setup.running.release);
  gaps.push_back({GapRule::yunikorn_built_in_queues, {}, decides});
}

/// Kinds that the volume filters read.
void missing_volumes(const Snapshot& cluster, PodId ask, std::vector<Gap>& gaps) {
  if (kube::claims_of(cluster, cluster.pod(ask)).empty()) return;
  for (const std::string_view kind : {"PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode"})
    add_gaps(missing_kind(cluster.objects(), kNeeds, kind), gaps);
}

/// The state in the scheduler's memory, of which a dump has no trace.
void memory(const Assumptions& assumptions, std::vector<Gap>& gaps) {
  if (assumptions.preempted.empty() && assumptions.released.empty()) {
    gaps.push_back({GapRule::yunikorn_nothing_marked});
  } else {
    gaps.push_back({GapRule::yunikorn_marked,
                    {std::to_string(assumptions.preempted.size()), std::to_string(assumptions.released.size())}});
  }
  gaps.push_back({assumptions.ask_triggered ? GapRule::yunikorn_triggered : GapRule::yunikorn_not_triggered});
  gaps.push_back({GapRule::yunikorn_no_reservations});
}

/// When a core of release 1.5 starts, it adds running pods to their node one by one, and omits those that no longer
/// fit; which ones depends on the order in which it receives them.
void overfull_nodes(const PartitionContext& core, PodId ask, std::vector<Gap>& gaps) {
  const Release& release = core.keys().release;
  if (release.has(Change::full_nodes_keep_their_pods)) return;
  const Symbol required = ask && core.known(ask) ? core.allocation(ask).required_node : Symbol();
  for (const NodeId node : core.cluster().nodes().ids()) {
    if (required && core.cluster().node(node).meta.name != required) continue;
    const NodeUsage room = core.room(node);
    if (room.allocated.empty() || at_least(room.total, room.allocated + room.occupied)) continue;
    gaps.push_back({GapRule::yunikorn_overfull_node,
                    {std::string(core.cluster().name(node)), "1." + std::to_string(release.minor())},
                    true});
    return;
  }
}

/// Returns true if groups of users affect any decision: limits, queue ACLs, filters of placement rules.
auto asks_for_groups(const PartitionContext& core) -> bool {
  const auto by_group = [](const Acl& acl) { return !acl.everybody && !acl.groups.empty(); };
  for (const QueueId id : core.queues().ids()) {
    if (by_group(core.queues()[id].submit) || by_group(core.queues()[id].admin)) return true;
  }
  for (const RuleChain& chain : core.config().rules) {
    for (const RuleConfig& rule : chain) {
      if (!rule.filter_groups.empty()) return true;
    }
  }
  return core.limits().has_groups();
}

/// The scheduler caches the groups of a user for five minutes: an application without an annotation for them gets those
/// of another application of that user from shortly before.
/// Source: apache/yunikorn-core 1.9 pkg/common/security/usergroup.go ConvertUGI, GetUserGroup.
void remembered_groups(const PartitionContext& core, std::vector<Gap>& gaps) {
  if (!asks_for_groups(core)) return;
  for (const Application& app : core.apps()) {
    if (app.user.groups_noted) continue;
    const bool noted = std::any_of(core.apps().begin(), core.apps().end(), [&](const Application& other) {
      return other.user.groups_noted && other.user.name == app.user.name;
    });
    if (!noted) continue;
    gaps.push_back({GapRule::yunikorn_groups_noted, {app.user.name}, true});
    return;
  }
}

void groups_of_users(const PartitionContext& core, std::vector<Gap>& gaps) {
  const std::string& resolver = core.config().user_group_resolver.value;
  const bool looked_up = resolver == "os" || resolver == "ldap" || resolver == "test";
  if (!looked_up || !asks_for_groups(core)) return;
  const bool unnoted = std::any_of(core.apps().begin(), core.apps().end(),
                                   [](const Application& app) { return !app.user.groups_noted; });
  if (!unnoted) return;
  gaps.push_back({GapRule::yunikorn_groups_of_users, {resolver}, true});
}

/// The admission controller annotates a pod with its creator; a pod that does not exist yet has no annotation.
/// Source: apache/yunikorn-k8shim 1.9 pkg/common/utils/utils.go GetUserFromPod, DefaultUser.
void user_not_noted(const Snapshot& cluster, const PartitionContext& core, PodId ask, std::vector<Gap>& gaps) {
  const Pod& pod = cluster.pod(ask);
  const Application& app = core.app(core.app_of(ask));
  const Symbol note = cluster.symbol("yunikorn.apache.org/user.info");
  const Symbol label = cluster.symbol("yunikorn.apache.org/username");
  const bool noted = (note && pod.meta.annotations.has(note)) || (label && pod.meta.labels.has(label));
  if (pod.meta.uid || noted || app.refusal.empty()) return;
  gaps.push_back(
      {GapRule::yunikorn_user_not_noted, {"pods without yunikorn.apache.org/user.info", app.user.name}, true});
}

/// The shim submits placeholders of gangs in one stage only, and the pods that replace them in another.
void gang_stages(const PartitionContext& core, PodId ask, std::vector<Gap>& gaps) {
  const Application& app = core.app(core.app_of(ask));
  const bool gang = !without_zeros(app.gang).empty();
  if (!core.holds_place(ask)) {
    if (gang && !app.running) gaps.push_back({GapRule::yunikorn_held_for_gang, {}, true});
  } else if (app.regular || !gang) {
    gaps.push_back({GapRule::yunikorn_place_too_late, {}, true});
  }
}

}  // namespace

void doubt_for_quota(const PartitionContext& core, const QuotaPreemption& one, std::vector<Gap>& gaps) {
  gaps.push_back({GapRule::yunikorn_quota_preemption, {core.queues()[one.queue].path}});
  // Only the role of the originator is drawn, not the queue that another creator would choose.
  const bool known =
      std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::yunikorn_originators; });
  if (!known && creators_differ(core)) gaps.push_back({GapRule::yunikorn_originators});
}

auto unknown_queues(const Snapshot& cluster, const Setup& setup) -> std::optional<Gap> {
  std::vector<Gap> gaps;
  missing_kinds(cluster, setup, false, gaps);
  const Gap* const deciding = deciding_gap(gaps);
  return deciding == nullptr ? std::nullopt : std::optional(*deciding);
}

auto gaps_of(const Snapshot& cluster, const Setup& setup, const PartitionContext* core, PodId ask) -> std::vector<Gap> {
  std::vector<Gap> gaps = core == nullptr ? std::vector<Gap>() : setup.running.gaps;
  missing_kinds(cluster, setup, core == nullptr, gaps);
  memory(setup.assumptions, gaps);
  if (core == nullptr) {
    gaps.push_back({GapRule::yunikorn_design});
    return gaps;
  }
  if (ask) missing_volumes(cluster, ask, gaps);
  if (ask && !cluster.pod(ask).spec.resource_claims.empty()) {
    gaps.push_back({GapRule::yunikorn_claims, {std::string(kube::kDynamicResources)}, true});
  }
  if (ask && cluster.pod(ask).meta.deleting) gaps.push_back({GapRule::yunikorn_deleting});
  overfull_nodes(*core, ask, gaps);
  groups_of_users(*core, gaps);
  remembered_groups(*core, gaps);
  if (ask && core->known(ask)) gang_stages(*core, ask, gaps);
  if (ask && core->app_of(ask)) user_not_noted(cluster, *core, ask, gaps);
  if (!core->unread_tag().empty()) gaps.push_back({GapRule::yunikorn_unread_tag, {core->unread_tag()}, true});
  if (!core->unread_pattern().empty()) {
    gaps.push_back({GapRule::yunikorn_filter_pattern, {core->unread_pattern()}, true});
  }
  const bool tied = !ask && std::any_of(core->apps().begin(), core->apps().end(),
                                        [](const Application& app) { return !app.as_old.empty(); });
  if (tied) {
    gaps.push_back({GapRule::yunikorn_originators});
  }
  return gaps;
}

}  // namespace previct::yunikorn
