#include "engine/yunikorn/eldest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::yunikorn {
namespace {

/// Returns everything, except its age, that an application takes from the pod that creates it.
auto facts_of(const PartitionContext& core, PodId id) -> std::string {
  const Snapshot& cluster = core.cluster();
  const Pod& pod = cluster.pod(id);
  const Keys& keys = core.keys();
  const auto note = [&](Symbol key) { return key ? cluster.text(pod.meta.annotations.get(key)) : std::string_view(); };
  const auto label = [&](Symbol key) { return key ? cluster.text(pod.meta.labels.get(key)) : std::string_view(); };
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", cluster.text(pod.meta.ns), requested_queue(cluster, keys, pod),
                     note(keys.user_info), label(keys.user_name), note(keys.task_groups), pod.spec.node_name ? "1" : "",
                     core.holds_place(id) ? "1" : "");
}

/// Returns the pods that may be evicted.
auto within_reach(const ReleaseDecision& decision) -> std::set<PodId> {
  std::set<PodId> pods;
  if (decision.required) {
    for (const Allocation& pod : decision.required->candidates) pods.insert(pod.pod);
  }
  if (decision.queue) {
    for (const Allocation& pod : decision.queue->eligible) pods.insert(pod.pod);
  }
  return pods;
}

auto possible_victims_of(const ReleaseDecision& decision) -> std::vector<PodId> {
  std::set<PodId> pods;
  if (decision.outcome != ReleaseOutcome::preempted && decision.outcome != ReleaseOutcome::varies) return {};
  if (decision.required) {
    for (const std::vector<PodId>& set : decision.required->possible.sets) pods.insert(set.begin(), set.end());
  }
  if (decision.queue) {
    for (const QueueSolution& end : decision.queue->solutions) pods.insert(end.victims.begin(), end.victims.end());
  }
  return {pods.begin(), pods.end()};
}

/// Returns the pods that could change the answer if they had created their application.
auto choices(const PartitionContext& core, const ReleaseDecision* decision) -> std::vector<PodId> {
  const std::set<PodId> reach = decision != nullptr ? within_reach(*decision) : std::set<PodId>{};
  std::vector<PodId> result;
  for (const Application& app : core.apps()) {
    if (app.as_old.empty()) continue;
    const std::string facts = facts_of(core, app.first);
    for (const PodId other : app.as_old) {
      if (facts_of(core, other) != facts || reach.contains(other) || reach.contains(app.first)) result.push_back(other);
    }
  }
  return result;
}

}  // namespace

auto creators_differ(const PartitionContext& core) -> bool {
  return std::any_of(core.apps().begin(), core.apps().end(), [&](const Application& app) {
    return std::any_of(app.as_old.begin(), app.as_old.end(),
                       [&](PodId other) { return facts_of(core, other) != facts_of(core, app.first); });
  });
}

auto alike(const ReleaseDecision& a, const ReleaseDecision& b) -> bool {
  const auto same_end = [](const QueueSolution& x, const QueueSolution& y) {
    return x.rule == y.rule && x.node == y.node && x.victims == y.victims && x.fits_then == y.fits_then;
  };
  const bool same = a.outcome == b.outcome && a.rule == b.rule && a.node == b.node && a.reserved == b.reserved;
  if (!same || a.required.has_value() != b.required.has_value() || a.queue.has_value() != b.queue.has_value())
    return false;
  if (a.required && a.required->victims != b.required->victims) return false;
  return !a.queue || (a.queue->precondition == b.queue->precondition &&
                      std::equal(a.queue->solutions.begin(), a.queue->solutions.end(), b.queue->solutions.begin(),
                                 b.queue->solutions.end(), same_end));
}

auto other_first_pods(const PartitionContext& core, const Setup& setup, PodId ask, const ReleaseDecision* decision,
                      const ReleaseOptions& options, Instant now) -> FirstPodChoices {
  constexpr std::size_t kMost = 12;
  FirstPodChoices result;
  const std::vector<PodId> pods = choices(core, decision);
  result.choices = pods.size();
  for (const PodId pod : pods) {
    if (result.tried == kMost) break;
    ++result.tried;
    PartitionSettings settings = setup.core;
    settings.eldest = pod;
    auto other = std::make_shared<const PartitionContext>(core.cluster(), setup.config, setup.assumptions, settings);
    const PodId instead_of = core.app(core.app_of(pod)).first;
    if (!other->known(ask)) {
      if (decision != nullptr) result.differing.push_back({pod, instead_of, std::move(other), {}, {}});
      continue;
    }
    Moment moment(now);
    ReleaseDecision then = decide_release(*other, ask, options, moment);
    if (decision != nullptr && alike(*decision, then)) continue;
    std::vector<PodId> victims = possible_victims_of(then);
    result.differing.push_back({pod, instead_of, std::move(other), std::move(then), std::move(victims)});
  }
  return result;
}

}  // namespace previct::yunikorn
