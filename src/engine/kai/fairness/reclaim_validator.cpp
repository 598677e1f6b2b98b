#include "engine/kai/fairness/candidates.h"

#include <algorithm>
#include <limits>

namespace previct::kai {

// What queues would still hold while pieces are taken from them.
struct ReclaimValidator::QueueLedger {
  struct Line {
    QueueId queue;
    Share remaining;
    std::array<bool, kShared> involved{};
  };
  std::vector<Line> lines;

  [[nodiscard]] auto find(QueueId queue) -> Line* {
    for (Line& line : lines) {
      if (line.queue == queue) return &line;
    }
    return nullptr;
  }
  [[nodiscard]] auto of(QueueId queue, const IdVector<QueueId, Share>& allocated) -> Line& {
    Line* line = find(queue);
    return line != nullptr ? *line : lines.emplace_back(Line{queue, allocated[queue], {}});
  }
};

ReclaimValidator::ReclaimValidator(const Session& session, const QueueOrder& order)
    : session_(session),
      order_(order),
      allocated_(session.cluster_info().tree().queues().size()),
      non_preemptible_(session.cluster_info().tree().queues().size()) {
  for (const QueueId id : session.cluster_info().tree().queues().ids()) {
    allocated_[id] = session.allocated(id);
    non_preemptible_[id] = session.non_preemptible(id);
  }
}

// Source: plugins/proportion getVictimResources: in each pod set, the first `min` named tasks are core. With
// consolidating reclaim, a task that ends up alive (moved or restored) costs its queue nothing.
auto ReclaimValidator::losses(std::span<const NamedVictims> victims) const -> std::vector<QueueLoss> {
  const ClusterInfo& cluster_info = session_.cluster_info();
  const bool spare_the_living = cluster_info.settings().consolidating_reclaim;
  const auto is_lost = [&](TaskId task) { return !(spare_the_living && kActiveAllocated.has(session_.status(task))); };
  std::vector<QueueLoss> all;
  for (const NamedVictims& named : victims) {
    const Group& group = cluster_info.group(named.group);
    std::vector<SetId> order;  // in map order upstream
    for (const TaskId task : named.tasks) {
      const SetId set = cluster_info.task(task).set;
      if (std::find(order.begin(), order.end(), set) == order.end()) order.push_back(set);
    }
    session_.chance().reorder(order);
    std::vector<Ask> pieces;
    Ask core;
    bool has_core = false;
    for (const SetId set : order) {
      std::int64_t nth = 0;
      for (const TaskId task : named.tasks) {
        if (cluster_info.task(task).set != set) continue;
        const bool is_core = nth++ < cluster_info.sets()[set].min;
        if (!is_lost(task)) continue;
        const ShardNodeId shard_node = session_.copy(session_.current(task)).shard_node;
        const Ask lost = shard_node ? cluster_info.need_on(task, shard_node) : Ask();
        if (!is_core) {
          pieces.push_back(lost);
          continue;
        }
        add_to(core, lost);
        has_core = true;
      }
    }
    if (has_core) pieces.push_back(core);
    if (pieces.empty()) continue;
    auto loss = std::find_if(all.begin(), all.end(), [&](const QueueLoss& l) { return l.queue == group.queue; });
    if (loss == all.end()) loss = all.insert(all.end(), QueueLoss{group.queue, {}});
    loss->pieces.insert(loss->pieces.end(), pieces.begin(), pieces.end());
  }
  session_.chance().reorder(all);
  return all;
}

auto ReclaimValidator::take(QueueId pending, const Ask& need, const QueueLoss& loss, QueueLedger& books) const -> bool {
  const QueueTree& tree = session_.cluster_info().tree();
  const auto [ours, theirs] = diverging_queues(tree, pending, loss.queue);
  const bool in_quota = within(plus(allocated_[ours], need.amount), tree[ours].deserved);
  const bool by_priority =
      in_quota && session_.cluster_info().settings().reclaims_in_quota && tree[ours].priority > tree[theirs].priority;
  std::array<bool, kShared> involved{};
  for (const Ask& piece : loss.pieces) {
    for (std::size_t r = 0; r < kShared; ++r) involved[r] = involved[r] || piece.concerns(r);
  }
  books.of(loss.queue, allocated_).involved = involved;
  for (const Ask& piece : loss.pieces) {
    const Share& holds = books.of(theirs, allocated_).remaining;
    const bool over_share = !within(holds, order_.usable(theirs));
    const bool over_quota = in_quota && !within(holds, tree[theirs].deserved);
    if (!over_share && !over_quota && !by_priority) return false;
    for (const QueueId queue : tree[loss.queue].path) {
      QueueLedger::Line& line = books.of(queue, allocated_);
      take_from(line.remaining, piece.amount);
      for (std::size_t r = 0; r < kShared; ++r) line.involved[r] = line.involved[r] || involved[r];
    }
  }
  return true;
}

auto ReclaimValidator::is_fair(QueueId mine, const Share& remaining, const Ask& need, QueueLedger& books) const
    -> bool {
  const QueueTree& tree = session_.cluster_info().tree();
  const auto ratio = [](double allocated, double fair) {
    if (fair == 0) return allocated > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return allocated / fair;
  };
  for (const QueueLedger::Line& line : books.lines) {
    if (line.queue == mine || tree[line.queue].parent != tree[mine].parent) continue;
    for (std::size_t r = 0; r < kShared; ++r) {
      if (!line.involved[r] && !need.concerns(r)) continue;
      const double my_share = order_.fair_share(mine)[r];
      const double their_share = order_.fair_share(line.queue)[r];
      const double my_part = ratio(remaining[r], my_share);
      const double their_part = ratio(line.remaining[r], their_share);
      const double weighted = my_part * session_.cluster_info().settings().saturation_multiplier;
      if (my_part > 1 && their_share > 0 && weighted >= their_part) return false;
    }
  }
  return true;
}

// Until 0.7, a single top queue may use more than its share.
auto ReclaimValidator::compare(QueueId mine, const Share& remaining, const Ask& need, QueueLedger& books) const
    -> Rule {
  const QueueTree& tree = session_.cluster_info().tree();
  if (!session_.cluster_info().settings().running.release.has(Change::reclaimers_stay_within_share))
    return is_fair(mine, remaining, need, books) ? Rule::accepted : Rule::unfair;
  const bool alone = !tree[mine].parent && tree.tops().size() == 1;
  return alone || within(remaining, order_.fair_share(mine)) ? Rule::accepted : Rule::over_share_after;
}

auto ReclaimValidator::compare_siblings(GroupId pending, const Ask& need, QueueLedger& books) const -> Rule {
  const Group& group = session_.cluster_info().group(pending);
  const QueueTree& tree = session_.cluster_info().tree();
  for (QueueId mine = group.queue; mine; mine = tree[mine].parent) {
    // Losses of a common ancestor count; the need of the pending group is not recorded for the ancestors above.
    QueueLedger::Line* line = books.find(mine);
    Share remaining = line != nullptr ? line->remaining : allocated_[mine];
    add_to(remaining, need.amount);
    if (line != nullptr) line->remaining = remaining;
    if (const Rule rule = compare(mine, remaining, need, books); rule != Rule::accepted) return rule;
    if (!group.preemptible && !within(plus(non_preemptible_[mine], need.amount), tree[mine].deserved)) {
      return Rule::over_quota_after;
    }
  }
  return Rule::accepted;
}

auto ReclaimValidator::judge(GroupId pending, const Ask& need, std::span<const NamedVictims> victims) const -> Rule {
  if (!session_.cluster_info().settings().plugins.proportion) return Rule::accepted;
  QueueLedger books;
  const QueueId queue = session_.cluster_info().group(pending).queue;
  for (const QueueLoss& loss : losses(victims)) {
    if (!take(queue, need, loss, books)) return Rule::takes_share;
  }
  return compare_siblings(pending, need, books);
}

}  // namespace previct::kai
