#include "engine/kueue/preemption.h"

#include <algorithm>

namespace previct::kueue {
namespace {

/// Finds victims without fair sharing. Source: pkg/scheduler/preemption/preemption.go classicalPreemptions,
/// pkg/scheduler/preemption/classical.
class ClassicalSearch {
 public:
  ClassicalSearch(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
                  const Requests& requests)
      : trial_(trial),
        controller_(*trial.controller),
        inventory_(controller_.inventory()),
        queue_(inventory_.queues()[queue]),
        workload_(workload),
        id_(queue),
        needs_(needs),
        requests_(requests) {}

  auto run(Trace* trace) -> std::vector<Target> {
    find_in_own_queue();
    find_in_cohorts();
    std::vector<Candidate> all = in_order();
    if (trace != nullptr) trace->candidates = all;
    for (const bool borrowing : passes()) {
      Pass* const pass = trace == nullptr ? nullptr : &trace->passes.emplace_back(Pass{.borrowing = borrowing});
      std::vector<Target> targets = try_in_turn(all, borrowing, pass);
      for (const Target& each : targets) trial_.put_back(each.workload);
      if (fits_) return targets;
    }
    return {};
  }

 private:
  void find_in_own_queue() {
    for (const WorkloadId id : controller_.holding(id_)) {
      if (holds_any(controller_, id, needs_) && controller_.satisfies(workload_, id, queue_.within))
        same_.push_back({id, PreemptionReason::in_cluster_queue});
    }
  }

  // Visits the cohorts from the nearest one up; each time, adds the queues that are newly below it.
  void find_in_cohorts() {
    if (queue_.reclaim == Policy::never) return;
    const QuotaTree& tree = trial_.tree;
    Requests left;  // what must still come from levels above
    bool advantage = true;
    for (const Request& each : requests_) {
      advantage = advantage && !tree.borrows(queue_.node, each.of, each.amount);
      left.push_back({each.of, std::max(kNothing, each.amount - tree.local_available(queue_.node, each.of))});
    }
    QuotaNodeId done = queue_.node;
    for (const QuotaNodeId cohort : tree.ancestors(queue_.node)) {
      find_below(cohort, done, advantage);
      bool fits = true;
      for (Request& each : left) {
        fits = fits && !tree.borrows(cohort, each.of, each.amount);
        each.amount = std::max(kNothing, each.amount - tree.local_available(cohort, each.of));
      }
      advantage = advantage || fits;
      done = cohort;
    }
  }

  void find_below(QuotaNodeId ancestor, QuotaNodeId done, bool advantage) {
    const QuotaTree& tree = trial_.tree;
    std::vector<QuotaNodeId> cohorts = {ancestor};
    while (!cohorts.empty()) {
      const QuotaNodeId cohort = cohorts.back();
      cohorts.pop_back();
      for (const QuotaNodeId child : tree[cohort].children) {
        if (child == done || tree.within_nominal(child, needs_)) continue;
        if (!tree[child].is_cluster_queue) {
          cohorts.push_back(child);
        } else if (!tree[child].hidden) {
          add_of(inventory_.queue_of_node(child), ancestor, advantage);
        }
      }
    }
  }

  void add_of(QueueId other, QuotaNodeId ancestor, bool advantage) {
    const std::int64_t mine = inventory_.workloads()[workload_].priority();
    for (const WorkloadId id : controller_.holding(other)) {
      if (!holds_any(controller_, id, needs_) || !controller_.satisfies(workload_, id, queue_.reclaim)) continue;
      const std::int64_t theirs = inventory_.workloads()[id].priority();
      Candidate candidate{id, PreemptionReason::in_cohort_reclamation, true, ancestor};
      if (advantage) {
        hierarchical_.push_back(candidate);
        continue;
      }
      const bool above = theirs >= mine || (queue_.threshold && theirs > *queue_.threshold);
      if (!queue_.borrows_to_preempt || above) {
        candidate.while_borrowing = false;
      } else {
        candidate.reason = PreemptionReason::in_cohort_reclaim_while_borrowing;
      }
      by_priority_.push_back(candidate);
    }
  }

  auto in_order() -> std::vector<Candidate> {
    std::vector<Candidate> all;
    for (std::vector<Candidate>* list : {&hierarchical_, &by_priority_, &same_}) {
      std::stable_sort(list->begin(), list->end(), [&](const Candidate& a, const Candidate& b) {
        return controller_.before(a.workload, b.workload, id_);
      });
    }
    for (const bool evicted : {true, false}) {
      for (const std::vector<Candidate>* list : {&hierarchical_, &by_priority_, &same_}) {
        for (const Candidate& each : *list) {
          if (controller_.is_evicted(each.workload) == evicted) all.push_back(each);
        }
      }
    }
    return all;
  }

  [[nodiscard]] auto passes() const -> std::vector<bool> {
    if (hierarchical_.empty() && by_priority_.empty()) return {true};
    if (queue_.borrows_to_preempt) return {true, false};
    const bool under = std::all_of(needs_.begin(), needs_.end(), [&](FlavorResource each) {
      return trial_.tree.nominal(queue_.node, each) > trial_.tree.usage(queue_.node, each);
    });
    if (!under) return {true};
    return hierarchical_.empty() ? std::vector<bool>{false, true} : std::vector<bool>{true, false};
  }

  [[nodiscard]] auto passed_over(const Candidate& candidate, bool borrowing) const -> std::optional<PassedOver> {
    if (!candidate.below) return {};
    if (borrowing && !candidate.while_borrowing) return PassedOver::only_without_borrowing;
    QuotaNodeId at = inventory_.queues()[controller_.state(candidate.workload).holds_in].node;
    for (; at && at != candidate.below; at = trial_.tree[at].parent) {
      if (trial_.tree.within_nominal(at, needs_)) return PassedOver::back_to_nominal;
    }
    return {};
  }

  auto try_in_turn(const std::vector<Candidate>& all, bool borrowing, Pass* pass) -> std::vector<Target> {
    std::vector<Target> targets;
    for (const Candidate& candidate : all) {
      if (const auto why = passed_over(candidate, borrowing)) {
        if (pass != nullptr) pass->passed_over.emplace_back(candidate.workload, *why);
        continue;
      }
      trial_.remove(candidate.workload);
      targets.push_back({candidate.workload, candidate.reason});
      fits_ = trial_.fits(id_, requests_, borrowing);
      if (pass != nullptr)
        pass->steps.push_back({.workload = candidate.workload, .reason = candidate.reason, .fits = fits_});
      if (!fits_) continue;
      if (pass != nullptr) pass->fits = true;
      fill_back(trial_, id_, requests_, borrowing, targets, pass);
      break;
    }
    return targets;
  }

  Trial& trial_;
  const Controller& controller_;
  const Inventory& inventory_;
  const QueueInfo& queue_;
  WorkloadId workload_;
  QueueId id_;
  const std::vector<FlavorResource>& needs_;
  const Requests& requests_;
  std::vector<Candidate> hierarchical_;  // of queues that use quota of the preemptor's own part of the tree
  std::vector<Candidate> by_priority_;
  std::vector<Candidate> same_;
  bool fits_ = false;
};

}  // namespace

auto classical_targets(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
                       const Requests& requests, Trace* trace) -> std::vector<Target> {
  return ClassicalSearch(trial, workload, queue, needs, requests).run(trace);
}

}  // namespace previct::kueue
