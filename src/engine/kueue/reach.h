#pragma once

#include "engine/kueue/controller.h"
#include "engine/kueue/rules.h"
#include "engine/queue_reach.h"

#include <optional>
#include <vector>

namespace previct::kueue {

/// What workloads of one queue could do to those that hold quota of another, by the rules for candidates.
class Reach {
 public:
  explicit Reach(const Controller& controller);

  /// Returns what protects `candidate`, of the queue `other`, from preemption for the queue `by`; none if nothing does.
  /// `asks`: the preempting workloads; if empty, priorities are not checked.
  [[nodiscard]] auto kept_by(QueueId by, QueueId other, const std::vector<WorkloadId>& asks, WorkloadId candidate) const
      -> std::optional<Rule>;
  /// Counts, in pods, what the pending workloads of `by` could do.
  [[nodiscard]] auto of(QueueId by, QueueId other) const -> QueueReach;

 private:
  const Controller& controller_;
  const Inventory& inventory_;
  std::vector<bool> borrows_;  ///< by queue: it borrows something, and so do its ancestors
};

/// Returns for how many pods a workload holds quota, or needs it.
[[nodiscard]] auto pods_of_workload(const Inventory& inventory, WorkloadId id) -> std::size_t;

}  // namespace previct::kueue
