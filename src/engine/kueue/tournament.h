#pragma once

#include "engine/kueue/cycle.h"

#include <vector>

namespace previct::kueue {

/// With fair sharing: whose turn it is among the heads, decided again after each.
/// Source: pkg/scheduler/fair_sharing_iterator.go.
class Tournament {
 public:
  Tournament(Trial& trial, std::vector<Entry>& entries);

  /// Null: none is left. What was processed before must be in the trial.
  auto next() -> Entry*;

 private:
  /// The head of a queue.
  struct Contender {
    Entry* entry = nullptr;  ///< null: none, or its turn has come
    std::vector<QuotaNodeId> above{};
    /// Of its queue, and of what is above it but for the root, with what the head would use: by which it competes in
    /// each of the cohorts above.
    std::vector<Share> shares{};
  };

  void measure(QuotaNodeId queue);
  void measure_below(QuotaNodeId node);
  [[nodiscard]] auto winner(QuotaNodeId root) const -> QuotaNodeId;
  [[nodiscard]] auto wins(QuotaNodeId cohort, QuotaNodeId a, QuotaNodeId b) const -> bool;

  Trial& trial_;
  std::vector<Contender> contenders_;  ///< by node
  std::vector<Entry*> order_;
  std::size_t first_ = 0;  ///< in order_, before which all have had their turn
  QuotaNodeId last_root_;  ///< the tree whose shares are measured
  QuotaNodeId last_;       ///< the queue whose turn came last in it
};

}  // namespace previct::kueue
