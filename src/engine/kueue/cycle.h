#pragma once

#include "engine/kueue/assignment.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// What one cycle does with a workload that is its turn.
enum class EntryOutcome : std::uint8_t {
  admitted,
  reserved,  ///< quota is reserved, admission checks are missing
  preempting,
  no_fit,
  no_candidates,
  skipped,      ///< another entry of the cycle took the quota, or the victims
  inadmissible  ///< refused before any quota was looked at
};

/// Why an entry was skipped.
enum class Skipped : std::uint8_t { no, overlapping_targets, no_longer_fits };

/// Why a head is refused before it is nominated. Source: pkg/scheduler/scheduler.go nominate.
enum class Refused : std::uint8_t { no, failed_checks, queue_inactive, namespace_mismatch, resources };

/// A head, and what became of it.
struct Entry {
  WorkloadId workload;
  QueueId queue;
  EntryOutcome outcome{};
  Skipped skipped{};
  Refused refused{};
  Assignment assignment{};
  Mode mode{};
  std::vector<Target> targets{};
  std::vector<char> ongoing{};                           ///< of each target: it was being evicted before
  std::vector<std::pair<QuotaNodeId, double>> shares{};  ///< fair sharing: with what it won in each cohort

  /// Do they tell the same?
  [[nodiscard]] auto same(const Entry& other) const -> bool;
};

struct CycleFacts {
  std::vector<Entry> entries{};    ///< in the order in which they were processed
  std::vector<Entry> refused{};    ///< by name
  std::vector<WorkloadId> gone{};  ///< that gave their quota back after it

  [[nodiscard]] auto find(WorkloadId workload) const -> const Entry*;
  [[nodiscard]] auto same(const CycleFacts& other) const -> bool;
};

struct Nomination {
  Assignment assignment{};
  std::vector<Target> targets{};
};

/// The flavors for a workload, and the victims for them; with fewer pods if it may, and only then fits.
[[nodiscard]] auto nominate(Trial& trial, WorkloadId workload, QueueId queue) -> Nomination;

/// Why the workload is refused, whatever quota there is.
[[nodiscard]] auto refusal(const Controller& controller, WorkloadId workload, QueueId queue) -> Refused;

/// One cycle: a head of every active queue. `only`: those of this tree (QueueInfo::tree); empty: all. The controller is
/// as it is after it, before anything was evicted (see Controller::settle()).
/// Source: pkg/scheduler/scheduler.go schedule.
[[nodiscard]] auto run_cycle(Controller& controller, std::string_view only = {}) -> CycleFacts;

}  // namespace previct::kueue
