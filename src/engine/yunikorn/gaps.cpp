#include "base/text.h"
#include "engine/yunikorn/explain.h"
#include "engine/yunikorn/needs.h"
#include "engine/yunikorn/predicates.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

using Kind = Gap::Kind;

void missing_kinds(const Snapshot& cluster, const Setup& setup, std::vector<Gap>& gaps) {
  const Objects& objects = cluster.objects();
  for (const std::string_view kind : {"Pod", "Node", "PriorityClass"})
    add_gaps(missing_kind(objects, kNeeds, kind), gaps);
  if (setup.origin != Setup::Origin::built_in) return;
  const std::vector<Gap> without_config = missing_kind(objects, kNeeds, "ConfigMap");
  add_gaps(without_config, gaps);
  if (without_config.empty()) {
    gaps.push_back(
        {Kind::assumption, "no yunikorn-configs: built-in configuration, one queue per namespace", "", false});
  }
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

void queue_features(const QueueTree& queues, const PartitionConfig& partition, std::vector<Gap>& gaps) {
  bool limits = false;
  bool quota = false;
  for (const QueueId id : queues.ids()) {
    limits = limits || queues[id].limits;
    quota = quota || (!queues[id].dynamic && queues[id].policy.quota_preemption_delay > 0 && queues[id].max);
  }
  if (limits) {
    gaps.push_back({Kind::unmodelled, "user and group limits", "a user over its limit would be refused first", true});
  }
  if (quota && partition.quota_preemption_enabled) {
    gaps.push_back({Kind::unmodelled, "quota preemption",
                    "queues over a lowered max lose pods once quota.preemption.delay has passed", true});
  }
  if (std::any_of(partition.queues.begin(), partition.queues.end(),
                  [](const QueueConfig& queue) { return queue.max_applications != 0; })) {
    gaps.push_back({Kind::unmodelled, "maxapplications", "an application over it is not run at all", true});
  }
}

void placeholders(const World& world, PodId ask, std::vector<Gap>& gaps) {
  const Snapshot& cluster = world.cluster();
  const AppId app = world.app_of(ask);
  for (const PodId pod : cluster.pods().ids()) {
    if (world.app_of(pod) != app || !cluster.node_of(pod)) continue;
    if (!is_placeholder(cluster, world.keys(), cluster.pod(pod))) continue;
    gaps.push_back({Kind::unmodelled, "placeholder replacement",
                    "the pod's application holds placeholders, one of which it may simply replace", true});
    return;
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
  for (const std::string& what : ask ? unmodelled_predicates(cluster.pod(ask)) : std::vector<std::string>()) {
    gaps.push_back({Kind::unmodelled, what, "every node is taken to suit in this respect", true});
  }
  queue_features(world->queues(), setup.partition(), gaps);
  if (ask) placeholders(*world, ask, gaps);
  if (world->unmodelled_filter()) {
    gaps.push_back(
        {Kind::unmodelled, "regular expressions in placement filters", "they are taken to match nobody", true});
  }
  const bool tied =
      std::any_of(world->apps().begin(), world->apps().end(), [](const Application& app) { return app.tied; });
  if (tied) {
    gaps.push_back({Kind::assumption,
                    "where the oldest pods of an application are equally old, the first in the input is its originator",
                    "", true});
  }
  return gaps;
}

}  // namespace previct::yunikorn
