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

auto Simulation::held_by(PodId pod) const -> std::string_view {
  if (is_preempting(pod)) return kube::kAsynchronousPlugin;
  const auto hold = kube::held_before_queue(simulated_.node_infos(), profile_of(pod), pod);
  return hold ? hold->plugin : std::string_view();
}

auto Simulation::events_of(std::string_view plugin) const -> const kube::EventTable& {
  const auto [found, is_new] = event_tables_.try_emplace(plugin);
  if (is_new) found->second = kube::events_of(plugin, running_.release);
  return found->second;
}

auto Simulation::hears(std::string_view plugin, const Queue::Event& event) const -> bool {
  const kube::EventTable& table = events_of(plugin);
  return std::any_of(table.begin(), table.end(),
                     [&](const kube::RegisteredEvents& registered) { return matches(registered, event.view()); });
}

auto Simulation::may_help(PodId rejected, std::string_view plugin, const Queue::Event& event) const -> bool {
  const kube::Release& release = running_.release;
  // Source: scheduling_queue.go isPodWorthRequeuing, v1.36.3.
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

auto Simulation::pod_event(kube::Resource resource, kube::Actions action, PodId pod) const -> Queue::Event {
  Queue::Event event{.resource = resource, .action = action};
  (action == kube::action::kDelete ? event.old_pod : event.new_pod) = std::make_shared<const Pod>(simulated_.pod(pod));
  return event;
}

auto Simulation::nomination_event(PodId pod) const -> Queue::Event {
  auto before = std::make_shared<Pod>(simulated_.pod(pod));
  before->spec.node_name = {};
  const NodeId node = fates_[pod].nominated;
  before->status.nominated_node_name = node ? simulated_.cluster().node(node).meta.name : Symbol{};
  Queue::Event event;
  event.old_pod = std::move(before);
  return event;
}

void Simulation::happens(const Queue::Event& event, const std::function<bool(const Queue::Entry&)>& which) {
  queue_.move_on(event, now_, which);
  tell_held();
  look_up();
}

void Simulation::claims_change(const std::vector<SimulatedCluster::ClaimChange>& changes) {
  for (const SimulatedCluster::ClaimChange& change : changes) {
    happens({.resource = kube::Resource::resource_claim,
             .action = change.before == nullptr  ? kube::action::kAdd
                       : change.after == nullptr ? kube::action::kDelete
                                                 : kube::action::kUpdate,
             .old_claim = change.before,
             .new_claim = change.after});
  }
}

// The controller creates the claims, and then records them in the pod's status.
// Source: pkg/controller/resourceclaim/controller.go syncPod.
void Simulation::plan_claims(PodId pod) {
  if (simulated_.awaited_claims(pod).empty()) return;
  ++open_claims_;
  schedule(Happening::Kind::claims_made, now_ + 2 * settings_.api_latency, pod.index);
}

void Simulation::make_claims(PodId pod) {
  --open_claims_;
  if (queue_.entry(pod).place == Queue::Place::absent) return;
  const auto changes = simulated_.make_claims(pod);
  claims_change(changes);
  happens(pod_event(kube::Resource::target_pod, kube::action::kPodGeneratedClaim, pod),
          [pod](const Queue::Entry& entry) { return entry.pod == pod; });
}

// Source: scheduling_queue.go getUnschedulablePodsWithCrossTopologyTerm.
auto Simulation::asks_about(const Queue::Entry& entry, const Pod& come) const -> bool {
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

auto Simulation::would_differ(PodId pod) const -> bool {
  const Fate& fate = fates_[pod];
  return fate.seen_version != simulated_.version() || fate.next_change <= clock();
}

auto Simulation::look_at(Time timestamp) const -> Time {
  const Time age = flush_age() - kDriftOfLook * (flush_age() / kLookEvery);
  return std::max<Time>(0, (timestamp + age) / kLookEvery + 1) * kLookEvery;
}

void Simulation::expect_flush(PodId pod) {
  schedule(Happening::Kind::flush, look_at(queue_.entry(pod).timestamp), pod.index);
}

void Simulation::flush(PodId pod) {
  --flushes_;
  const Queue::Entry& entry = queue_.entry(pod);
  if (!queue_.is_flushed(pod) || look_at(entry.timestamp) > now_) return;
  if (!would_differ(pod)) return try_in_vain(pod);
  ++flushed_;
  queue_.flush(pod, now_);
  if (entry.gated()) return;
  Fate& fate = fates_[pod];
  fate.looked_at = true;
  if (fate.looks_in_row++ == 0) fate.looked_at_since = entry.timestamp;
  // The scheduler of the input may have been started at any other time.
  const auto looks = static_cast<Time>(fate.looks_in_row);
  tell({.what = EventKind::requeued,
        .pod = pod,
        .why = "has been unschedulable for too long: the periodic flush",
        .from = std::min(now_, fate.looked_at_since + looks * flush_age()),
        .until = fate.looked_at_since + looks * (flush_age() + kLookEvery)});
  look_up();
}

void Simulation::try_in_vain(PodId pod) {
  const bool moves = events_.size() > flushes_;
  const Time change = fates_[pod].next_change.is_never() ? kNever : since_start(fates_[pod].next_change);
  const bool quiet = !moves && change == kNever;
  if (quiet && !settings_.to_the_horizon) return;
  ++flushed_;
  Fate& fate = fates_[pod];
  if (fate.looks_in_row == 0) fate.looked_at_since = queue_.entry(pod).timestamp;
  // All further checks have the same distance.
  const Time put_back = now_ + settings_.cycle_time;
  const Time distance = look_at(put_back) - now_;
  const Time more = moves ? 0 : std::max<Time>(0, std::min(change, settings_.horizon) - 1 - now_) / distance;
  const auto count = static_cast<std::size_t>(more) + 1;
  fate.looks_in_row += count;
  count_vain_attempts(pod, count);
  queue_.note_vain_attempts(pod, count, put_back + more * distance);
  if (!quiet) expect_flush(pod);
}

}  // namespace previct::sequence
