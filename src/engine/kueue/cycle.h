#pragma once

#include "engine/kueue/assignment.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// What a cycle does with a workload that is a head.
enum class EntryOutcome : std::uint8_t {
  admitted,
  reserved,  ///< quota is reserved, but admission checks are not ready
  preempting,
  no_fit,
  no_candidates,
  skipped,      ///< another entry of the cycle took the quota or the victims
  inadmissible  ///< refused before quota was considered
};

/// Why an entry was skipped.
enum class Skipped : std::uint8_t { no, overlapping_targets, no_longer_fits };

/// Why a head is refused before it is nominated. Source: pkg/scheduler/scheduler.go nominate.
enum class Refused : std::uint8_t { no, failed_checks, queue_inactive, namespace_mismatch, resources };

/// A head and its result.
struct Entry {
  WorkloadId workload;
  QueueId queue;
  EntryOutcome outcome{};
  Skipped skipped{};
  Refused refused{};
  Assignment assignment{};
  Mode mode{};
  std::vector<Target> targets{};
  std::vector<char> ongoing{};                           ///< for each target: whether it was already being evicted
  std::vector<std::pair<QuotaNodeId, double>> shares{};  ///< fair sharing: the share with which it won in each cohort

  /// Returns true if both entries report the same.
  [[nodiscard]] auto same(const Entry& other) const -> bool;
};

/// Returns the flavors of an entry, by pod set and resource, and the number of pods unless it is all of them:
/// `main/cpu: spot`. Sorted.
[[nodiscard]] auto assigned_by(const Inventory& inventory, const Entry& entry) -> std::vector<std::string>;

/// Returns true if the workload gets quota in this cycle.
[[nodiscard]] auto takes_quota_now(EntryOutcome outcome) -> bool;

struct CycleFacts {
  std::vector<Entry> entries{};  ///< in the order in which they were processed
  std::vector<Entry> refused{};  ///< by name
  Instant at{};                  ///< the time of the cycle
  /// Workloads that are not tried again, each with the one that was tried in its place: their pods are the same.
  std::vector<std::pair<WorkloadId, WorkloadId>> alike{};
  std::vector<WorkloadId> gone{};  ///< workloads that returned their quota after the cycle

  [[nodiscard]] auto find(WorkloadId workload) const -> const Entry*;
  [[nodiscard]] auto same(const CycleFacts& other) const -> bool;
};

struct Nomination {
  Assignment assignment{};
  std::vector<Target> targets{};
};

/// Returns the flavors for a workload and the victims for them; with fewer pods if that is permitted and only that
/// fits.
/// `nominated`: the assignment of the same cycle whose flavors it keeps; null: none. `trace`: of the search for
/// victims.
[[nodiscard]] auto nominate(Trial& trial, WorkloadId workload, QueueId queue, const Assignment* nominated = nullptr)
    -> Nomination;

/// Returns the victims with which the workload would get the flavors of `assignment`, wherever its pods were placed.
[[nodiscard]] auto targets_of(Trial& trial, WorkloadId workload, QueueId queue, Assignment assignment,
                              Trace* trace = nullptr) -> std::vector<Target>;

/// Returns why the workload is refused regardless of quota.
[[nodiscard]] auto refusal(const Controller& controller, WorkloadId workload, QueueId queue) -> Refused;

/// Runs one cycle: one head of every active queue. `only`: those of this scope (QueueInfo::scope); empty: all.
/// Afterwards, the controller is in the state after the cycle, before anything is evicted (see Controller::settle()).
/// Source: pkg/scheduler/scheduler.go schedule.
[[nodiscard]] auto run_cycle(Controller& controller, std::string_view only = {}) -> CycleFacts;

}  // namespace previct::kueue
