#pragma once

#include "engine/kueue/controller.h"
#include "engine/kueue/rules.h"
#include "engine/queue_reach.h"

#include <optional>
#include <vector>

namespace previct::kueue {

/// What workloads of one queue could do to those that hold quota of another, as the rules about candidates have it.
class Reach {
 public:
  explicit Reach(const Controller& controller);

  /// What keeps `candidate`, of the queue `other`, from being preempted for the queue `by`; none: nothing does. `asks`:
  /// the workloads that ask; none of them: priorities are another question.
  [[nodiscard]] auto kept_by(QueueId by, QueueId other, const std::vector<WorkloadId>& asks, WorkloadId candidate) const
      -> std::optional<Rule>;
  /// Counted in pods, for the pending workloads of `by`.
  [[nodiscard]] auto of(QueueId by, QueueId other) const -> QueueReach;

 private:
  const Controller& controller_;
  const Inventory& inventory_;
  std::vector<bool> borrows_;  ///< by queue: it borrows something, and so do the cohorts above it
};

/// How many pods hold quota for a workload, or wait for it.
[[nodiscard]] auto pods_of_workload(const Inventory& inventory, WorkloadId id) -> std::size_t;

}  // namespace previct::kueue
