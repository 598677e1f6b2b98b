// Detects that the cluster returns to an earlier state. The simulation is deterministic, so everything repeats from
// there.

#include "api/upstream.h"
#include "engine/kube/tolerance.h"
#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

void Simulation::look_for_circle() {
  const bool may_turn = settings_.controllers || !settings_.recurring.empty();
  constexpr std::size_t kMostWork = 2'000'000;  // pods examined: about a second
  if (!may_turn || !is_quiet() || state_work_ > kMostWork) return;
  for (const NodeId node : simulated_.moved()) state_work_ += simulated_.pods_on(node).size();
  constexpr Time kLookEvery = upstream::kFlushLookedAtEverySeconds * kSecond;
  play_.circle = states_.see(state(), now_, play_.runs.size(), flushed_, now_ % kLookEvery);
}

// Returns true if nothing is in progress that state() does not include.
auto Simulation::is_quiet() const -> bool {
  return !busy_ && open_calls_ == 0 && open_claims_ == 0 && failures_.empty() &&
         std::all_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.over; });
}

auto Simulation::state() const -> std::string {
  std::string text = fmt::format("{} {} {}\n", clock().nanos, limit_.debt(now_), controllers_.failures());
  for (const NodeId node : simulated_.moved()) {
    text += fmt::format("@{}", node.index);
    for (const PodId pod : simulated_.pods_on(node)) text += " " + state_on_node(pod);
    text += '\n';
  }
  std::vector<std::pair<std::uint64_t, std::string>> waiting;
  for (const PodId pod : queue_.pods()) waiting.emplace_back(queue_.entry(pod).order, state_in_queue(pod));
  std::sort(waiting.begin(), waiting.end());
  for (const auto& [order, words] : waiting) text += words + '\n';
  for (const auto& [at, pod] : to_be_created_) text += fmt::format("+{} {}\n", at - now_, identity(pod));
  for (const PodId pod : quotas_.refused()) text += fmt::format("-{}\n", identity(pod));
  for (const std::string& claim : simulated_.claims_in_use([&](PodId user) { return identity(user); })) text += claim;
  for (const auto& [index, at] : next_recurrence_) text += fmt::format("~{} {}\n", index, at - now_);
  for (const Arrival& arrival : settings_.arrivals) {
    if (arrival.at > now_) text += fmt::format("!{} {}\n", arrival.pod.index, arrival.at - now_);
  }
  return text;
}

auto Simulation::identity(PodId pod) const -> std::string {
  return identity_of(simulated_.cluster(), simulated_.pod(pod), fates_[pod].like ? fates_[pod].like : pod);
}

// The age of a pod matters up to its longest toleration of preemption, and compared with the other pods of its node.
auto Simulation::state_on_node(PodId pod) const -> std::string {
  const Pod& p = simulated_.pod(pod);
  // A pod whose grace period was over at the start stays on its node.
  if (p.meta.deleting)
    return fmt::format("{}-{}", identity(pod), std::max<Time>(0, since_start(*p.meta.deleting) - now_));
  const auto& others = simulated_.pods_on(simulated_.node_of(pod));
  const auto rank = std::count_if(others.begin(), others.end(), [&](PodId other) {
    return simulated_.pod(other).status.start_time < p.status.start_time;
  });
  const Time age = p.status.start_time ? now_ - since_start(*p.status.start_time) : kNever;
  const Time left = fates_[pod].ends_at == kNever ? kNever : fates_[pod].ends_at - now_;
  return fmt::format("{}:{}:{}:{}", identity(pod), rank, std::min(age, longest_toleration(pod)), left);
}

auto Simulation::longest_toleration(PodId pod) const -> Time {
  const PriorityClass* found = simulated_.cluster().priority_class(simulated_.pod(pod).spec.priority_class_name);
  if (found == nullptr) return 0;
  const kube::TolerationPolicy policy = kube::toleration_policy(*found, simulated_.cluster().symbols());
  constexpr std::int64_t kMost = kNever / kSecond;
  return std::clamp<std::int64_t>(policy.toleration_seconds, 0, kMost) * kSecond;
}

// Once the back-off is longest, further failures make no difference.
auto Simulation::state_in_queue(PodId pod) const -> std::string {
  const Queue::Entry& entry = queue_.entry(pod);
  std::int64_t enough = 1;
  for (std::int64_t length = std::max<std::int64_t>(1, settings_.pace.initial_backoff);
       length < settings_.pace.max_backoff; length *= 2) {
    ++enough;
  }
  const NodeId nominated = fates_[pod].nominated;
  return fmt::format("?{} {} {} {} {} {} {}", identity(pod), static_cast<int>(entry.place),
                     std::min(entry.failures, enough), std::min(entry.errors, enough), entry.gated(),
                     now_ - entry.timestamp, nominated ? nominated.index : UINT32_MAX);
}

}  // namespace previct::sequence
