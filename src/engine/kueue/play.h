#pragma once

#include "engine/kueue/cycle.h"
#include "engine/simulated_cycles.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// Simulates cycles as if every requested action happened at once: pods of evicted workloads terminate, their quota
/// returns, and they are requeued. No workload finishes and no new one arrives. The time passes only when nothing
/// changes anymore until the back-off of a workload ends.
struct Play {
  /// Cycles that repeat forever.
  struct Loop {
    std::size_t first = 0;   ///< index of the first cycle
    std::size_t length = 0;  ///< number of cycles
  };
  /// A workload that loses its quota because time passes.
  struct Loss {
    WorkloadId workload;
    LossReason reason{};
    Instant at{};
    std::size_t cycle = 0;  ///< index of the cycle that follows
  };
  Instant start{};
  std::vector<CycleFacts> cycles{};
  std::vector<Loss> losses{};  ///< in the order of time
  std::optional<Loop> loop{};  ///< none: nothing changes any more, or the simulation was cut
  bool cut = false;            ///< the simulation stopped while things still change
  bool met_tie = false;        ///< a tie without a defined order was met
  std::uint64_t orders = 1;    ///< how many orders the ties have (Ties::orders)
  /// The workloads that are not tried at the start, and why.
  std::vector<std::pair<WorkloadId, NotQueued>> kept_out{};
  /// Of all workloads that are pending or hold quota, by name.
  std::vector<std::pair<WorkloadId, Phase>> before{};
  std::vector<std::pair<WorkloadId, Phase>> after{};
  std::vector<WorkloadId> deactivated{};  ///< they lost their quota, and are not queued again
};

/// Returns the queues that have a head.
[[nodiscard]] auto queues_with_head(const Controller& start) -> std::vector<QueueId>;

[[nodiscard]] auto play(const Inventory& inventory, Instant now, std::size_t most, TieOrder ties = kAsRead) -> Play;

/// What is not certain in the cycles.
struct Doubts {
  /// The workloads whose result is not certain, with the first reason: what they use is not modeled, a workload of
  /// their scope with such a feature was decided before, or the order of equal ones is random.
  std::map<WorkloadId, Gap> workloads{};
  bool untried_orders = false;  ///< of equal ones, which may have other results

  [[nodiscard]] auto contains(WorkloadId id) const -> bool { return workloads.contains(id); }
};
[[nodiscard]] auto doubts_in(const Inventory& inventory, Instant now, std::size_t most, const Play& play) -> Doubts;

/// Returns what the cycles do not know or assume.
[[nodiscard]] auto gaps_of(const Inventory& inventory, const Play& play, const Doubts& doubts) -> std::vector<Gap>;

/// Returns what becomes of the pending workloads, as values.
[[nodiscard]] auto simulated_cycles(const Inventory& inventory, Instant now, std::size_t most) -> SimulatedCycles;

/// Returns true if a workload in this phase holds quota.
[[nodiscard]] auto holds_quota(Phase phase) -> bool;

/// Returns how often each workload was preempted in the cycles from index `from` on.
[[nodiscard]] auto preemptions_in(const Play& play, std::size_t from = 0)
    -> std::vector<std::pair<WorkloadId, std::size_t>>;

}  // namespace previct::kueue
