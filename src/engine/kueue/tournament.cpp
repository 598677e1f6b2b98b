#include "engine/kueue/tournament.h"

#include <algorithm>
#include <utility>

namespace previct::kueue {

Tournament::Tournament(Trial& trial, std::vector<Entry>& entries) : trial_(trial), contenders_(trial.tree.size()) {
  for (Entry& each : entries) {
    const QuotaNodeId node = trial.controller->inventory().queues()[each.queue].node;
    contenders_[node.index] = {&each, trial.tree.ancestors(node), {}};
    order_.push_back(&each);
  }
}

auto Tournament::next() -> Entry* {
  const Inventory& inventory = trial_.controller->inventory();
  const auto node_of = [&](const Entry& entry) { return inventory.queues()[entry.queue].node; };
  while (first_ < order_.size() && contenders_[node_of(*order_[first_]).index].entry == nullptr) ++first_;
  if (first_ == order_.size()) return nullptr;
  QuotaNodeId node = node_of(*order_[first_]);
  if (trial_.tree[node].parent) {
    const QuotaNodeId root = trial_.tree.root(node);
    if (last_root_ != root) {
      measure_below(root);
    } else if (const auto& above = contenders_[last_.index].above; above.size() > 1) {
      measure_below(above[above.size() - 2]);  // only there something changed
    }
    node = winner(root);
    last_root_ = root;
    last_ = node;
  }
  Contender& won = contenders_[node.index];
  for (std::size_t i = 0; i < won.above.size(); ++i)
    won.entry->shares.emplace_back(won.above[i], won.shares[i].value());
  return std::exchange(won.entry, nullptr);
}

void Tournament::measure_below(QuotaNodeId node) {
  for (const QuotaNodeId queue : trial_.tree.cluster_queues(node)) {
    if (contenders_[queue.index].entry != nullptr) measure(queue);
  }
}

void Tournament::measure(QuotaNodeId queue) {
  Contender& contender = contenders_[queue.index];
  const Requests& usage = contender.entry->assignment.usage;
  trial_.tree.take(queue, usage);
  contender.shares.clear();
  contender.shares.push_back(trial_.tree.share(queue));
  for (std::size_t i = 0; i + 1 < contender.above.size(); ++i)
    contender.shares.push_back(trial_.tree.share(contender.above[i]));
  trial_.tree.give_back(queue, usage);
}

auto Tournament::wins(QuotaNodeId cohort, QuotaNodeId a, QuotaNodeId b) const -> bool {
  const Controller& controller = *trial_.controller;
  const Settings& settings = controller.inventory().settings();
  const auto share_of = [&](const Contender& each) -> const Share& {
    const auto at = std::find(each.above.begin(), each.above.end(), cohort);
    return each.shares[static_cast<std::size_t>(at - each.above.begin())];
  };
  const Contender& mine = contenders_[a.index];
  const Contender& theirs = contenders_[b.index];
  const Share& share = share_of(mine);
  const Share& other = share_of(theirs);
  const auto borrows = [&](const Contender& each, const Share& of) {
    return settings.gates.prioritize_non_borrowing &&
           std::any_of(of.borrowed.begin(), of.borrowed.end(),
                       [&](FlavorResource one) { return amount_of(each.entry->assignment.usage, one) > kNothing; });
  };
  const bool mine_borrows = borrows(mine, share);
  if (mine_borrows != borrows(theirs, other)) return !mine_borrows;
  if (const int order = share.compare(other); order != 0) return order < 0;
  const auto priority_of = [&](const Contender& each) {
    return controller.inventory().workloads()[each.entry->workload].priority();
  };
  if (settings.gates.priority_sorting && priority_of(mine) != priority_of(theirs))
    return priority_of(mine) > priority_of(theirs);
  const Instant at = controller.queue_time(mine.entry->workload);
  const Instant other_at = controller.queue_time(theirs.entry->workload);
  if (at == other_at) controller.note_tie();
  return at < other_at || (at == other_at && controller.reverses_ties());
}

// From the leaves up: each cohort passes on the best of what its children pass on.
auto Tournament::winner(QuotaNodeId root) const -> QuotaNodeId {
  std::vector<QuotaNodeId> cohorts = {root};  // parents before children
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    for (const QuotaNodeId child : trial_.tree[cohorts[i]].children) {
      if (!trial_.tree[child].is_cluster_queue) cohorts.push_back(child);
    }
  }
  std::vector<QuotaNodeId> sent(trial_.tree.size());
  for (auto cohort = cohorts.rbegin(); cohort != cohorts.rend(); ++cohort) {
    QuotaNodeId& best = sent[cohort->index];
    for (const bool queues : {false, true}) {
      for (const QuotaNodeId child : trial_.tree[*cohort].children) {
        if (trial_.tree[child].is_cluster_queue != queues) continue;
        const QuotaNodeId from = !queues                                     ? sent[child.index]
                                 : contenders_[child.index].entry != nullptr ? child
                                                                             : QuotaNodeId{};
        if (from && (!best || wins(*cohort, from, best))) best = from;
      }
    }
  }
  return sent[root.index];
}

}  // namespace previct::kueue
