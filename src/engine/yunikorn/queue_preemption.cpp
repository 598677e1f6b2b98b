#include "engine/yunikorn/queue_preemption.h"

#include "engine/yunikorn/eligible.h"
#include "engine/yunikorn/guarantees.h"
#include "engine/yunikorn/orders.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace previct::yunikorn {
namespace {

constexpr std::int64_t kOriginator = std::int64_t{1} << 33;
constexpr std::int64_t kOptedOut = std::int64_t{1} << 34;
constexpr std::int64_t kUnfit = std::int64_t{1} << 35;
constexpr std::int64_t kGoodEnough = std::int64_t{1} << 32;
constexpr std::size_t kBatch = 10;

using Pods = std::vector<const Allocation*>;

auto flags(const Allocation& pod) -> std::int64_t {
  return (pod.originator ? kOriginator : 0) | (pod.opted_out ? kOptedOut : 0);
}

/// A node that can be freed, and the victims for it.
struct Plan {
  NodeId node;
  std::ptrdiff_t index = -1;  // index of the last victim that is needed; -1: none is
  Pods victims;               // more than needed: all that do not violate a guaranteed share
  Pods sorted;                // the node's eligible pods in the scheduler's order
};

/// One run of the preemptor, with one choice for every undefined order.
class Run {
 public:
  Run(const PartitionContext& core, const Allocation& ask, Predicates& predicates, const std::vector<NodeUsage>& rooms,
      bool nodes_tried, const QueueSnapshot& start, const EligibleOrder& order)
      : core_(core),
        ask_(ask),
        predicates_(predicates),
        rooms_(rooms),
        nodes_tried_(nodes_tried),
        start_(start),
        order_(order),
        guarantees_(core, ask) {}

  /// Returns all results that are possible in this order: of nodes with equal scores, the first answer wins.
  auto solve() -> std::vector<QueueSolution> {
    if (const Rule obstacle = guarantees_.obstacle(order_.first); obstacle != Rule::suits) return {{.rule = obstacle}};
    std::vector<Plan> plans = node_plans();
    std::vector<QueueSolution> ends;
    for (const Plan* best : choose(plans)) {
      Pods victims(best->victims.begin(), best->victims.begin() + (best->index + 1));
      Pods extra;
      ends.push_back(add_extra(victims, extra) ? finish(*best, victims, extra)
                                               : QueueSolution{.rule = Rule::extras_fail});
    }
    if (ends.empty()) {
      ends.emplace_back().too_large = too_large_;
      ends.back().kept = kept_;
    }
    return ends;
  }

 private:
  [[nodiscard]] auto has(Change change) const -> bool { return guarantees_.release().has(change); }
  /// Returns true if the ask fits into this much free capacity. Before 1.6, a type that is absent is not limited.
  [[nodiscard]] auto covers(const Resources& room) const -> bool {
    return has(Change::remaining_guarantee) ? fits(room, ask_.size) : fits_where_limited(room, ask_.size);
  }

  /// Step 2: find how each node could be freed.
  auto node_plans() -> std::vector<Plan> {
    std::vector<Pods> by_node(rooms_.size());
    for (const Allocation* pod : order_.first) by_node[pod->node.index].push_back(pod);
    std::vector<Plan> plans;
    for (const NodeId node : core_.cluster().nodes().ids()) {
      if (core_.cluster().node(node).spec.unschedulable) continue;
      if (has(Change::only_large_enough_nodes) && !fits(rooms_[node.index].total, ask_.size)) continue;
      if (core_.kept_from(node, ask_.pod)) {
        kept_.push_back(node);
        continue;
      }
      Plan plan;
      plan.node = node;
      plan.sorted = std::move(by_node[node.index]);
      std::stable_sort(plan.sorted.begin(), plan.sorted.end(), [](const Allocation* a, const Allocation* b) {
        return std::tuple(a->opted_out, a->originator, b->created) <
               std::tuple(b->opted_out, b->originator, a->created);
      });
      if (free_node(plan)) plans.push_back(std::move(plan));
    }
    std::sort(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
      if (a.index != b.index) return a.index < b.index;
      return name(a.node) < name(b.node);
    });
    return plans;
  }

