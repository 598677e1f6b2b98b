// Why a pod is tried again: events of the cluster, as judged by its plugins, and the periodic flush.

#include "api/upstream.h"
#include "cluster/matching.h"
#include "engine/kube/filter.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/namespaces.h"
#include "engine/kube/post_filters.h"
#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

constexpr Time kLookEvery = upstream::kFlushLookedAtEverySeconds * kSecond;

// A check begins 30 s after the previous one has ended; on a control plane of 1.35.4, each was measured to be 6 ms
// late. So a pod that was put back shortly after a check is old enough at the check one flush age later, if there are a
// few checks between them.
constexpr Time kDriftOfLook = 5 * kMillisecond;

}  // namespace

auto KubeSimulation::held_by(PodId pod) const -> std::string_view {
  if (is_preempting(pod)) return kube::kAsynchronousPlugin;
  const auto hold = kube::held_before_queue(simulated_.node_infos(), profile_of(pod), pod);
  return hold ? hold->plugin : std::string_view();
}

auto KubeSimulation::events_of(std::string_view plugin) const -> const kube::EventTable& {
  const auto [found, is_new] = event_tables_.try_emplace(plugin);
  if (is_new) found->second = kube::events_of(plugin, running_.release);
  return found->second;
}

auto KubeSimulation::hears(std::string_view plugin, const Queue::Event& event) const -> bool {
  const kube::EventTable& table = events_of(plugin);
  return std::any_of(table.begin(), table.end(),
                     [&](const kube::RegisteredEvents& registered) { return matches(registered, event.view()); });
}

auto KubeSimulation::may_help(PodId rejected, std::string_view plugin, const Queue::Event& event) const -> bool {
  const kube::Release& release = running_.release;
  // Upstream tries a pod of a group again after its back-off, also without an event. Here, any event requeues it.
  // Source: scheduling_queue.go determineSchedulingHintForInFlightPod, v1.36.3.
  const bool as_group = release.has(kube::Change::pod_groups) && release.has(kube::Change::groups_in_cycles);
  if (as_group && kube::in_a_group(simulated_.node_infos(), rejected)) return true;
  const kube::RejectedPod pod{simulated_.node_infos(), profile_of(rejected).settings, rejected};
  const kube::EventTable& table = events_of(plugin);
  return std::any_of(table.begin(), table.end(), [&](const kube::RegisteredEvents& registered) {
    if (!matches(registered, event.view())) return false;
    return registered.hint == nullptr || !release.has(kube::Change::queueing_hints) ||
           registered.hint(pod, event.view());
  });
}

auto KubeSimulation::pod_event(kube::Resource resource, kube::Actions action, PodId pod) const -> Queue::Event {
  Queue::Event event{.resource = resource, .action = action};
  (action == kube::action::kDelete ? event.old_pod : event.new_pod) = std::make_shared<const Pod>(simulated_.pod(pod));
  return event;
}

auto KubeSimulation::nomination_event(PodId pod) const -> Queue::Event {
  auto before = std::make_shared<Pod>(simulated_.pod(pod));
  before->spec.node_name = {};
  const NodeId node = pod_states_[pod].nominated;
  before->status.nominated_node_name = node ? simulated_.cluster().node(node).meta.name : Symbol{};
  Queue::Event event;
  event.old_pod = std::move(before);
  return event;
}

void KubeSimulation::happens(const Queue::Event& event, const std::function<bool(const Queue::Entry&)>& which) {
  queue_.move_on(event, now(), which);
  tell_held();
  wake_scheduler();
}

void KubeSimulation::claims_change(const std::vector<SimulatedCluster::ClaimChange>& changes) {
  for (const SimulatedCluster::ClaimChange& change : changes) {
    happens({.resource = kube::Resource::resource_claim,
             .action = change.before == nullptr  ? kube::action::kAdd
                       : change.after == nullptr ? kube::action::kDelete
                                                 : kube::action::kUpdate,
             .old_claim = change.before,
             .new_claim = change.after});
  }
}

// Controllers create the claims; that of ResourceClaims then records them in the pod's status.
// Source: pkg/controller/resourceclaim/controller.go syncPod.
void KubeSimulation::plan_claims(PodId pod) {
  if (simulated_.awaited_claims(pod).empty() && !simulated_.awaits_volume_claims(pod)) return;
  ++open_claims_;
  schedule(EventType::claims_made, now() + 2 * settings_.api_latency, pod.index);
}

void KubeSimulation::make_claims(PodId pod) {
  --open_claims_;
  if (queue_.entry(pod).place == Queue::Place::absent) return;
  if (simulated_.make_volume_claims(pod))
    happens({.resource = kube::Resource::persistent_volume_claim, .action = kube::action::kAdd});
  const auto changes = simulated_.make_claims(pod);
  if (changes.empty()) return;
  claims_change(changes);
  happens(pod_event(kube::Resource::target_pod, kube::action::kPodGeneratedClaim, pod),
          [pod](const Queue::Entry& entry) { return entry.pod == pod; });
}

