#include "engine/kueue/play.h"

#include "engine/kueue/course.h"
#include "engine/kueue/gaps.h"

#include <algorithm>
#include <set>
#include <string>

namespace previct::kueue {
namespace {

constexpr std::int32_t kMostTimeouts = 5;  // of one workload, if no backoffLimitCount ends them

auto phases(const Controller& controller) -> std::vector<std::pair<WorkloadId, Phase>> {
  std::vector<std::pair<WorkloadId, Phase>> all;
  for (const WorkloadId id : controller.inventory().workloads().ids()) {
    const Phase phase = controller.phase(id);
    const bool deleting = controller.inventory().workloads()[id].object->meta.deleting.has_value();
    if (phase != Phase::finished && !deleting) all.emplace_back(id, phase);
  }
  const auto& workloads = controller.inventory().workloads();
  std::sort(all.begin(), all.end(),
            [&](const auto& a, const auto& b) { return workloads[a.first].key < workloads[b.first].key; });
  return all;
}

}  // namespace

auto holds_quota(Phase phase) -> bool {
  return phase == Phase::admitted || phase == Phase::reserved || phase == Phase::evicting;
}

auto queues_with_head(const Controller& start) -> std::vector<QueueId> {
  std::vector<QueueId> queues;
  for (const QueueId queue : start.inventory().queues().ids()) {
    if (start.head(queue)) queues.push_back(queue);
  }
  return queues;
}

auto play(const Inventory& inventory, Instant now, std::size_t most, TieOrder ties) -> Play {
  Controller controller(inventory, now, WorkloadId{}, ties);
  Play play;
  play.start = now;
  play.before = phases(controller);
  for (const auto& [id, phase] : play.before) {
    const NotQueued why = phase == Phase::admitted ? NotQueued::no : why_not_queued(controller, id);
    if (why != NotQueued::no) play.kept_out.emplace_back(id, why);
  }
  std::map<std::string, std::size_t> seen = {{state_text(controller), 0}};
  // When nothing changes anymore, the time advances to the next end of a back-off, or loss of quota.
  const auto advance = [&] {
    const Instant next = std::min(controller.next_requeue(), controller.next_loss().second.at);
    if (next.is_never()) return false;
    for (const WorkloadId id : controller.advance(next)) {
      const QuotaLoss& loss = controller.state(id).loss;
      play.losses.push_back({id, loss.reason, next, play.cycles.size()});
      // Without a limit, this never ends.
      const bool has_limit = loss.reason != LossReason::pods_not_ready || inventory.settings().pods_ready->limit;
      play.cut = play.cut || (!has_limit && controller.state(id).requeues > kMostTimeouts);
    }
    if (!controller.any_head()) static_cast<void>(controller.settle());
    return true;
  };
  // Workloads that are being evicted return their quota even if no other workload can be tried.
  if (!controller.any_head()) static_cast<void>(controller.settle());
  while (!play.cut && (controller.any_head() || advance())) {
    if (!controller.any_head()) continue;
    if (play.cycles.size() == most) {
      play.cut = true;
      break;
    }
    CycleFacts facts = run_cycle(controller);
    facts.gone = controller.settle();
    play.cycles.push_back(std::move(facts));
    const auto [at, fresh] = seen.try_emplace(state_text(controller), play.cycles.size());
    if (fresh) continue;
    const std::size_t length = play.cycles.size() - at->second;
    // A cycle that changes nothing also recurs, but is not a loop worth reporting.
    const bool moves = std::any_of(play.cycles.end() - static_cast<std::ptrdiff_t>(length), play.cycles.end(),
                                   [](const CycleFacts& each) { return !each.gone.empty(); });
    if (moves) play.loop = Play::Loop{at->second, length};
    if (moves || !advance()) break;
  }
  play.after = phases(controller);
  for (const auto& [id, phase] : play.after) {
    if (!holds_quota(phase) && controller.state(id).deactivated) play.deactivated.push_back(id);
  }
  play.met_tie = controller.met_tie();
  play.orders = controller.ties().orders();
  return play;
}

namespace {

auto blocked_in(const Controller& start, const Play& play) -> BlockedAdmission {
  BlockedAdmission blocked(start);
  auto loss = play.losses.begin();
  for (std::size_t i = 0; i < play.cycles.size(); ++i) {
    for (; loss != play.losses.end() && loss->cycle == i; ++loss) blocked.lose(loss->workload);
    blocked.follow(play.cycles[i]);
  }
  return blocked;
}

}  // namespace

auto doubts_in(const Inventory& inventory, Instant now, std::size_t most, const Play& play) -> Doubts {
  Doubts found;
  std::map<WorkloadId, Gap>& doubts = found.workloads;
  std::map<std::string_view, WorkloadId> first;  // by scope
  const Controller start(inventory, now);
  if (const auto doubt = doubt_of_all(inventory)) {
    for (const auto& [id, phase] : play.before) {
      if (!holds_quota(phase)) doubts.try_emplace(id, *doubt);
    }
  }
  const BlockedAdmission blocked = blocked_in(start, play);
  for (const auto& [id, gap] : blocked.workloads()) doubts.try_emplace(id, gap);
  for (const CycleFacts& facts : play.cycles) {
    for (const Entry& entry : facts.refused) {
      if (const auto doubt = doubt_of_input(inventory, start.tree(), entry)) doubts.try_emplace(entry.workload, *doubt);
    }
    for (const Entry& entry : facts.entries) {
      const std::string& scope = inventory.queues()[entry.queue].scope;
      if (const auto doubt = doubt_of_input(inventory, start.tree(), entry)) doubts.try_emplace(entry.workload, *doubt);
      if (const auto doubt = doubt_of(inventory, entry)) {
        doubts.try_emplace(entry.workload, *doubt);
        first.try_emplace(scope, entry.workload);
      } else if (const auto before = first.find(scope); before != first.end()) {
        doubts.try_emplace(entry.workload,
                           Gap{GapRule::kueue_earlier_workload, {inventory.workloads()[before->second].key}, true});
      }
    }
  }
  for (const auto& [id, why] : play.kept_out) {
    if (const auto doubt = doubt_of_absent_object(inventory, why, inventory.queue_of(id)))
      doubts.try_emplace(id, *doubt);
  }
  if (!play.met_tie) return found;
  found.untried_orders = !each_order(inventory, play.orders, queues_with_head(start), [&](TieOrder order) {
    const Play other = kueue::play(inventory, now, most, order);
    const std::map<WorkloadId, Phase> phases(other.after.begin(), other.after.end());
    for (const auto& [id, phase] : play.after) {
      const auto same = phases.find(id);
      if (same == phases.end() || same->second != phase) doubts.try_emplace(id, Gap{GapRule::kueue_chance, {}, true});
    }
    return std::optional(other.orders);
  });
  return found;
}

auto gaps_of(const Inventory& inventory, const Play& play, const Doubts& doubts) -> std::vector<Gap> {
  std::vector<Gap> gaps = gaps_of(inventory);
  for (const auto& [id, gap] : doubts.workloads) add_gaps({gap}, gaps);
  if (doubts.untried_orders) add_gaps({Gap{GapRule::kueue_chance}}, gaps);
  if (inventory.settings().blocks_admission)
    add_gaps({BlockedAdmission(Controller(inventory, play.start)).gap()}, gaps);
  gaps.push_back({GapRule::kueue_at_once});
  const bool not_ready = std::any_of(play.losses.begin(), play.losses.end(), [](const Play::Loss& each) {
    return each.reason == LossReason::pods_not_ready || each.reason == LossReason::requeuing_limit;
  });
  if (not_ready) gaps.push_back({GapRule::kueue_never_ready});
  return gaps;
}

auto simulated_cycles(const Inventory& inventory, Instant now, std::size_t most) -> SimulatedCycles {
  const Play play = kueue::play(inventory, now, most);
  const Doubts doubts = doubts_in(inventory, now, most, play);
  SimulatedCycles found{.cycles = play.cycles.size(),
                        .loop = play.loop ? play.loop->length : 0,
                        .cut = play.cut,
                        .work = (play.cycles.size() + 1) * inventory.workloads().size(),
                        .release = release_words(inventory.settings()),
                        .gaps = gaps_of(inventory, play, doubts)};
  using Result = SimulatedCycles::Result;
  for (std::size_t i = 0; i < play.before.size(); ++i) {
    const auto [id, phase] = play.before[i];
    if (holds_quota(phase)) continue;
    SimulatedCycles::End end{.name = "workload/" + inventory.workloads()[id].key};
    const bool holds = holds_quota(play.after[i].second);
    end.result = doubts.contains(id)                       ? Result::unknown
                 : play.after[i].second == Phase::reserved ? Result::reserved
                 : holds                                   ? Result::admitted
                                                           : Result::pending;
    // What holds quota at the end got it with its last entry.
    if (holds && end.result != Result::unknown) {
      const auto last = std::find_if(play.cycles.rbegin(), play.cycles.rend(),
                                     [id = id](const CycleFacts& each) { return each.find(id) != nullptr; });
      end.cycle = static_cast<std::size_t>(play.cycles.rend() - last);
      end.assigned = assigned_by(inventory, *last->find(id));
    }
    found.ends.push_back(std::move(end));
  }
  std::set<WorkloadId> held;
  for (const auto& [id, phase] : play.before) {
    if (holds_quota(phase)) held.insert(id);
  }
  for (const auto& [id, times] : preemptions_in(play)) {
    found.evictions += times;
    if (held.contains(id)) found.victims.push_back("workload/" + inventory.workloads()[id].key);
  }
  std::sort(found.victims.begin(), found.victims.end());
  return found;
}

auto preemptions_in(const Play& play, std::size_t from) -> std::vector<std::pair<WorkloadId, std::size_t>> {
  std::map<WorkloadId, std::size_t> counts;
  for (std::size_t i = from; i < play.cycles.size(); ++i) {
    for (const Entry& entry : play.cycles[i].entries) {
      if (entry.outcome != EntryOutcome::preempting) continue;
      for (std::size_t target = 0; target < entry.targets.size(); ++target) {
        if (entry.ongoing[target] == 0) ++counts[entry.targets[target].workload];
      }
    }
  }
  return {counts.begin(), counts.end()};
}

}  // namespace previct::kueue
