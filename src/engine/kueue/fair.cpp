#include "engine/kueue/preemption.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace previct::kueue {
namespace {

/// Selects the ClusterQueue that gives the next victim: in each cohort, the child with the largest share.
/// A choice is kept until something below its cohort changes.
/// Source: pkg/scheduler/preemption/fairsharing/ordering.go.
class Ordering {
 public:
  /// Adds the candidates of a queue to a list, the next one first.
  using Source = std::function<void(QuotaNodeId, std::vector<WorkloadId>&)>;

  Ordering(const Trial& trial, QueueId queue, Source source)
      : trial_(trial), queue_(queue), own_(node_of(queue)), source_(std::move(source)), nodes_(trial.tree.size()) {
    for (QuotaNodeId at = own_; at; at = trial.tree[at].parent) nodes_[at.index].mine = true;
  }

  /// Returns none if no queue is left.
  auto next() -> QuotaNodeId {
    if (!trial_.tree[own_].parent) return !nodes_[own_.index].dropped && has_left(own_) ? own_ : QuotaNodeId{};
    const QuotaNodeId root = trial_.tree.root(own_);
    while (!nodes_[root.index].dropped) {
      if (const QuotaNodeId found = next_below(root)) return found;
    }
    return {};
  }
  [[nodiscard]] auto has_left(QuotaNodeId queue) -> bool {
    NodeState& state = nodes_[queue.index];
    if (!state.asked) {
      state.next = candidates_.size();
      source_(queue, candidates_);
      state.end = candidates_.size();
      state.asked = true;
    }
    return state.next != state.end;
  }
  auto pop(QuotaNodeId queue) -> WorkloadId {
    reconsider(trial_.tree[queue].parent);
    return candidates_[nodes_[queue.index].next++];
  }
  void drop(QuotaNodeId node) {
    nodes_[node.index].dropped = true;
    reconsider(trial_.tree[node].parent);
  }
  /// Call this when a workload of the queue is removed.
  void changed(QuotaNodeId queue) {
    for (QuotaNodeId at = trial_.tree[queue].parent; at; at = trial_.tree[at].parent) reconsider(at);
  }

 private:
  struct NodeState {
    bool mine = false;  ///< the preemptor's queue, or a cohort above it
    bool dropped = false;
    bool decided = false;  ///< for a cohort: whether `best` still holds
    bool asked = false;    ///< for a queue: whether its candidates are known
    QuotaNodeId best{};    ///< for a cohort: the child with the largest share; null: none is left
    std::size_t next = 0;  ///< for a queue: the candidates that are left
    std::size_t end = 0;
  };

  void reconsider(QuotaNodeId cohort) {
    if (cohort) nodes_[cohort.index].decided = false;
  }

  auto next_below(QuotaNodeId cohort) -> QuotaNodeId {
    for (;;) {
      const QuotaNodeId best = best_of(cohort);
      if (!best) drop(cohort);
      if (!best || trial_.tree[best].is_cluster_queue) return best;
      cohort = best;
    }
  }

  auto best_of(QuotaNodeId cohort) -> QuotaNodeId {
    NodeState& state = nodes_[cohort.index];
    if (state.decided) return state.best;
    const QuotaNodeId queue = best_queue(cohort);
    const QuotaNodeId below = best_cohort(cohort);
    const bool is_queue = !below || (queue && share(below).compare(share(queue)) < 0);
    state.best = is_queue ? queue : below;
    state.decided = true;
    return state.best;
  }

  auto best_queue(QuotaNodeId cohort) -> QuotaNodeId {
    QuotaNodeId best;
    for (const QuotaNodeId child : trial_.tree[cohort].children) {
      const QuotaTree::Node& node = trial_.tree[child];
      if (!node.is_cluster_queue || node.hidden || nodes_[child.index].dropped) continue;
      if ((!share(child).borrows && child != own_) || !has_left(child)) {
        drop(child);
        continue;
      }
      const int than_best = best ? share(child).compare(share(best)) : 1;
      if (than_best > 0 || (than_best == 0 && sooner(child, best))) best = child;
    }
    return best;
  }

  auto best_cohort(QuotaNodeId cohort) -> QuotaNodeId {
    QuotaNodeId best;
    for (const QuotaNodeId child : trial_.tree[cohort].children) {
      if (trial_.tree[child].is_cluster_queue || nodes_[child.index].dropped) continue;
      if (!share(child).borrows && !nodes_[child.index].mine) {
        drop(child);
        continue;
      }
      const int than_best = best ? share(child).compare(share(best)) : 1;
      // Among equals, upstream keeps the last one in map order.
      if (than_best == 0) trial_.controller->note_tie();
      if (than_best > 0 ||
          (than_best == 0 && trial_.controller->ties().takes_last_cohort(inventory().queues()[queue_].scope)))
        best = child;
    }
    return best;
  }

