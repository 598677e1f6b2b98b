#pragma once

#include "engine/kueue/cycle.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// Simulates cycles as if every requested action happened at once: pods of evicted workloads terminate, their quota
/// returns, and they are requeued. No workload finishes and no new one arrives.
struct Play {
  /// Cycles that repeat forever.
  struct Loop {
    std::size_t first = 0;   ///< index of the first cycle
    std::size_t length = 0;  ///< number of cycles
  };
  std::vector<CycleFacts> cycles{};
  std::optional<Loop> loop{};  ///< none: nothing changes any more, or the simulation was cut
  bool cut = false;            ///< the maximum number of cycles was reached while things still change
  /// Of all workloads that are pending or hold quota, by name.
  std::vector<std::pair<WorkloadId, Phase>> before{};
  std::vector<std::pair<WorkloadId, Phase>> after{};
};

[[nodiscard]] auto play(const Inventory& inventory, Instant now, std::size_t most) -> Play;

/// Returns how often each workload was preempted in these cycles.
[[nodiscard]] auto preemptions_in(const Play& play, std::size_t from, std::size_t to)
    -> std::vector<std::pair<WorkloadId, std::size_t>>;

}  // namespace previct::kueue
