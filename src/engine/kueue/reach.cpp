#include "engine/kueue/reach.h"

#include <algorithm>

namespace previct::kueue {

Reach::Reach(const Controller& controller) : controller_(controller), inventory_(controller.inventory()) {
  const QuotaTree& tree = controller.tree();
  for (const QueueInfo& queue : inventory_.queues()) {
    bool borrows = static_cast<bool>(tree[queue.node].parent);
    for (QuotaNodeId at = queue.node; borrows && tree[at].parent; at = tree[at].parent) {
      borrows = std::any_of(tree[at].cells.begin(), tree[at].cells.end(),
                            [&](const QuotaTree::Cell& cell) { return tree.borrows(at, cell.of); });
    }
    borrows_.push_back(borrows);
  }
}

auto Reach::kept_by(QueueId by, QueueId other, const std::vector<WorkloadId>& asks, WorkloadId candidate) const
    -> std::optional<Rule> {
  const QueueInfo& own = inventory_.queues()[by];
  const QueueInfo& theirs = inventory_.queues()[other];
  const Policy policy = by == other ? own.within : own.reclaim;
  if (by != other && own.tree != theirs.tree) return Rule::spared_tree;
  if (policy == Policy::never || own.inactive != Inactive::no) return Rule::spared_policy;
  if (by != other && (theirs.inactive != Inactive::no || !borrows_[other.index])) return Rule::spared_nominal;
  const bool allowed = asks.empty() || std::any_of(asks.begin(), asks.end(), [&](WorkloadId ask) {
                         return controller_.satisfies(ask, candidate, policy);
                       });
  return allowed ? std::nullopt : std::optional(Rule::spared_priority);
}

auto Reach::of(QueueId by, QueueId other) const -> QueueReach {
  const std::vector<WorkloadId> asks = controller_.queue(by, false);
  ReachCount count(!asks.empty());
  for (const WorkloadId candidate : controller_.holding(other)) {
    const std::size_t pods = pods_of_workload(inventory_, candidate);
    if (const auto kept = kept_by(by, other, asks, candidate)) {
      count.never(pods, rule_id(*kept));
    } else {
      count.now(pods);
    }
  }
  return count.take();
}

auto pods_of_workload(const Inventory& inventory, WorkloadId id) -> std::size_t {
  std::int64_t pods = 0;
  const Workload& object = *inventory.workloads()[id].object;
  for (const std::int64_t count : counts_after_reclaim(object, inventory.settings()))
    pods += std::max<std::int64_t>(count, 0);
  return static_cast<std::size_t>(pods);
}

}  // namespace previct::kueue
