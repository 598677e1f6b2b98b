#pragma once

#include "engine/kueue/cycle.h"

#include <set>
#include <vector>

namespace previct::kueue {

/// With fair sharing: selects the next head to process. After each one, the cohorts above it decide again; nothing
/// changed for the others.
/// Source: pkg/scheduler/fair_sharing_iterator.go.
class Tournament {
 public:
  /// Of equal heads, the one first in `entries` comes first.
  Tournament(Trial& trial, std::vector<Entry>& entries);

  /// Returns null if no head is left. The usage of the heads processed before must be in the trial.
  auto next() -> Entry*;

 private:
  /// What a node passes on to the cohort above it.
  struct Place {
    Entry* entry = nullptr;  ///< of a queue: its head; null: it has none, or it is already processed
    std::size_t turn = 0;    ///< of a queue: which of equal heads comes first
    QuotaNodeId sent{};      ///< the queue of the head that the node passes on; null: none
    Share share{};           ///< of the node, including the usage of that head
    bool borrows = false;    ///< whether the node then borrows what the head requests
  };

  [[nodiscard]] auto node_of(const Entry& entry) const -> QuotaNodeId;
  void decide_below(QuotaNodeId root);
  void decide_above(QuotaNodeId queue);
  void decide(QuotaNodeId cohort);
  void send(QuotaNodeId node, QuotaNodeId queue);
  [[nodiscard]] auto wins(QuotaNodeId a, QuotaNodeId b) const -> bool;

  Trial& trial_;
  std::vector<Place> places_;  ///< by node
  std::vector<Entry*> order_;
  std::size_t first_ = 0;          ///< index in order_; all before it are processed
  std::set<QuotaNodeId> decided_;  ///< the roots of the trees whose places are known
  QuotaNodeId last_;               ///< the queue that was processed last, if it has a cohort
};

}  // namespace previct::kueue