  auto free_node(Plan& plan) const -> bool {
    const Resources available = rooms_[plan.node.index].available();
    if (fits(available, ask_.size)) return !nodes_tried_;
    QueueSnapshot queue_snapshot = start_;
    Resources room = available;
    bool enough = false;
    for (const Allocation* pod : useful_first(plan.sorted, available)) {
      if (!guarantees_.take(queue_snapshot, *pod)) continue;
      room += pod->size;
      if (!enough && covers(room)) {
        enough = true;
        plan.index = static_cast<std::ptrdiff_t>(plan.victims.size());
      }
      plan.victims.push_back(pod);
    }
    return enough;
  }

  /// Returns the pods that free something of what is requested, then the others; stops as soon as the asking queue may
  /// not have what they leave.
  [[nodiscard]] auto useful_first(const Pods& sorted, const Resources& available) const -> Pods {
    QueueSnapshot queue_snapshot = start_;
    Resources room = available;
    Pods head;
    Pods tail;
    for (const Allocation* pod : sorted) {
      if (!guarantees_.take(queue_snapshot, *pod)) continue;
      const bool passes_on = has(Change::remaining_guarantee);
      if (passes_on && !guarantees_.pass_on(queue_snapshot, *pod)) {
        if (!too_large_) too_large_ = pod->pod;
        break;
      }
      const Resources with = room + pod->size;
      if (equal(less_down_to_zero(ask_.size, room), less_down_to_zero(ask_.size, with))) {
        if (passes_on) queue_snapshot.remove(ask_.queue, pod->size);
        queue_snapshot.add(pod->queue, pod->size);
        tail.push_back(pod);
        continue;
      }
      room = with;
      head.push_back(pod);
    }
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
  }

  /// Step 3: return the nodes with the best score, one of which is taken. Nodes are tried ten at a time, and among
  /// equal scores the first answer wins.
  auto choose(std::vector<Plan>& plans) -> std::vector<const Plan*> {
    std::vector<const Plan*> best;
    for (std::size_t begin = 0; begin < plans.size(); begin += kBatch) {
      std::vector<const Plan*> answers;
      for (std::size_t i = begin; i < std::min(begin + kBatch, plans.size()); ++i) {
        if (suits(plans[i])) answers.push_back(&plans[i]);
      }
      std::int64_t least = best.empty() ? std::numeric_limits<std::int64_t>::max() : score(*best.front());
      for (const Plan* plan : answers) {
        if (score(*plan) < least) {
          least = score(*plan);
          best.clear();
        }
        const bool of_this_batch = best.empty() || best.front() >= &plans[begin];
        if (score(*plan) == least && of_this_batch) best.push_back(plan);
      }
      if (!best.empty() && score(*best.front()) < kGoodEnough) break;
    }
    return best;
  }

  /// Removes more victims until the node passes the filters, which may advance the plan's index.
  auto suits(Plan& plan) const -> bool {
    std::vector<PodId> gone;
    for (std::ptrdiff_t i = 0; i <= plan.index; ++i) gone.push_back(plan.victims[static_cast<std::size_t>(i)]->pod);
    for (;;) {
      if (!predicates_.preemption(plan.node, gone)) return true;
      if (plan.index < 0 || plan.index + 1 >= static_cast<std::ptrdiff_t>(plan.victims.size())) return false;
      gone.push_back(plan.victims[static_cast<std::size_t>(++plan.index)]->pod);
    }
  }

  static auto score(const Plan& plan) -> std::int64_t {
    if (plan.sorted.empty() || plan.index >= static_cast<std::ptrdiff_t>(plan.sorted.size())) return kUnfit;
    if (plan.index < 0) return 0;
    std::int64_t result = 0;
    for (std::ptrdiff_t i = 0; i <= plan.index; ++i) result |= flags(*plan.sorted[static_cast<std::size_t>(i)]);
    return result + plan.index + 1;
  }

