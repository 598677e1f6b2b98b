#include "base/contains.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "engine/kube/plugin_names.h"
#include "sequence/kube_simulation.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace previct::sequence {

using kube::Profile;

namespace {

auto places_group(const kube::Decision& decision) -> bool {
  const bool placed = decision.ending == kube::Ending::scheduled || decision.ending == kube::Ending::preempting;
  return decision.as_group() && placed;
}

// Returns true if two profiles belong to different kube-schedulers. Each of these knows only the waiting pods of its
// own profiles, and only their nominations.
// Source: pkg/scheduler/eventhandlers.go responsibleForPod; v1.31 to v1.37.
auto run_apart(const Profile& a, const Profile& b) -> bool {
  const auto lacks = [](const Profile& one, const Profile& other) {
    return one.configured && !contains(one.others_in_queue, other.scheduler_name);
  };
  return a.scheduler_name != b.scheduler_name && (lacks(a, b) || lacks(b, a));
}

}  // namespace

void KubeSimulation::wake_scheduler() {
  if (busy_ || looking_up_) return;
  looking_up_ = true;
  constexpr Time kCalls = 50;  // number of calls that are answered meanwhile, one at a time
  const Time pause = scenario_.slow_cycles ? kCalls * settings_.api_latency : 0;
  schedule(EventType::thread, now() + pause, kIdle);
}

void KubeSimulation::start_cycle() {
  looking_up_ = false;
  if (busy_) return;
  if (!queue_.ready(now())) {
    const Time retry = queue_.next_retry(now());
    if (retry != kNever && retry != retry_at_) schedule(EventType::thread, retry, kIdle);
    retry_at_ = retry;
    return;
  }
  tried_ = queue_.pop(now());
  busy_ = true;
  PodState& fate = pod_states_[tried_];
  if (!std::exchange(fate.looked_at, false)) fate.consecutive_flushes = 0;
  const bool is_futile = will_stay_unschedulable(tried_);
  fate.seen_version = simulated_.version();
  if (is_futile) return schedule(EventType::thread, now() + settings_.cycle_time, kFutileCycle);
  const Profile& profile = profile_of(tried_);
  own_nomination_ = fate.nominated;
  if (const KnownFailure* known = known_failure(tried_)) {
    decision_ = known->decision;
    fate.next_change = decision_.next_change;
    text_ = simulated_.message(tried_, decision_, clock());
    return schedule(EventType::thread, now() + settings_.cycle_time, kCycle);
  }
  decision_ = simulated_.attempt(tried_, fate.nominated, profile, clock(), settings_.question.threads);
  if (cannot_tell(tried_, decision_)) return thread_free();
  fate.next_change = decision_.next_change;
  text_ = simulated_.message(tried_, decision_, clock());
  note_failure(tried_);
  schedule(EventType::thread, now() + settings_.cycle_time, kCycle);
}

// If an attempt depends on what the input does not hold, the pod is no longer simulated.
auto KubeSimulation::cannot_tell(PodId pod, kube::Decision& decision) -> bool {
  std::vector<Gap> gaps = simulated_.gaps(pod, profile_of(pod), running_, decision, settings_.question);
  for (Gap& gap : gaps) {
    if (gap.rule == GapRule::default_profile && gap.decides) gap.rule = GapRule::profile_not_played;
  }
  // To new pods, admission was applied.
  if (pod.index >= result_.pods_before)
    std::erase_if(gaps, [](const Gap& gap) {
      return gap.rule == GapRule::manifest_as_written || gap.rule == GapRule::admission_left_out;
    });
  add_gaps(gaps, result_.decision_gaps);
  const Gap group_not_played{GapRule::group_not_played};
  const Gap static_victims{GapRule::static_victims};
  Gap race{GapRule::schedulers_race};
  const Gap* because = places_group(decision)         ? &group_not_played
                       : evicts_static_pods(decision) ? &static_victims
                                                      : deciding_gap(gaps);
  if (const PodId rival = because == nullptr ? rival_of(pod, decision) : PodId{}) {
    race.operands = {profile_of(pod).scheduler_name, profile_of(rival).scheduler_name};
    std::sort(race.operands.begin(), race.operands.end());
    pod_states_[rival].unknown = race;
    because = &race;
  }
  if (because == nullptr) return false;
  PodState& fate = pod_states_[pod];
  fate.ended = true;
  fate.verdict = End::Kind::not_simulated;
  fate.unknown = *because;
  fate.last_text = "cannot tell, because " + because_words(*because);
  queue_.done(pod);
  return true;
}