// Source: scheduling_queue.go getUnschedulablePodsWithCrossTopologyTerm.
auto KubeSimulation::asks_about(const Queue::Entry& entry, const Pod& come) const -> bool {
  if (running_.release.has(kube::Change::queueing_hints)) return true;
  const Pod& ours = simulated_.pod(entry.pod);
  const bool spreads = std::any_of(entry.rejectors.begin(), entry.rejectors.end(), [](std::string_view plugin) {
    const kube::FilterInfo* filter = kube::find_filter(plugin);
    return filter != nullptr && filter->lacks == kube::Lacks::default_spread;
  });
  if (spreads && ours.meta.ns == come.meta.ns) return true;
  const SymbolMap labels = kube::labels_of_namespace(simulated_.cluster(), come.meta.ns);
  const auto& terms = ours.spec.affinity.pod.required;
  return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
    return kube::term_matches(term, ours.meta.ns, come, labels, simulated_.cluster().symbols());
  });
}

// ---- the periodic flush

auto KubeSimulation::would_differ(PodId pod) const -> bool {
  const PodState& fate = pod_states_[pod];
  return fate.seen_version != simulated_.version() || fate.next_change <= clock();
}

auto KubeSimulation::look_at(Time timestamp) const -> Time {
  const Time age = flush_age() - kDriftOfLook * (flush_age() / kLookEvery);
  return std::max<Time>(0, (timestamp + age) / kLookEvery + 1) * kLookEvery;
}

void KubeSimulation::expect_flush(PodId pod) {
  schedule(EventType::flush, look_at(queue_.entry(pod).timestamp), pod.index);
}

void KubeSimulation::flush(PodId pod) {
  --flushes_;
  const Queue::Entry& entry = queue_.entry(pod);
  if (!queue_.is_flushed(pod) || look_at(entry.timestamp) > now()) return;
  if (!would_differ(pod)) return count_futile_flushes(pod);
  ++flushed_;
  queue_.flush(pod, now());
  if (entry.gated()) return;
  PodState& fate = pod_states_[pod];
  fate.looked_at = true;
  if (fate.consecutive_flushes++ == 0) fate.attempt_before_flushes = entry.timestamp;
  const auto [from, until] = flush_window(fate);
  tell({.what = EventKind::requeued,
        .pod = pod,
        .why = "unschedulable for too long: the periodic flush retries it",
        .from = from,
        .until = until});
  wake_scheduler();
}

// The scheduler of the input may have been started at any other time: each flush comes when the age is reached, or at
// most one interval of the checks later. The first flush after the change of the decision retries the pod.
auto KubeSimulation::flush_window(const PodState& fate) const -> std::pair<Time, Time> {
  const Time longest = flush_age() + kLookEvery;
  auto fewest = static_cast<Time>(fate.consecutive_flushes);
  Time most = fewest;
  Time from = 0;
  if (fate.next_change <= clock()) {
    const Time change = world_.since_start(fate.next_change);
    const Time before = std::max<Time>(0, change - fate.attempt_before_flushes);
    fewest = std::max<Time>(1, (before + longest - 1) / longest);
    most = before <= 0 ? 1 : (before - 1) / std::max<Time>(1, flush_age()) + 1;
    from = change;
  }
  return {std::min(now(), std::max(from, fate.attempt_before_flushes + fewest * flush_age())),
          std::max(now(), fate.attempt_before_flushes + most * longest)};
}

void KubeSimulation::count_futile_flushes(PodId pod) {
  const bool moves = world_.planned_events() > flushes_;
  const Time change =
      pod_states_[pod].next_change.is_never() ? kNever : world_.since_start(pod_states_[pod].next_change);
  const bool quiet = !moves && change == kNever;
  if (quiet && !settings_.to_the_horizon) return;
  ++flushed_;
  PodState& fate = pod_states_[pod];
  if (fate.consecutive_flushes == 0) fate.attempt_before_flushes = queue_.entry(pod).timestamp;
  // All further checks have the same distance.
  const Time put_back = now() + settings_.cycle_time;
  const Time distance = look_at(put_back) - now();
  const Time more = moves ? 0 : std::max<Time>(0, std::min(change, settings_.horizon) - 1 - now()) / distance;
  const auto count = static_cast<std::size_t>(more) + 1;
  fate.consecutive_flushes += count;
  count_futile_attempts(pod, count);
  queue_.record_futile_attempts(pod, count, put_back + more * distance);
  if (!quiet) expect_flush(pod);
}

}  // namespace previct::sequence
