#pragma once

#include "engine/kueue/account.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace previct::kueue {

/// Returns what the answer about a workload does not know. A Kueue feature that is not modeled is decisive if the
/// verdict could differ with it.
[[nodiscard]] auto gaps_of(const EngineTrace& account) -> std::vector<Gap>;

/// Returns the feature, used by the entry's workload and not modeled, that could change what the cycle does with it.
[[nodiscard]] auto doubt_of(const Inventory& inventory, const Entry& entry) -> std::optional<Gap>;

/// Returns the gap that decides about a workload that an absent object keeps out of `queue`, if the input lacks the
/// whole kind of that object.
[[nodiscard]] auto doubt_of_absent_object(const Inventory& inventory, NotQueued why, QueueId queue)
    -> std::optional<Gap>;

/// Returns the gap of a kind that the input lacks and that some ClusterQueue refers to: whether it admits is not known.
[[nodiscard]] auto doubt_of_queues(const Inventory& inventory) -> std::optional<Gap>;

/// Returns the gap that decides about an entry without enough quota, if the input lacks Cohorts: one with its own
/// quota, or with a parent, could lend more. Only if more quota is used than there is, or if the entry could never get
/// enough. `start`: with the usage of the input.
[[nodiscard]] auto doubt_of_cohorts(const Inventory& inventory, const QuotaTree& start, const Entry& entry)
    -> std::optional<Gap>;

/// Returns the gap that decides about an entry if the status of a ClusterQueue of its tree counts more workloads with
/// quota than the input has for it. None if the entry could never get enough quota.
[[nodiscard]] auto doubt_of_workloads(const Inventory& inventory, const Entry& entry) -> std::optional<Gap>;

/// Returns the gap that decides about an entry because the input lacks Cohorts, workloads or its namespace.
[[nodiscard]] auto doubt_of_input(const Inventory& inventory, const QuotaTree& start, const Entry& entry)
    -> std::optional<Gap>;

/// Returns the first gap that decides about all entries.
[[nodiscard]] auto doubt_of_all(const Inventory& inventory) -> std::optional<Gap>;

/// What blockAdmission of waitForPodsReady keeps waiting. Before it admits a workload, the scheduler stands still until
/// the pods of all workloads that hold quota are ready. When they are is not known; those of workloads that a cycle
/// admits are assumed to be, unless they were not ready before.
/// Source: pkg/scheduler/scheduler.go waitForPodsReadyIfBlocked; pkg/cache/scheduler/clusterqueue.go
/// addOrUpdateWorkload.
class BlockedAdmission {
 public:
  explicit BlockedAdmission(const Controller& start);
  /// Follows the next cycle.
  void follow(const CycleFacts& facts);
  /// Notes a workload that loses its quota between two cycles.
  void lose(WorkloadId id) { not_ready_.erase(id); }

  /// Returns the gap of each workload that would get quota or victims if no pods were waited for.
  [[nodiscard]] auto workloads() const -> const std::map<WorkloadId, Gap>& { return workloads_; }
  /// Returns the gap of all other answers.
  [[nodiscard]] auto gap() const -> Gap { return gap_of(at_first_, false); }

 private:
  [[nodiscard]] auto gap_of(const std::set<WorkloadId>& not_ready, bool decides) const -> Gap;

  const Inventory& inventory_;
  std::set<WorkloadId> at_first_;
  std::set<WorkloadId> not_ready_;
  std::optional<Gap> stands_;
  std::map<WorkloadId, Gap> workloads_;
};

/// Returns the gaps of all answers about a cluster.
[[nodiscard]] auto gaps_of(const Inventory& inventory) -> std::vector<Gap>;

}  // namespace previct::kueue
