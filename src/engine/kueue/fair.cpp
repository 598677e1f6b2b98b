#include "engine/kueue/preemption.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

using ByQueue = std::map<QuotaNodeId, std::vector<WorkloadId>>;

/// Selects the ClusterQueue that gives the next victim: in each cohort, the child with the largest share.
/// Source: pkg/scheduler/preemption/fairsharing/ordering.go.
class Ordering {
 public:
  Ordering(const Trial& trial, QueueId queue, const std::vector<WorkloadId>& candidates)
      : trial_(trial), queue_(queue), own_(node_of(queue)), mine_(trial.tree.ancestors(own_)) {
    for (const WorkloadId id : candidates) left_[node_of(trial.controller->state(id).holds_in)].push_back(id);
    for (auto& [node, of] : left_) std::reverse(of.begin(), of.end());  // the next one is last
  }

  /// Returns none if no queue is left.
  auto next() -> QuotaNodeId {
    if (!trial_.tree[own_].parent) return !dropped_.contains(own_) && has_left(own_) ? own_ : QuotaNodeId{};
    const QuotaNodeId root = trial_.tree.root(own_);
    while (!dropped_.contains(root)) {
      if (const QuotaNodeId found = next_below(root)) return found;
    }
    return {};
  }
  [[nodiscard]] auto has_left(QuotaNodeId node) const -> bool {
    const auto found = left_.find(node);
    return found != left_.end() && !found->second.empty();
  }
  auto pop(QuotaNodeId node) -> WorkloadId {
    const WorkloadId id = left_[node].back();
    left_[node].pop_back();
    return id;
  }
  void drop(QuotaNodeId node) { dropped_.insert(node); }

 private:
  struct Best {
    QuotaNodeId node{};
    Share share{};
  };

  auto next_below(QuotaNodeId cohort) -> QuotaNodeId {
    for (;;) {
      const Best queue = best_queue(cohort);
      const Best below = best_cohort(cohort);
      if (!queue.node && !below.node) {
        drop(cohort);
        return {};
      }
      if (!below.node || (queue.node && below.share.compare(queue.share) < 0)) return queue.node;
      cohort = below.node;
    }
  }

  auto best_queue(QuotaNodeId cohort) -> Best {
    Best best;
    for (const QuotaNodeId child : trial_.tree[cohort].children) {
      const QuotaTree::Node& node = trial_.tree[child];
      if (!node.is_cluster_queue || node.hidden || dropped_.contains(child)) continue;
      Share share = trial_.tree.share(child);
      if ((!share.borrows && child != own_) || !has_left(child)) {
        drop(child);
        continue;
      }
      const int than_best = best.node ? share.compare(best.share) : 1;
      const bool sooner =
          than_best == 0 && trial_.controller->before(left_[child].back(), left_[best.node].back(), queue_, false);
      if (than_best > 0 || sooner) best = {child, std::move(share)};
    }
    return best;
  }

  auto best_cohort(QuotaNodeId cohort) -> Best {
    Best best;
    for (const QuotaNodeId child : trial_.tree[cohort].children) {
      if (trial_.tree[child].is_cluster_queue || dropped_.contains(child)) continue;
      Share share = trial_.tree.share(child);
      if (!share.borrows && std::find(mine_.begin(), mine_.end(), child) == mine_.end()) {
        drop(child);
        continue;
      }
      const int than_best = best.node ? share.compare(best.share) : 1;
      // Among equals, upstream keeps the last one in map order.
      if (than_best == 0) trial_.controller->note_tie();
      if (than_best > 0 || (than_best == 0 && !trial_.controller->reverses_ties())) best = {child, std::move(share)};
    }
    return best;
  }

  [[nodiscard]] auto node_of(QueueId queue) const -> QuotaNodeId {
    return trial_.controller->inventory().queues()[queue].node;
  }

  const Trial& trial_;
  QueueId queue_;
  QuotaNodeId own_;
  std::vector<QuotaNodeId> mine_;
  ByQueue left_;
  std::set<QuotaNodeId> dropped_;
};

/// Source: pkg/scheduler/preemption/preemption.go fairPreemptions.
class FairSearch {
 public:
  FairSearch(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
             const Requests& requests)
      : trial_(trial),
        controller_(*trial.controller),
        inventory_(controller_.inventory()),
        settings_(inventory_.settings()),
        queue_(inventory_.queues()[queue]),
        workload_(workload),
        id_(queue),
        needs_(needs),
        requests_(requests) {}