  /// Step 4: find victims anywhere that bring the asking queue nearer to its guaranteed share. Returns false if it
  /// would be over its share with them.
  auto add_extra(const Pods& victims, Pods& extra) const -> bool {
    QueueSnapshot queue_snapshot = start_;
    for (const Allocation* pod : victims) queue_snapshot.remove(pod->queue, pod->size);
    const bool passes_on = has(Change::remaining_guarantee);
    if (!passes_on) queue_snapshot.add(ask_.queue, ask_.size);
    Pods rest;
    for (const Allocation* pod : order_.second) {
      if (std::find(victims.begin(), victims.end(), pod) == victims.end()) rest.push_back(pod);
    }
    std::stable_sort(rest.begin(), rest.end(), [](const Allocation* a, const Allocation* b) {
      return flags(*a) != flags(*b) ? flags(*a) < flags(*b) : a->created > b->created;
    });
    for (const Allocation* pod : rest) {
      if (!passes_on && guarantees_.met(queue_snapshot)) break;
      MaybeResources left = guarantees_.left(queue_snapshot);
      if (!guarantees_.take(queue_snapshot, *pod)) continue;
      if (passes_on) left = guarantees_.left(queue_snapshot);
      if (passes_on && !guarantees_.pass_on(queue_snapshot, *pod)) {
        if (!extra_too_large_) extra_too_large_ = pod->pod;
        break;
      }
      if (!equal(left.value_or(Resources()), guarantees_.left(queue_snapshot).value_or(Resources()))) {
        extra.push_back(pod);
      } else {
        if (passes_on) queue_snapshot.remove(ask_.queue, pod->size);
        queue_snapshot.add(pod->queue, pod->size);
      }
    }
    return (extra.empty() && has(Change::guarantee_of_asked_types)) || guarantees_.met(queue_snapshot);
  }

  /// Step 5: return the final list; before 1.6 it has all victims. It ends as soon as the ask is no longer strictly
  /// larger than the sum of the pods so far in any type, which every pod's `pods: 1` causes after two.
  [[nodiscard]] auto finish(const Plan& plan, const Pods& victims, const Pods& extra) const -> QueueSolution {
    QueueSolution solution;
    const bool cover_ask = has(Change::victims_cover_ask);
    const bool anywhere = fits(rooms_[plan.node.index].available(), ask_.size);
    Resources total;
    const auto walk = [&](const Pods& pods, bool is_extra) {
      for (const Allocation* pod : pods) {
        if (cover_ask && !anywhere && pod->node != plan.node) continue;
        if (!cover_ask || greater_in_common(ask_.size, total)) {
          solution.victims.push_back(pod->pod);
          if (is_extra) solution.extra.push_back(pod->pod);
        }
        total += pod->size;
      }
    };
    walk(victims, false);
    walk(extra, true);
    if (victims.empty() && extra.empty()) return {.too_large = extra_too_large_, .searched_all_nodes = true};
    if (cover_ask && greater_in_common(ask_.size, total))
      return {.rule = Rule::short_of_resources, .freed = total, .freed_on = plan.node};
    solution.node = plan.node;
    if (solution.victims.empty()) {
      // The first victim is only omitted if the request contains an explicit 0.
      solution.rule = Rule::zero_request;
      return solution;
    }
    solution.rule = Rule::queue_preempts;
    solution.fits_then = fits_then(plan.node, solution.victims);
    const auto by_name = [&](PodId a, PodId b) { return core_.cluster().key(a) < core_.cluster().key(b); };
    std::sort(solution.victims.begin(), solution.victims.end(), by_name);
    return solution;
  }

  [[nodiscard]] auto fits_then(NodeId node, const std::vector<PodId>& victims) const -> bool {
    Resources room = rooms_[node.index].available();
    QueueTree queues = core_.queues();
    for (const PodId victim : victims) {
      const Resources size = core_.size_of(victim);
      if (core_.cluster().node_of(victim) == node) room += size;
      queues.allocate(core_.app(core_.app_of(victim)).queue, Resources() - size);
    }
    return fits(room, ask_.size) && fits_where_limited(queues.headroom(ask_.queue), ask_.size) &&
           !core_.over_max(queues, ask_) && !predicates_.afterwards(node, victims);
  }

  [[nodiscard]] auto name(NodeId node) const -> std::string_view { return core_.cluster().name(node); }

  const PartitionContext& core_;
  const Allocation& ask_;
  Predicates& predicates_;
  const std::vector<NodeUsage>& rooms_;
  bool nodes_tried_;
  const QueueSnapshot& start_;
  const EligibleOrder& order_;
  mutable PodId too_large_;        // on some node
  mutable PodId extra_too_large_;  // among the pods of all nodes
  std::vector<NodeId> kept_;
  Guarantees guarantees_;
};