// Whether the pod gets the node then depends on the kubelet.
auto KubeSimulation::evicts_static_pods(const kube::Decision& decision) const -> bool {
  if (decision.ending != kube::Ending::preempting) return false;
  const auto& chosen = decision.choice.chosen;
  return std::any_of(chosen.begin(), chosen.end(), [&](NodeId node) {
    const auto& victims = decision.nodes[node].run->victims;
    return std::any_of(victims.begin(), victims.end(),
                       [&](PodId id) { return is_static(simulated_.pod(id), simulated_.cluster()); });
  });
}

auto KubeSimulation::rival_of(PodId pod, const kube::Decision& decision) -> PodId {
  const Profile& own = profile_of(pod);
  const auto others = [&](const auto& profile) { return run_apart(own, profile.second); };
  if (std::none_of(profiles_.begin(), profiles_.end(), others)) return {};
  const bool fits = decision.ending == kube::Ending::scheduled;
  const bool lacks = decision.ending == kube::Ending::unschedulable || decision.ending == kube::Ending::preempting;
  const auto shares_node = [&](const kube::Decision& other) {
    return std::any_of(other.feasible.begin(), other.feasible.end(),
                       [&](NodeId node) { return contains(decision.feasible, node); });
  };
  for (const PodId other : pods_) {
    const PodState& fate = pod_states_[other];
    const bool played = profiles_.contains(simulated_.pod(other).spec.scheduler_name.index);
    if (!played || (fate.ended && !fate.unknown) || !run_apart(own, profile_of(other))) continue;
    if (const NodeId node = simulated_.node_of(other)) {
      const bool takes =
          lacks && !decision.nodes.empty() && decision.nodes[node].filter.code == kube::Code::unschedulable;
      if (takes) return other;
    } else if (fits && queue_.entry(other).attempts > 0) {
      const kube::Decision there =
          simulated_.attempt(other, fate.nominated, profile_of(other), clock(), settings_.question.threads);
      if (there.ending == kube::Ending::scheduled && shares_node(there)) return other;
    }
  }
  return {};
}

auto KubeSimulation::profile_of(PodId pod) const -> const Profile& {
  return profiles_.at(simulated_.pod(pod).spec.scheduler_name.index);
}

void KubeSimulation::thread_free() {
  busy_ = false;
  wake_scheduler();
}

void KubeSimulation::decided() {
  PodState& fate = pod_states_[tried_];
  fate.last_text = text_;
  fate.since = now();
  count_attempt();
  switch (decision_.ending) {
    case kube::Ending::scheduled: return assume();
    case kube::Ending::preempting:
      if (decision_.choice.chosen.empty()) return fail_for_now(NodeId{}, true);
      return preempt();
    case kube::Ending::unschedulable:
      deallocate();
      if (!decision_.eligibility || decision_.eligible()) return fail_for_now(NodeId{}, true);
      return fail_for_now({}, false);
    case kube::Ending::preemption_error: return fail_for_now({}, false);
    // ErrNoNodesAvailable is an error that counts as unschedulable.
    case kube::Ending::no_nodes: return fail_with_error(End::Kind::unschedulable, "Unschedulable");
    case kube::Ending::error: return fail_with_error(End::Kind::error, "SchedulerError");
    case kube::Ending::assigned:
    case kube::Ending::deleting:
    case kube::Ending::gated: queue_.done(tried_); return thread_free();
  }
}

// Source: plugins/dynamicresources PostFilter.
void KubeSimulation::deallocate() {
  for (const kube::PostFilterStep& step : decision_.steps) {
    if (!step.reason || step.reason->rule != kube::Rule::claim_deallocated) continue;
    const Symbol claim{static_cast<std::uint32_t>(step.reason->a)};
    claims_change(simulated_.deallocate(simulated_.pod(tried_).meta.ns, claim));
  }
}

void KubeSimulation::count_attempt() {
  Metrics& metrics = result_.metrics;
  const bool gone = decision_.ending == kube::Ending::assigned || decision_.ending == kube::Ending::deleting ||
                    decision_.ending == kube::Ending::gated;
  if (gone) return;
  const bool scheduled = decision_.ending == kube::Ending::scheduled;
  const bool failed = decision_.ending == kube::Ending::error;
  ++(scheduled ? metrics.scheduled : failed ? metrics.error : metrics.unschedulable);
  const auto preempts = [](const kube::PostFilterStep& step) {
    return step.plugin != kube::PostFilter::Kind::dynamic_resources;
  };
  const auto asked = std::count_if(decision_.steps.begin(), decision_.steps.end(), preempts);
  pod_states_[tried_].preemption_attempts = static_cast<std::size_t>(asked);
  metrics.preemption_attempts += pod_states_[tried_].preemption_attempts;
}