  auto run(Trace* trace) -> std::vector<Target> {
    find_candidates();
    if (trace != nullptr) {
      for (const WorkloadId id : candidates_) {
        const bool own = controller_.state(id).holds_in == id_;
        trace->candidates.push_back(
            {id, own ? PreemptionReason::in_cluster_queue : PreemptionReason::in_cohort_fair_sharing});
      }
    }
    if (candidates_.empty()) return {};
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [&](WorkloadId a, WorkloadId b) { return controller_.before(a, b, id_); });
    pass_ = trace == nullptr ? nullptr : &trace->passes.emplace_back();
    trial_.tree.take(queue_.node, requests_);
    const bool done = by_first_strategy() || (settings_.strategies.size() > 1 && by_second_strategy());
    trial_.tree.give_back(queue_.node, requests_);
    if (done) {
      if (pass_ != nullptr) pass_->fits = true;
      fill_back(trial_, id_, requests_, true, targets_, pass_);
    }
    for (const Target& each : targets_) trial_.put_back(each.workload);
    return done ? targets_ : std::vector<Target>{};
  }

 private:
  void find_candidates() {
    const auto add_of = [&](QueueId other, Policy policy) {
      for (const WorkloadId id : controller_.holding(other)) {
        if (controller_.satisfies(workload_, id, policy) && holds_any(controller_, id, needs_))
          candidates_.push_back(id);
      }
    };
    if (queue_.within != Policy::never) add_of(id_, queue_.within);
    if (!trial_.tree[queue_.node].parent || queue_.reclaim == Policy::never) return;
    for (const QuotaNodeId node : trial_.tree.cluster_queues(trial_.tree.root(queue_.node))) {
      if (node != queue_.node && !trial_.tree.within_nominal(node, needs_))
        add_of(inventory_.queue_of_node(node), queue_.reclaim);
    }
  }

  // Removes a candidate; returns true if the workload fits then.
  auto take(WorkloadId id, PreemptionReason reason, Step step) -> bool {
    trial_.remove(id);
    targets_.push_back({id, reason});
    trial_.tree.give_back(queue_.node, requests_);
    step.fits = trial_.fits(id_, requests_, true);
    trial_.tree.take(queue_.node, requests_);
    step.workload = id;
    step.reason = reason;
    if (pass_ != nullptr) pass_->steps.push_back(step);
    return step.fits;
  }

  // Returns the two nodes below the lowest common cohort: the one above the preemptor, and the one above the target.
  [[nodiscard]] auto sides(QuotaNodeId target) const -> std::pair<QuotaNodeId, QuotaNodeId> {
    const QuotaTree& tree = trial_.tree;
    std::vector<QuotaNodeId> mine = tree.ancestors(queue_.node);
    mine.insert(mine.begin(), queue_.node);
    QuotaNodeId theirs = target;
    for (; tree[theirs].parent; theirs = tree[theirs].parent) {
      const auto common = std::find(mine.begin(), mine.end(), tree[theirs].parent);
      if (common != mine.end()) return {*(common - 1), theirs};
    }
    return {mine.back(), theirs};
  }

  auto by_first_strategy() -> bool {
    const bool within = settings_.gates.preempt_within_nominal && trial_.tree.within_nominal(queue_.node, needs_);
    Ordering ordering(trial_, id_, candidates_);
    for (QuotaNodeId target = ordering.next(); target; target = ordering.next()) {
      if (target == queue_.node) {
        if (take(ordering.pop(target), PreemptionReason::in_cluster_queue, {.rule = StepRule::same_queue})) return true;
      } else if (within) {
        if (take(ordering.pop(target), PreemptionReason::in_cohort_reclamation, {.rule = StepRule::within_nominal}))
          return true;
      } else if (take_one_of(target, ordering)) {
        return true;
      }
    }
    return false;
  }

  auto take_one_of(QuotaNodeId target, Ordering& ordering) -> bool {
    const auto [mine, theirs] = sides(target);
    const Share preemptor = trial_.tree.share(mine);
    const Share before = trial_.tree.share(theirs);
    const FairStrategy strategy = settings_.strategies.front();
    while (ordering.has_left(target)) {
      const WorkloadId id = ordering.pop(target);
      const Requests& usage = controller_.state(id).usage;
      trial_.tree.give_back(target, usage);
      const Share after = trial_.tree.share(theirs);
      trial_.tree.take(target, usage);
      Step step{.workload = id,
                .rule = StepRule::first_strategy,
                .strategy = strategy,
                .preemptor_share = preemptor.value(),
                .old_share = before.value(),
                .new_share = after.value()};
      step.passed =
          strategy == FairStrategy::final_share ? preemptor.compare(after) <= 0 : preemptor.compare(before) < 0;
      if (*step.passed) return take(id, PreemptionReason::in_cohort_fair_sharing, step);
      if (pass_ != nullptr) pass_->steps.push_back(step);
      kept_.push_back(id);
    }
    return false;
  }

  auto by_second_strategy() -> bool {
    Ordering ordering(trial_, id_, kept_);
    for (QuotaNodeId target = ordering.next(); target; target = ordering.next()) {
      const auto [mine, theirs] = sides(target);
      const Share preemptor = trial_.tree.share(mine);
      const Share before = trial_.tree.share(theirs);
      const WorkloadId id = ordering.pop(target);
      Step step{.workload = id,
                .rule = StepRule::second_strategy,
                .strategy = settings_.strategies[1],
                .preemptor_share = preemptor.value(),
                .old_share = before.value(),
                .passed = preemptor.compare(before) < 0};
      if (*step.passed) {
        if (take(id, PreemptionReason::in_cohort_fair_sharing, step)) return true;
      } else if (pass_ != nullptr) {
        pass_->steps.push_back(step);
      }
      ordering.drop(target);
    }
    return false;
  }

  Trial& trial_;
  const Controller& controller_;
  const Inventory& inventory_;
  const Settings& settings_;
  const QueueInfo& queue_;
  WorkloadId workload_;
  QueueId id_;
  const std::vector<FlavorResource>& needs_;
  const Requests& requests_;
  std::vector<WorkloadId> candidates_;
  std::vector<WorkloadId> kept_;  // workloads that failed the first strategy
  std::vector<Target> targets_;
  Pass* pass_ = nullptr;
};

}  // namespace

auto fair_targets(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
                  const Requests& requests, Trace* trace) -> std::vector<Target> {
  return FairSearch(trial, workload, queue, needs, requests).run(trace);
}

}  // namespace previct::kueue
