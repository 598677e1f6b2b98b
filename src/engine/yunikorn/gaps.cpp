#include "base/text.h"
#include "engine/kube/claims.h"
#include "engine/yunikorn/account.h"
#include "engine/yunikorn/needs.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

using Kind = Gap::Kind;

void missing_kinds(const Snapshot& cluster, const Setup& setup, std::vector<Gap>& gaps) {
  const Objects& objects = cluster.objects();
  for (const std::string_view kind : {"Pod", "Node", "PriorityClass"})
    add_gaps(missing_kind(objects, kNeeds, kind), gaps);
  for (Gap& gap : gaps) {
    if (gap.what != "Node") continue;
    gap.decides = true;
    gap.because = "the input holds no nodes";
  }
  if (setup.origin != Setup::Origin::built_in) return;
  const std::vector<Gap> without_config = missing_kind(objects, kNeeds, "ConfigMap");
  add_gaps(without_config, gaps);
  if (without_config.empty()) {
    gaps.push_back(
        {Kind::assumption, "no yunikorn-configs: built-in configuration, one queue per namespace", "", false});
  }
}

/// Kinds that the filters of volumes read.
void missing_volumes(const Snapshot& cluster, PodId ask, std::vector<Gap>& gaps) {
  if (kube::claims_of(cluster, cluster.pod(ask)).empty()) return;
  for (const std::string_view kind : {"PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode"})
    add_gaps(missing_kind(cluster.objects(), kNeeds, kind), gaps);
}

/// The scheduler's memory, of which a dump has no trace.
void memory(const Assumptions& assumptions, std::vector<Gap>& gaps) {
  std::string marks = "no pod is marked as preempted or released";
  if (!assumptions.preempted.empty() || !assumptions.released.empty()) {
    marks = fmt::format("{} marked as preempted, {} as released",
                        counted(assumptions.preempted.size(), "pod is", "pods are"), assumptions.released.size());
  }
  gaps.push_back({Kind::assumption, marks + " (--assume: preempted, released)", "", false});
  gaps.push_back({Kind::assumption,
                  assumptions.ask_triggered ? "the pod has triggered preemption before (--assume: askTriggered)"
                                            : "the pod has not triggered preemption before (--assume: askTriggered)",
                  "", false});
  gaps.push_back({Kind::assumption, "no other pod holds a reservation, and only this pending pod asks", "", false});
}

/// Takes part in this very decision: the verdict says so.
void decides(std::string what, std::string weakens, Gap::Kind kind, std::vector<Gap>& gaps) {
  gaps.push_back({kind, std::move(what), std::move(weakens), true, true, {}});
}

void quota_preemption(const QueueTree& queues, std::vector<Gap>& gaps) {
  for (const QueueId id : queues.ids()) {
    const Queue& queue = queues[id];
    if (queue.dynamic || queue.policy.quota_preemption_delay <= 0 || !queue.max) continue;
    if (fits_where_limited(*queue.max, queue.allocated)) continue;
    return decides(fmt::format("quota preemption (queue {} uses more than its max)", queue.path),
                   "it loses pods once quota.preemption.delay has passed since its max was lowered", Kind::unmodelled,
                   gaps);
  }
}

/// Do groups of users decide anything: limits, access to queues, filters of placement rules?
auto asks_for_groups(const World& world) -> bool {
  const auto by_group = [](const Acl& acl) { return !acl.everybody && !acl.groups.empty(); };
  for (const QueueId id : world.queues().ids()) {
    if (by_group(world.queues()[id].submit) || by_group(world.queues()[id].admin)) return true;
  }
  for (const RuleChain& chain : world.config().rules) {
    for (const RuleConfig& rule : chain) {
      if (!rule.filter_groups.empty()) return true;
    }
  }
  return world.limits().has_groups();
}

void groups_of_users(const World& world, std::vector<Gap>& gaps) {
  const std::string& resolver = world.config().user_group_resolver.value;
  const bool looked_up = resolver == "os" || resolver == "ldap" || resolver == "test";
  if (!looked_up || !asks_for_groups(world)) return;
  const bool unnoted = std::any_of(world.apps().begin(), world.apps().end(),
                                   [](const Application& app) { return !app.user.groups_noted; });
  if (!unnoted) return;
  decides(fmt::format("the groups of users whom \"{}\" resolves", resolver),
          "users without noted groups are taken to be in the group of their own name", Kind::unmodelled, gaps);
}

/// Places of gangs are asked for by the shim at one stage only, and the pods they are held for at another.
void gang_stages(const World& world, PodId ask, std::vector<Gap>& gaps) {
  const Application& app = world.app(world.app_of(ask));
  const bool gang = !without_zeros(app.gang).empty();
  if (!world.holds_place(ask)) {
    if (gang && !app.running) {
      decides("the pod is held back until all places of its gang are allocated, and those are asked for first",
              "this is the scheduler's answer for the pod by itself", Kind::assumption, gaps);
    }
  } else if (app.regular || !gang) {
    decides("the pod holds a place for a gang that is past asking for places",
            "this is the scheduler's answer if it is asked all the same", Kind::assumption, gaps);
  }
}

}  // namespace

auto gaps_of(const Snapshot& cluster, const Setup& setup, const World* world, PodId ask) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  missing_kinds(cluster, setup, gaps);
  memory(setup.assumptions, gaps);
  if (world == nullptr) {
    gaps.push_back({Kind::assumption,
                    "no release ever had this algorithm; its settings are those of --assume or previct's own", "",
                    false});
    return gaps;
  }
  if (ask) missing_volumes(cluster, ask, gaps);
  if (ask && !cluster.pod(ask).spec.resource_claims.empty()) {
    decides("DynamicResources", "YuniKorn 1.9 has no manager of resource claims to ask", Kind::unmodelled, gaps);
  }
  if (ask && cluster.pod(ask).meta.deleting) {
    gaps.push_back(
        {Kind::assumption, "the pod is being deleted; YuniKorn asks for it as long as it is there", "", false});
  }
  if (setup.partition().quota_preemption_enabled) quota_preemption(world->queues(), gaps);
  groups_of_users(*world, gaps);
  if (ask && world->known(ask)) gang_stages(*world, ask, gaps);
  if (world->unmodelled_filter()) {
    decides("a regular expression in the filter of a placement rule", "it is taken to match nobody", Kind::unmodelled,
            gaps);
  }
  const bool tied = !ask && std::any_of(world->apps().begin(), world->apps().end(),
                                        [](const Application& app) { return !app.as_old.empty(); });
  if (tied) {
    gaps.push_back({Kind::assumption,
                    "where the oldest pods of an application are equally old, the first in the input is its originator",
                    "", true});
  }
  return gaps;
}

}  // namespace previct::yunikorn