void KubeSimulation::count_futile_attempts(PodId pod, std::size_t count) {
  result_.metrics.unschedulable += count;
  result_.metrics.preemption_attempts += count * pod_states_[pod].preemption_attempts;
}

void KubeSimulation::assume() {
  const NodeId node = node_that_fits();
  pod_states_[tried_].assumed = node;
  simulated_.assume_volumes(tried_, node, profile_of(tried_));
  simulated_.place(tried_, node, clock());
  lowest_ = std::min(lowest_, simulated_.pod(tried_).spec.priority);
  queue_.done(tried_);
  tell({.what = EventKind::takes, .pod = tried_, .node = node, .why = why_this_node()});
  auto claims = simulated_.use_claims(tried_, node, decision_.devices.get());
  send({.verb = claims.empty() ? Call::Verb::bind : Call::Verb::claims,
        .pod = tried_,
        .node = node,
        .claims = std::move(claims)});
  thread_free();
}

auto KubeSimulation::chosen_of(NodeId first, const std::vector<NodeId>& equal) -> NodeId {
  if (equal.size() < 2) return first;
  const std::size_t turn = result_.node_choices++;
  result_.most_equal = std::max(result_.most_equal, equal.size());
  const std::uint32_t pick = scenario_.other_ties ? scenario_.picks[turn % scenario_.picks.size()] : 0;
  if (pick == 0) return first;
  std::vector<NodeId> others;
  std::copy_if(equal.rbegin(), equal.rend(), std::back_inserter(others), [&](NodeId each) { return each != first; });
  return others[(pick - 1) % others.size()];
}

// Of several possible nodes, returns the likeliest, or the one that the scenario chooses.
auto KubeSimulation::node_that_fits() -> NodeId {
  const kube::Selection& selection = *decision_.selection;
  const bool sampled = selection.leaves_out_some() && selection.best.size() > 1;
  const std::vector<kube::Unmodelled>& unmodelled = profile_of(tried_).unmodelled;
  const bool unscored = decision_.feasible.size() > 1 &&
                        std::any_of(unmodelled.begin(), unmodelled.end(), [](const kube::Unmodelled& each) {
                          return each.part == kube::Unmodelled::Part::scores;
                        });
  const std::vector<NodeId>& nodes = unscored                   ? decision_.feasible
                                     : selection.doubts.empty() ? selection.best
                                                                : selection.possible;
  add_gaps(selection.doubts, result_.assumed);
  result_.likeliest = result_.likeliest || sampled || unscored || !selection.doubts.empty();
  if (nodes.size() > 1) result_.node_open.insert(tried_);
  return chosen_of(selection.first, nodes);
}

// `has the best score of 3 nodes that fit`
auto KubeSimulation::why_this_node() const -> std::string {
  const kube::Selection& selection = *decision_.selection;
  const std::string nodes = counted(decision_.feasible.size(), "node", "nodes");
  const std::size_t others = selection.best.size() - 1;
  switch (selection.by) {
    case kube::SelectedBy::nominated: return "fits on its nominated node";
    case kube::SelectedBy::only_node: return "fits";
    case kube::SelectedBy::no_score_plugins:
      return fmt::format("fits, as on {}", counted(others, "other node", "other nodes"));
    case kube::SelectedBy::scores:
    case kube::SelectedBy::sample:
      if (selection.leaves_out_some()) {
        return fmt::format("has the best score of the {} that the scheduler compares, of {} that fit",
                           selection.sample_size, nodes);
      }
      return fmt::format(
          "has the best score of {} that fit{}", nodes,
          others == 0 ? ""
                      : fmt::format(", as {}", others == 1 ? "1 other has" : fmt::format("{} others have", others)));
  }
  return {};
}

auto KubeSimulation::name(NodeId node) const -> std::string_view {
  return simulated_.cluster().name(node);
}

auto KubeSimulation::rejectors() const -> Queue::Rejectors {
  if (decision_.as_group()) return {kube::kGangScheduling};
  Queue::Rejectors result;
  for (const kube::FilterInfo* plugin : decision_.rejecting_plugins()) result.push_back(plugin->name);
  return result;
}

