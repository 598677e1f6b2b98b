#include "engine/kueue/tournament.h"

#include <algorithm>
#include <utility>

namespace previct::kueue {

Tournament::Tournament(Trial& trial, std::vector<Entry>& entries) : trial_(trial), places_(trial.tree.size()) {
  for (Entry& each : entries) {
    places_[node_of(each).index].entry = &each;
    places_[node_of(each).index].turn = order_.size();
    order_.push_back(&each);
  }
}

auto Tournament::node_of(const Entry& entry) const -> QuotaNodeId {
  return trial_.controller->inventory().queues()[entry.queue].node;
}

auto Tournament::next() -> Entry* {
  if (last_) decide_above(std::exchange(last_, {}));
  while (first_ < order_.size() && places_[node_of(*order_[first_]).index].entry == nullptr) ++first_;
  if (first_ == order_.size()) return nullptr;
  QuotaNodeId node = node_of(*order_[first_]);
  if (trial_.tree[node].parent) {
    const QuotaNodeId root = trial_.tree.root(node);
    if (decided_.insert(root).second) decide_below(root);
    node = last_ = places_[root.index].sent;
  }
  Entry* const won = std::exchange(places_[node.index].entry, nullptr);
  for (QuotaNodeId at = node; trial_.tree[at].parent; at = trial_.tree[at].parent)
    won->shares.emplace_back(trial_.tree[at].parent, places_[at.index].share.value());
  places_[node.index].sent = {};
  return won;
}

// From the leaves up: each cohort passes on the best of what its children pass on.
void Tournament::decide_below(QuotaNodeId root) {
  std::vector<QuotaNodeId> cohorts = {root};  // parents before children
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    for (const QuotaNodeId child : trial_.tree[cohorts[i]].children) {
      if (!trial_.tree[child].is_cluster_queue) {
        cohorts.push_back(child);
      } else if (places_[child.index].entry != nullptr) {
        send(child, child);
      }
    }
  }
  for (auto cohort = cohorts.rbegin(); cohort != cohorts.rend(); ++cohort) decide(*cohort);
}

void Tournament::decide_above(QuotaNodeId queue) {
  for (QuotaNodeId at = trial_.tree[queue].parent; at; at = trial_.tree[at].parent) decide(at);
}

void Tournament::decide(QuotaNodeId cohort) {
  QuotaNodeId best;
  for (const bool queues : {false, true}) {
    for (const QuotaNodeId child : trial_.tree[cohort].children) {
      if (trial_.tree[child].is_cluster_queue != queues || !places_[child.index].sent) continue;
      if (!best || wins(child, best)) best = child;
    }
  }
  send(cohort, best ? places_[best.index].sent : QuotaNodeId{});
}

void Tournament::send(QuotaNodeId node, QuotaNodeId queue) {
  Place& place = places_[node.index];
  place.sent = queue;
  if (!queue || !trial_.tree[node].parent) return;
  const Requests& usage = places_[queue.index].entry->assignment.usage;
  trial_.tree.take(queue, usage);
  place.share = trial_.tree.share(node);
  trial_.tree.give_back(queue, usage);
  place.borrows = std::any_of(place.share.borrowed.begin(), place.share.borrowed.end(),
                              [&](FlavorResource one) { return amount_of(usage, one) > kNothing; });
}

auto Tournament::wins(QuotaNodeId a, QuotaNodeId b) const -> bool {
  const Controller& controller = *trial_.controller;
  const Settings& settings = controller.inventory().settings();
  const Place& mine = places_[a.index];
  const Place& theirs = places_[b.index];
  if (settings.gates.prioritize_non_borrowing && mine.borrows != theirs.borrows) return !mine.borrows;
  if (const int order = mine.share.compare(theirs.share); order != 0) return order < 0;
  const WorkloadId head = places_[mine.sent.index].entry->workload;
  const WorkloadId other = places_[theirs.sent.index].entry->workload;
  const std::int64_t priority = controller.inventory().workloads()[head].priority();
  const std::int64_t other_priority = controller.inventory().workloads()[other].priority();
  if (settings.gates.priority_sorting && priority != other_priority) return priority > other_priority;
  const Instant at = controller.queue_time(head);
  const Instant other_at = controller.queue_time(other);
  if (at != other_at) return at < other_at;
  controller.note_tie();
  return places_[mine.sent.index].turn < places_[theirs.sent.index].turn;
}

}  // namespace previct::kueue
