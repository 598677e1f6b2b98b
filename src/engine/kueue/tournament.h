#pragma once

#include "engine/kueue/cycle.h"

#include <vector>

namespace previct::kueue {

/// With fair sharing: selects the next head to process; decided again after each one.
/// Source: pkg/scheduler/fair_sharing_iterator.go.
class Tournament {
 public:
  Tournament(Trial& trial, std::vector<Entry>& entries);

  /// Returns null if no head is left. The usage of the heads processed before must be in the trial.
  auto next() -> Entry*;

 private:
  /// The head of a queue.
  struct Contender {
    Entry* entry = nullptr;  ///< null: no head, or already processed
    std::vector<QuotaNodeId> above{};
    /// The shares of its queue, and of its ancestors except the root, including the usage of the head: it competes with
    /// them in each of the cohorts above.
    std::vector<Share> shares{};
  };

  void measure(QuotaNodeId queue);
  void measure_below(QuotaNodeId node);
  [[nodiscard]] auto winner(QuotaNodeId root) const -> QuotaNodeId;
  [[nodiscard]] auto wins(QuotaNodeId cohort, QuotaNodeId a, QuotaNodeId b) const -> bool;

  Trial& trial_;
  std::vector<Contender> contenders_;  ///< by node
  std::vector<Entry*> order_;
  std::size_t first_ = 0;  ///< index in order_; all before it are processed
  QuotaNodeId last_root_;  ///< the tree whose shares are computed
  QuotaNodeId last_;       ///< the queue of that tree that was processed last
};

}  // namespace previct::kueue