void KubeSimulation::put_back(PodId pod, const Queue::Rejectors& rejectors) {
  pod_states_[pod].rejectors = rejectors;
  queue_.put_back(pod, rejectors, now());
  expect_flush(pod);
}

void KubeSimulation::fail_for_now(NodeId nominated, bool overriding) {
  PodState& fate = pod_states_[tried_];
  const bool waiting = decision_.eligibility && decision_.eligibility->rule == kube::Rule::victim_terminating;
  fate.verdict = waiting ? End::Kind::waits : End::Kind::unschedulable;
  fate.waits_for_victims = waiting;
  tell_failure(waiting ? EventKind::waits : EventKind::fails, fate.nominated);
  put_back(tried_, rejectors());
  nominate_in_memory(tried_, overriding ? nominated : fate.nominated);
  write_status("Unschedulable", nominated, overriding);
}

// No plugin rejected the pod, so that it is requeued without an event.
// Source: schedule_one.go schedulingCycle, handleSchedulingFailure.
void KubeSimulation::fail_with_error(End::Kind verdict, std::string_view reason) {
  PodState& fate = pod_states_[tried_];
  fate.verdict = verdict;
  fate.waits_for_victims = false;
  tell_failure(EventKind::fails, {});
  put_back(tried_, {});
  nominate_in_memory(tried_, {});
  write_status(reason, {}, true);
}

void KubeSimulation::tell_failure(EventKind what, NodeId node) {
  PodState& fate = pod_states_[tried_];
  if (fate.last_told == what && fate.told_text == text_) return;
  fate.last_told = what;
  fate.told_text = text_;
  tell({.what = what, .pod = tried_, .node = node, .why = text_});
}

auto KubeSimulation::will_stay_unschedulable(PodId pod) -> bool {
  const PodState& fate = pod_states_[pod];
  if (!fate.waits_for_victims || !fate.nominated || !simulated_.node_by_node(pod) || fate.next_change <= clock())
    return false;
  const auto touched = simulated_.touched_since(fate.seen_version);
  if (touched.empty()) return true;
  const kube::PodInfo incoming = simulated_.incoming(pod);
  return std::all_of(touched.begin(), touched.end(), [&](const SimulatedCluster::Touch& touch) {
    return touch.node != fate.nominated && simulated_.lacks_capacity(touch.node, incoming);
  });
}

auto KubeSimulation::known_failure(PodId pod) -> const KnownFailure* {
  const PodState& fate = pod_states_[pod];
  if (!world_.replaced_by(pod) || fate.nominated || simulated_.pod(pod).spec.priority > lowest_) return nullptr;
  const auto found = failed_.find(world_.identity(pod));
  if (found == failed_.end() || found->second.decision.next_change <= clock() || !simulated_.node_by_node(pod))
    return nullptr;
  const auto touched = simulated_.touched_since(found->second.version);
  const kube::PodInfo incoming = simulated_.incoming(pod);
  const bool none = std::all_of(touched.begin(), touched.end(), [&](const SimulatedCluster::Touch& touch) {
    return simulated_.lacks_capacity(touch.node, incoming);
  });
  if (!none) return nullptr;
  found->second.version = simulated_.version();
  return &found->second;
}

// The reasons of PreemptionToleration name the pod, so that they are no other pod's.
void KubeSimulation::note_failure(PodId pod) {
  const bool in_vain = decision_.ending == kube::Ending::unschedulable && decision_.candidates.empty();
  if (!world_.replaced_by(pod) || !in_vain || profile_of(pod).tolerates() ||
      simulated_.pod(pod).spec.priority > lowest_)
    return;
  failed_.insert_or_assign(world_.identity(pod), KnownFailure{simulated_.version(), decision_});
}

void KubeSimulation::repeat_failure() {
  count_futile_attempts(tried_, 1);
  put_back(tried_, pod_states_[tried_].rejectors);
  thread_free();
}

void KubeSimulation::nominate_in_memory(PodId pod, NodeId node) {
  if (!pod_states_[pod].assumed) simulated_.nominate(pod, node);
}

void KubeSimulation::write_status(std::string_view reason, NodeId nominated, bool overriding) {
  const PodState& fate = pod_states_[tried_];
  const bool new_nomination = overriding && own_nomination_ != nominated;
  if (fate.message == text_ && fate.reason == reason && !new_nomination) return thread_free();
  send({.verb = Call::Verb::status,
        .pod = tried_,
        .sets_nomination = new_nomination,
        .node = nominated,
        .message = text_,
        .reason = std::string(reason)});
}

}  // namespace previct::sequence
