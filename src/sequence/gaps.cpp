#include "base/contains.h"
#include "cluster/pod_ends.h"
#include "cluster/taint_eviction.h"
#include "engine/doubts.h"
#include "engine/kube/running_release.h"
#include "overlay/limits.h"
#include "sequence/report.h"
#include "sequence/stale_gangs.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace previct::sequence {
namespace {

// A gang that a simulation makes smaller is evicted at once if its grace period is 0.
auto may_evict_gangs(const Snapshot& cluster) -> bool {
  const Symbol since = cluster.symbol("kai.scheduler/stale-podgroup-timestamp");
  const auto& groups = cluster.objects().kai_pod_groups;
  return has_stale_gang(cluster) || std::any_of(groups.begin(), groups.end(), [&](const kai::PodGroup& group) {
           const auto& grace = group.spec.staleness_grace_period;
           return (since && group.meta.annotations.has(since)) || (grace && grace->nanos == 0);
         });
}

// A kubelet ends a pod that has been active for its activeDeadlineSeconds. This is simulated, except how Jobs count it.
// If nothing more happens otherwise, the answer is about all time to come.
void add_deadlines(const Snapshot& cluster, const Settings& settings, bool cut, std::vector<Gap>& gaps) {
  const Instant end = cut ? settings.question.now.plus_nanos(settings.horizon) : Instant::never();
  std::size_t count = 0;
  Instant first = Instant::never();
  PodId pod;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& each = cluster.pod(id);
    const std::optional<Instant> at = deadline_of(each);
    if (!at || at->is_never() || *at > end || each.meta.deleting || !cluster.node_of(id) || cluster.finished(id))
      continue;
    const OwnerReference* const controller = controller_of(each.meta);
    if (controller == nullptr || cluster.text(controller->kind) != kinds::jobs.name) continue;
    ++count;
    if (*at < first || !pod) {
      first = *at;
      pod = id;
    }
  }
  if (count == 0) return;
  gaps.push_back({GapRule::deadline_not_simulated,
                  {std::to_string(count), cluster.key(pod), format_clock(first, settings.question.now)}});
}

// The garbage collection of pods looks every 20 s, and waits for 40 s before it believes that a node is gone.
// Source: kubernetes v1.35 pkg/controller/podgc/gc_controller.go gcCheckPeriod, quarantineTime, gcOrphaned.
void add_orphans(const Snapshot& cluster, const Settings& settings, std::vector<Gap>& gaps) {
  std::size_t count = 0;
  PodId first;
  for (const PodId id : cluster.pods().ids()) {
    const Symbol node = cluster.pod(id).spec.node_name;
    if (!node || cluster.find_node(node) || cluster.finished(id) || contains(settings.lost, id)) continue;
    if (count++ == 0) first = id;
  }
  if (count > 0) gaps.push_back({GapRule::orphaned_pods, {std::to_string(count), cluster.key(first)}});
}

}  // namespace

void leave_to_simulation(std::vector<Gap>& gaps) {
  std::erase_if(gaps, [](const Gap& gap) {
    return gap.rule == GapRule::gate_beside && gap.operands.front() == "SchedulerAsyncAPICalls";
  });
}

void leave_releases_to_sequence(std::vector<Gap>& gaps) {
  std::erase_if(gaps, [](const Gap& gap) { return gap.decides && kube::names_running_releases(gap); });
}

auto gaps_of_play(const Snapshot& cluster, const Settings& settings, const SimulationResult& play, bool kube)
    -> std::vector<Gap> {
  std::vector<Gap> gaps = play.decision_gaps;
  if (kube && !settings.pods.empty()) gaps.push_back({GapRule::all_active});
  const auto deletes = [](const Step& step) { return step.what == EventKind::deleting; };
  if (std::any_of(play.steps.begin(), play.steps.end(), deletes)) gaps.push_back({GapRule::whole_grace});
  const auto is_open = [](const Step& step) { return !step.open.taken.empty(); };
  if (std::any_of(play.steps.begin(), play.steps.end(), is_open)) gaps.push_back({GapRule::one_choice_of_victims});
  const auto is_new = [](const Step& step) { return step.what == EventKind::created; };
  if (std::any_of(play.steps.begin(), play.steps.end(), is_new)) gaps.push_back({GapRule::controllers_at_once});
  const auto of_limits = [&](const auto& created) {
    return limits_were_applied(created.pod, cluster.objects().symbols);
  };
  if (!settings.controller_objects.all_limit_ranges && std::any_of(play.created.begin(), play.created.end(), of_limits))
    gaps.push_back({GapRule::limits_of_old_pods});
  add_gaps(play.assumed, gaps);
  for (const End& end : play.ends) {
    if (end.kind != End::Kind::not_simulated || !end.unknown) continue;
    Gap unknown = *end.unknown;
    unknown.decides = unknown.could_change_answer = true;
    add_gaps({unknown}, gaps);
  }
  if (!kube && may_evict_gangs(cluster)) add_gaps({{GapRule::stale_gangs}}, gaps);
  if (!settings.epochs.empty()) gaps.push_back({GapRule::epochs_saved});
  if (play.asynchronous_calls) gaps.push_back({GapRule::calls_in_cycle});
  if (play.likeliest) gaps.push_back({GapRule::likeliest_node});

  std::size_t overdue = 0;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const NodeId node = cluster.node_of(id);
    const bool running = node && !cluster.finished(id) && !is_out_of_service(cluster.node(node), cluster);
    overdue += running && pod.meta.deleting && *pod.meta.deleting < settings.question.now ? 1U : 0U;
  }
  std::vector<NodeId> taken;
  for (const End& end : play.ends) {
    if (end.kind == End::Kind::bound) taken.push_back(end.node);
  }
  std::set<NodeId> untainted;
  std::copy_if(taken.begin(), taken.end(), std::inserter(untainted, untainted.end()),
               [&](NodeId node) { return kube && awaits_taint(cluster.node(node), cluster); });
  if (!untainted.empty()) {
    gaps.push_back(
        {GapRule::untainted_node, {std::to_string(untainted.size()), std::string(cluster.name(*untainted.begin()))}});
  }
  if (auto gap = deleting_nodes_gap(cluster, std::move(taken))) add_gaps({*std::move(gap)}, gaps);
  add_deadlines(cluster, settings, play.cut, gaps);
  add_orphans(cluster, settings, gaps);
  const bool owned = std::any_of(play.steps.begin(), play.steps.end(), [&](const Step& step) {
    const auto& owners = play.pod(step.pod, cluster).meta.owners;
    return deletes(step) && !settings.controllers &&
           std::any_of(owners.begin(), owners.end(), [](const OwnerReference& o) { return o.controller; });
  });
  if (owned) gaps.push_back({GapRule::no_controllers});
  if (overdue > 0) gaps.push_back({GapRule::grace_over, {std::to_string(overdue)}});
  return gaps;
}

}  // namespace previct::sequence
