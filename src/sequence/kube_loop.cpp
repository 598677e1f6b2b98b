// Detects that the cluster returns to an earlier state. The simulation is deterministic, so everything repeats from
// there.

#include "api/upstream.h"
#include "engine/kube/tolerance.h"
#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

void KubeSimulation::changed() {
  constexpr std::size_t kMostWork = 2'000'000;  // pods examined: about a second
  if (!world_.may_recur() || !is_quiet() || state_work_ > kMostWork) return;
  for (const NodeId node : simulated_.moved()) state_work_ += simulated_.pods_on(node).size();
  constexpr Time kLookEvery = upstream::kFlushLookedAtEverySeconds * kSecond;
  result_.circle = loop_detector_.see(state(), now(), result_.runs.size(), flushed_, now() % kLookEvery);
}

// Returns true if nothing is in progress that state() does not include.
auto KubeSimulation::is_quiet() const -> bool {
  return !busy_ && open_calls_ == 0 && open_claims_ == 0 && failures_.empty() &&
         std::all_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.over; });
}

auto KubeSimulation::state() const -> std::string {
  std::string text = fmt::format("{} {}\n{}", clock().nanos, limit_.debt(now()), world_.state());
  std::vector<std::optional<Instant>> starts;  // of the pods of one node
  for (const NodeId node : simulated_.moved()) {
    const auto& pods = simulated_.pods_on(node);
    starts.clear();
    for (const PodId pod : pods) starts.push_back(simulated_.pod(pod).status.start_time);
    text += fmt::format("@{}", node.index);
    for (const PodId pod : pods) text += " " + state_on_node(pod, starts);
    text += '\n';
  }
  std::vector<std::pair<std::uint64_t, std::string>> waiting;
  for (const Queue::Entry* entry : queue_.entries()) waiting.emplace_back(entry->order, state_in_queue(entry->pod));
  std::sort(waiting.begin(), waiting.end());
  for (const auto& [order, words] : waiting) text += words + '\n';
  text += fmt::format("{}\n", simulated_.claims_bound());
  for (const std::string& claim : simulated_.claims_in_use([&](PodId user) { return world_.identity(user); }))
    text += claim;
  return text;
}

// The age of a pod matters up to its longest toleration of preemption, and compared with the other pods of its node.
auto KubeSimulation::state_on_node(PodId pod, std::span<const std::optional<Instant>> starts) const -> std::string {
  const Pod& p = simulated_.pod(pod);
  // A pod whose grace period was over at the start stays on its node.
  if (p.meta.deleting)
    return fmt::format("{}-{}", world_.identity(pod), std::max<Time>(0, world_.since_start(*p.meta.deleting) - now()));
  const auto rank =
      std::count_if(starts.begin(), starts.end(), [&](const auto& start) { return start < p.status.start_time; });
  const Time age = p.status.start_time ? now() - world_.since_start(*p.status.start_time) : kNever;
  const Time left = world_.finishes_at(pod) == kNever ? kNever : world_.finishes_at(pod) - now();
  return fmt::format("{}:{}:{}:{}", world_.identity(pod), rank, std::min(age, longest_toleration(pod)), left);
}

void KubeSimulation::expect_ends_of_tolerations() {
  const bool any =
      std::any_of(profiles_.begin(), profiles_.end(), [](const auto& profile) { return profile.second.tolerates(); });
  if (!any) return;
  for (const PodId pod : simulated_.cluster().pods().ids()) {
    const auto& started = simulated_.pod(pod).status.start_time;
    if (!simulated_.node_of(pod) || !started) continue;
    const Time end = world_.since_start(*started) + longest_toleration(pod);
    if (end > 0) world_.expect({.at = end, .what = KnownChange::What::protection_ends, .pod = pod});
  }
}

auto KubeSimulation::longest_toleration(PodId pod) const -> Time {
  const PriorityClass* found = simulated_.cluster().priority_class(simulated_.pod(pod).spec.priority_class_name);
  if (found == nullptr) return 0;
  const kube::TolerationPolicy policy = kube::toleration_policy(*found, simulated_.cluster().symbols());
  constexpr std::int64_t kMost = kNever / kSecond;
  return std::clamp<std::int64_t>(policy.toleration_seconds, 0, kMost) * kSecond;
}

// Once the back-off is longest, further failures make no difference.
auto KubeSimulation::state_in_queue(PodId pod) const -> std::string {
  const Queue::Entry& entry = queue_.entry(pod);
  std::int64_t enough = 1;
  for (std::int64_t length = std::max<std::int64_t>(1, settings_.pace.initial_backoff);
       length < settings_.pace.max_backoff; length *= 2) {
    ++enough;
  }
  const NodeId nominated = pod_states_[pod].nominated;
  return fmt::format("?{} {} {} {} {} {} {}", world_.identity(pod), static_cast<int>(entry.place),
                     std::min(entry.failures, enough), std::min(entry.errors, enough), entry.gated(),
                     now() - entry.timestamp, nominated ? nominated.index : UINT32_MAX);
}

}  // namespace previct::sequence