  [[nodiscard]] auto sooner(QuotaNodeId a, QuotaNodeId b) const -> bool {
    const WorkloadId first = candidates_[nodes_[a.index].next];
    return trial_.controller->before(first, candidates_[nodes_[b.index].next], queue_, false);
  }
  [[nodiscard]] auto share(QuotaNodeId node) const -> const Share& { return trial_.tree.share(node); }
  [[nodiscard]] auto inventory() const -> const Inventory& { return trial_.controller->inventory(); }
  [[nodiscard]] auto node_of(QueueId queue) const -> QuotaNodeId { return inventory().queues()[queue].node; }

  const Trial& trial_;
  QueueId queue_;
  QuotaNodeId own_;
  Source source_;
  std::vector<WorkloadId> candidates_;  ///< of the queues that were asked, queue by queue
  std::vector<NodeState> nodes_;
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
        requests_(requests) {
    for (QuotaNodeId at = queue_.node; at; at = trial.tree[at].parent) path_.push_back(at);
  }

  auto run(Trace* trace) -> std::vector<Target> {
    if (trace != nullptr && !start_trace(*trace)) return {};
    if (settings_.admission_fair_sharing) sort_together();
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
  // Returns false if there are no candidates.
  auto start_trace(Trace& trace) -> bool {
    for (const WorkloadId id : all_candidates()) {
      const bool own = controller_.state(id).holds_in == id_;
      trace.candidates.push_back(
          {id, own ? PreemptionReason::in_cluster_queue : PreemptionReason::in_cohort_fair_sharing});
    }
    if (!trace.candidates.empty()) pass_ = &trace.passes.emplace_back();
    return pass_ != nullptr;
  }

  [[nodiscard]] auto all_candidates() const -> std::vector<WorkloadId> {
    std::vector<WorkloadId> all;
    find_candidates(queue_.node, all);
    for (const QuotaNodeId node : trial_.tree.cluster_queues(path_.back())) {
      if (node != queue_.node) find_candidates(node, all);
    }
    return all;
  }

  void find_candidates(QuotaNodeId node, std::vector<WorkloadId>& to) const {
    const bool own = node == queue_.node;
    const Policy policy = own ? queue_.within : queue_.reclaim;
    if (policy == Policy::never || (!own && trial_.tree.within_nominal(node, needs_))) return;
    for (const WorkloadId id : controller_.holding(inventory_.queue_of_node(node))) {
      if (controller_.satisfies(workload_, id, policy) && holds_any(controller_, id, needs_)) to.push_back(id);
    }
  }

  // Where LocalQueues are compared by usage, the order in one queue depends on the candidates of the others.
  void sort_together() {
    sorted_ = all_candidates();
    std::stable_sort(sorted_.begin(), sorted_.end(), [&](auto a, auto b) { return controller_.before(a, b, id_); });
  }

  void add_in_order(QuotaNodeId node, std::vector<WorkloadId>& to) const {
    if (settings_.admission_fair_sharing) {
      std::copy_if(sorted_.begin(), sorted_.end(), std::back_inserter(to),
                   [&](WorkloadId id) { return node_of(id) == node; });
      return;
    }
    const auto known = static_cast<std::ptrdiff_t>(to.size());
    find_candidates(node, to);
    std::stable_sort(to.begin() + known, to.end(), [&](auto a, auto b) { return controller_.before(a, b, id_); });
  }

  [[nodiscard]] auto node_of(WorkloadId id) const -> QuotaNodeId {
    return inventory_.queues()[controller_.state(id).holds_in].node;
  }

  // Drops the nodes that are never chosen: the shares of others only become smaller during the search, and as long as
  // nothing else is taken from its side of a cohort, the preemptor's share is at least the one without its own queue's
  // candidates. A trace lists the steps for them, too.
  void drop_hopeless(Ordering& ordering) {
    std::vector<WorkloadId> own;
    add_in_order(queue_.node, own);
    for (const WorkloadId id : own) trial_.remove(id);
    bool alone = true;
    for (std::size_t i = 0; alone && i + 1 < path_.size(); ++i) {
      const Share& mine = trial_.tree.share(path_[i]);
      for (const QuotaNodeId child : trial_.tree[path_[i + 1]].children) {
        const Share& theirs = trial_.tree.share(child);
        if (child == path_[i] || !theirs.borrows) continue;
        if (passes(mine, theirs, theirs)) {
          alone = false;
        } else {
          ordering.drop(child);
        }
      }
    }
    for (const WorkloadId id : own) trial_.put_back(id);
  }

  // Keeps a removed candidate as a target; returns true if the workload fits now.
  auto take(WorkloadId id, PreemptionReason reason, Ordering& ordering, Step step) -> bool {
    ordering.changed(node_of(id));
    targets_.push_back({id, reason});
    trial_.tree.give_back(queue_.node, requests_);
    step.fits = trial_.fits(id_, requests_, true);
    trial_.tree.take(queue_.node, requests_);
    step.workload = id;
    step.reason = reason;
    if (pass_ != nullptr) pass_->steps.push_back(step);
    return step.fits;
  }
  auto take_next(QuotaNodeId queue, PreemptionReason reason, Ordering& ordering, StepRule rule) -> bool {
    const WorkloadId id = ordering.pop(queue);
    trial_.remove(id);
    return take(id, reason, ordering, {.rule = rule});
  }

  // Returns the two nodes below the lowest common cohort: the one above the preemptor, and the one above the target.
  [[nodiscard]] auto sides(QuotaNodeId target) const -> std::pair<QuotaNodeId, QuotaNodeId> {
    const QuotaTree& tree = trial_.tree;
    QuotaNodeId theirs = target;
    for (; tree[theirs].parent; theirs = tree[theirs].parent) {
      const auto common = std::find(path_.begin(), path_.end(), tree[theirs].parent);
      if (common != path_.end()) return {*(common - 1), theirs};
    }
    return {path_.back(), theirs};
  }

  auto by_first_strategy() -> bool {
    const bool within = settings_.gates.preempt_within_nominal && trial_.tree.within_nominal(queue_.node, needs_);
    Ordering ordering(trial_, id_, [this](QuotaNodeId queue, auto& to) { add_in_order(queue, to); });
    if (!within && pass_ == nullptr) drop_hopeless(ordering);
    for (QuotaNodeId target = ordering.next(); target; target = ordering.next()) {
      if (target == queue_.node) {
        if (take_next(target, PreemptionReason::in_cluster_queue, ordering, StepRule::same_queue)) return true;
      } else if (within) {
        if (take_next(target, PreemptionReason::in_cohort_reclamation, ordering, StepRule::within_nominal)) return true;
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
    // A share is never larger after a removal, so if it is too small already, only a trace needs each step.
    const bool hopeless = pass_ == nullptr && !passes(preemptor, before, before);
    while (ordering.has_left(target)) {
      const WorkloadId id = ordering.pop(target);
      if (!hopeless) {
        trial_.remove(id);
        const Share& after = trial_.tree.share(theirs);
        Step step{.workload = id,
                  .rule = StepRule::first_strategy,
                  .strategy = settings_.strategies.front(),
                  .preemptor_share = preemptor.value(),
                  .old_share = before.value(),
                  .new_share = after.value(),
                  .passed = passes(preemptor, before, after)};
        if (*step.passed) return take(id, PreemptionReason::in_cohort_fair_sharing, ordering, step);
        trial_.put_back(id);
        if (pass_ != nullptr) pass_->steps.push_back(step);
      }
      kept_[target].push_back(id);
    }
    return false;
  }

  [[nodiscard]] auto passes(const Share& preemptor, const Share& before, const Share& after) const -> bool {
    return settings_.strategies.front() == FairStrategy::final_share ? preemptor.compare(after) <= 0
                                                                     : preemptor.compare(before) < 0;
  }

  auto by_second_strategy() -> bool {
    Ordering ordering(trial_, id_, [this](QuotaNodeId queue, auto& to) {
      to.insert(to.end(), kept_[queue].begin(), kept_[queue].end());
    });
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
        trial_.remove(id);
        if (take(id, PreemptionReason::in_cohort_fair_sharing, ordering, step)) return true;
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
  std::vector<QuotaNodeId> path_;                        // its queue, and the cohorts above
  std::vector<WorkloadId> sorted_;                       // all candidates, if they are sorted together
  std::map<QuotaNodeId, std::vector<WorkloadId>> kept_;  // workloads that failed the first strategy
  std::vector<Target> targets_;
  Pass* pass_ = nullptr;
};

}  // namespace

auto fair_targets(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
                  const Requests& requests, Trace* trace) -> std::vector<Target> {
  return FairSearch(trial, workload, queue, needs, requests).run(trace);
}

}  // namespace previct::kueue