auto same_end(const QueueSolution& a, const QueueSolution& b) -> bool {
  return a.rule == b.rule && a.node == b.node && a.victims == b.victims;
}

/// Attempts preemption in several orders, as far as they may matter.
void try_orders(const PartitionContext& core, const Allocation& ask, Predicates& predicates, bool nodes_tried,
                QueueAttempt& attempt) {
  std::vector<NodeUsage> rooms;
  for (const NodeId node : core.cluster().nodes().ids()) rooms.push_back(core.room(node));
  const QueueSnapshot start(core.queues(), ask.queue);
  Orders orders(attempt.eligible);
  attempt.all_orders = orders.few();
  for (; attempt.orders_tried < orders.count(); ++attempt.orders_tried) {
    Random random(attempt.orders_tried);
    const EligibleOrder order = orders.draw(random);
    for (QueueSolution& end : Run(core, ask, predicates, rooms, nodes_tried, start, order).solve()) {
      const bool known = std::any_of(attempt.solutions.begin(), attempt.solutions.end(),
                                     [&](const QueueSolution& other) { return same_end(end, other); });
      if (!known) attempt.solutions.push_back(std::move(end));
    }
  }
}

/// Returns the reason if no pod is evicted even when the delay has ended; otherwise that the delay runs.
auto while_delayed(const PartitionContext& core, const Allocation& ask, Predicates& predicates, bool nodes_tried,
                   const QueueAttempt& attempt) -> QueueSolution {
  QueueAttempt then = attempt;
  try_orders(core, ask, predicates, nodes_tried, then);
  const bool nobody = std::none_of(then.solutions.begin(), then.solutions.end(), [](const QueueSolution& end) {
    return end.rule == Rule::queue_preempts || end.rule == Rule::zero_request;
  });
  return nobody && then.all_orders ? then.solutions.front() : QueueSolution{.rule = Rule::delay_runs};
}

}  // namespace

auto preempts_between_queues(const PartitionContext& core) -> Rule {
  if (!core.keys().release.has(Change::queue_preemption)) return Rule::preemption_unknown;
  return core.config().preemption_enabled ? Rule::suits : Rule::preemption_off;
}

auto precondition(const PartitionContext& core, const Allocation& ask, bool triggered, Instant delay_ends, Moment& now)
    -> Rule {
  if (const Rule never = preempts_between_queues(core); never != Rule::suits) return never;
  if (!ask.may_preempt) return Rule::never_preempts;
  if (triggered) return Rule::queue_triggered_before;
  return now.reached(delay_ends) ? Rule::suits : Rule::delay_runs;
}

auto obstacle(const PartitionContext& core, const Allocation& ask, bool triggered, Instant delay_ends,
              const std::vector<const Allocation*>& eligible, Moment& now) -> Rule {
  const Rule first = precondition(core, ask, triggered, delay_ends, now);
  if (first != Rule::suits && first != Rule::delay_runs) return first;
  const Rule share = Guarantees(core, ask).obstacle(eligible);
  return share == Rule::suits ? first : share;
}

auto look_at_queues(const PartitionContext& core, const Allocation& ask) -> QueueAttempt {
  QueueAttempt attempt;
  attempt.delay_ends = ask.created.plus_nanos(core.queues()[ask.queue].policy.preemption_delay);
  find_fence(core, ask, attempt);
  VictimFinder(core, ask, attempt).run();
  return attempt;
}

auto attempt_queue_preemption(const PartitionContext& core, const Allocation& ask, Predicates& predicates,
                              bool ask_triggered, bool nodes_tried, Moment& now) -> QueueAttempt {
  QueueAttempt attempt = look_at_queues(core, ask);
  attempt.precondition = precondition(core, ask, ask_triggered, attempt.delay_ends, now);
  if (attempt.precondition == Rule::suits) {
    try_orders(core, ask, predicates, nodes_tried, attempt);
  } else if (attempt.precondition == Rule::delay_runs) {
    attempt.solutions.push_back(while_delayed(core, ask, predicates, nodes_tried, attempt));
  } else {
    attempt.solutions.push_back({.rule = attempt.precondition});
  }
  return attempt;
}

}  // namespace previct::yunikorn
