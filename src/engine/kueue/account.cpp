#include "engine/kueue/account.h"

#include "engine/kueue/gaps.h"

#include <algorithm>
#include <utility>

namespace previct::kueue {
namespace {

auto queue_of(const Inventory& inventory, WorkloadId workload) -> QueueId {
  const auto& admission = inventory.workloads()[workload].object->status.admission;
  if (admission && admission->cluster_queue) return inventory.find_queue(inventory.text(admission->cluster_queue));
  return inventory.queue_of(workload);
}

auto gets_quota(EntryOutcome outcome) -> bool {
  return takes_quota_now(outcome) || outcome == EntryOutcome::preempting;
}

void follow_again(EngineTrace& account, Course& course, std::size_t most) {
  const Entry* const first = account.entry();
  if (first == nullptr || gets_quota(first->outcome) || first->outcome == EntryOutcome::inadmissible) return;
  const std::string& tree = account.inventory->queues()[account.queue].tree;
  if (first->outcome != EntryOutcome::skipped && account.start.leaving(tree).empty()) return;
  for (std::size_t i = account.cycle; i < most && account.again == 0; ++i) {
    std::shared_ptr<const CycleFacts> facts = course.cycle(i);
    if (!facts) return;
    if (facts->find(account.workload) != nullptr) account.again = i + 1;
    if (i == account.cycles.size()) account.cycles.push_back(std::move(facts));
  }
}

// Collects the cycles up to the workload's turn; with `on`, also the later ones.
void follow(EngineTrace& account, Course& course, std::size_t most, bool on) {
  std::size_t i = 0;
  for (; i < most && (on || account.cycle == 0); ++i) {
    std::shared_ptr<const CycleFacts> facts = course.cycle(i);
    if (!facts) break;
    const bool its_turn = account.cycle == 0 && facts->find(account.workload) != nullptr;
    if (account.cycle == 0) {
      account.by_chance = course.met_tie(i);
      account.orders = course.orders(i);
    }
    if (its_turn) account.cycle = i + 1;
    for (const auto& [id, tried] : facts->alike) {
      if (id != account.workload) continue;
      account.like = tried;
      account.like_cycle = i + 1;
    }
    account.cycles.push_back(std::move(facts));
  }
  account.cut = !on && account.cycle == 0 && i == most && course.cycle(i) != nullptr;
  follow_again(account, course, most);
}

void note_changes(EngineTrace& account, const Controller& played) {
  for (const WorkloadId id : account.inventory->workloads().ids()) {
    const Phase phase = played.phase(id);
    if (phase != account.start.phase(id)) account.changed.emplace_back(id, phase);
  }
}

auto alone(const EngineTrace& account) -> std::optional<Alone> {
  const WorkloadId id = account.workload;
  Controller controller(*account.inventory, account.start.now(), id, account.start.tie_order());
  if (!controller.waits(id)) return {};
  Alone found;
  if (refusal(controller, id, account.queue) == Refused::no) {
    Trial trial(controller);
    const Nomination nomination = nominate(trial, id, account.queue);
    if (nomination.assignment.mode() == Mode::preempt) {
      Trace& trace = found.trace.emplace();
      static_cast<void>(targets_of(trial, id, account.queue, nomination.assignment, &trace));
      found.others = no_candidates(trial, account.queue, trace);
    }
  }
  CycleFacts facts = run_cycle(controller);
  found.entry = *facts.find(id);
  controller.settle();
  if (found.entry.outcome != EntryOutcome::preempting) return found;
  const CycleFacts next = run_cycle(controller);
  if (const Entry* const again = next.find(id)) found.then = again->outcome;
  return found;
}

// Searches the next cycles for the one that preempts the workload.
auto preemptor_of(EngineTrace& account, Course& course, std::size_t most) -> std::optional<Preemptor> {
  const Inventory& inventory = *account.inventory;
  const std::vector<Gap> of_input = gaps_of(inventory);
  Preemptor found{.certain = deciding_gap(of_input) == nullptr};
  for (std::size_t i = 0; i < most; ++i) {
    const std::shared_ptr<const CycleFacts> facts = course.cycle(i);
    if (!facts) return {};
    account.by_chance = course.met_tie(i);
    account.orders = course.orders(i);
    found.certain = found.certain && !account.by_chance;
    for (const Entry& entry : facts->entries) {
      found.certain = found.certain && !doubt_of(inventory, entry) && !doubt_of_workloads(inventory, entry) &&
                      !doubt_of_cohorts(inventory, account.start.tree(), entry);
      const bool takes = entry.outcome == EntryOutcome::preempting &&
                         std::any_of(entry.targets.begin(), entry.targets.end(),
                                     [&](const Target& each) { return each.workload == account.workload; });
      if (!takes) continue;
      found.workload = entry.workload;
      found.cycle = i + 1;
      return found;
    }
  }
  return {};
}

}  // namespace

auto EngineTrace::awaits_quota() const -> bool {
  const Entry* const then = entry_again();
  return then != nullptr && entry()->outcome != EntryOutcome::skipped && gets_quota(then->outcome);
}

auto EngineTrace::returning_unnoticed() const -> std::vector<WorkloadId> {
  const Entry* const first = entry();
  if (first == nullptr || again != 0 || gets_quota(first->outcome)) return {};
  const auto lacks = [&](const Request& used) {
    const FlavorResources::Names& names = inventory->names()[used.of];
    return std::any_of(first->assignment.sets.begin(), first->assignment.sets.end(), [&](const AssignedPodSet& set) {
      return std::any_of(set.reasons.begin(), set.reasons.end(), [&](const WhyNot& why) {
        return why.kind == WhyNot::Kind::short_of && why.flavor == names.flavor && why.resource == names.resource;
      });
    });
  };
  std::vector<WorkloadId> found = start.leaving(inventory->queues()[queue].tree);
  std::erase_if(found, [&](WorkloadId id) {
    const LocalQueueId local = inventory->workloads()[id].local_queue;
    const Requests& usage = start.state(id).usage;
    return (local && !inventory->local_queues()[local].stopped) || std::none_of(usage.begin(), usage.end(), lacks);
  });
  return found;
}

auto outcome_of(const Entry& entry) -> Outcome {
  switch (entry.outcome) {
    case EntryOutcome::admitted:
    case EntryOutcome::reserved: return Outcome::fits;
    case EntryOutcome::preempting: return Outcome::preempts;
    case EntryOutcome::inadmissible: return Outcome::pending;
    case EntryOutcome::no_fit:
    case EntryOutcome::no_candidates:
    case EntryOutcome::skipped: break;
  }
  return Outcome::pending;
}

auto alike(const EngineTrace& a, const EngineTrace& b) -> bool {
  const Entry* const x = a.entry();
  const Entry* const y = b.entry();
  if (x == nullptr || y == nullptr) return x == y;
  const auto takes = [](const Entry& entry) {
    return entry.outcome == EntryOutcome::admitted || entry.outcome == EntryOutcome::reserved;
  };
  if (x->outcome != y->outcome || x->targets != y->targets) return false;
  return !takes(*x) || x->same(*y);
}

auto why_not_queued(const Controller& controller, WorkloadId workload) -> NotQueued {
  const NotQueued why = controller.not_queued(workload);
  if (why != NotQueued::no) return why;
  const Inventory& inventory = controller.inventory();
  if (inventory.queues()[queue_of(inventory, workload)].inactive != Inactive::no)
    return NotQueued::cluster_queue_inactive;
  return controller.state(workload).aside ? NotQueued::backoff : NotQueued::no;
}

auto account_of(std::shared_ptr<const Inventory> inventory, Future& future, WorkloadId workload, std::size_t most,
                Depth depth) -> std::shared_ptr<EngineTrace> {
  auto account = std::make_shared<EngineTrace>(std::move(inventory), workload, future.start);
  account->queue = queue_of(*account->inventory, workload);
  account->not_queued = why_not_queued(account->start, workload);
  const bool holds = account->not_queued == NotQueued::admitted || account->not_queued == NotQueued::reserved;
  if (holds && account->queue && depth != Depth::brief)
    account->preemptor =
        preemptor_of(*account, future.course(account->inventory->queues()[account->queue].scope), most);
  if (account->not_queued != NotQueued::no) return account;
  if (depth != Depth::brief) account->alone = alone(*account);
  if (depth == Depth::in_full) {
    Course& all = future.course("");
    follow(*account, all, most, true);
    note_changes(*account, all.played());
    if (account->cycle != 0) return account;
    auto later = std::make_shared<EngineTrace>(account->inventory, workload, account->kept);
    later->queue = account->queue;
    later->alone = account->alone;
    later->recorded = std::move(account);
    account = std::move(later);
  }
  const std::string& scope = account->inventory->queues()[account->queue].scope;
  follow(*account, future.course(scope), std::max(most, kMostCyclesToTurn), false);
  return account;
}

}  // namespace previct::kueue
