#pragma once

#include "engine/kueue/cycle.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// Cycle after cycle, as if everything that is asked for happened at once: pods of evicted workloads end, their quota
/// returns, and they queue again. Nothing ends by itself and nothing new comes.
struct Play {
  /// Cycles that repeat forever.
  struct Loop {
    std::size_t first = 0;   ///< index of the first of them
    std::size_t length = 0;  ///< how many they are
  };
  std::vector<CycleFacts> cycles{};
  std::optional<Loop> loop{};  ///< none: nothing changes any more, or the play was cut
  bool cut = false;            ///< as many cycles as were asked for, and something changes still
  std::vector<std::pair<WorkloadId, Phase>> before{};  ///< of all workloads that wait or hold quota, by name
  std::vector<std::pair<WorkloadId, Phase>> after{};
};

[[nodiscard]] auto play(const Inventory& inventory, Instant now, std::size_t most) -> Play;

/// How often each was preempted in these cycles.
[[nodiscard]] auto preemptions_in(const Play& play, std::size_t from, std::size_t to)
    -> std::vector<std::pair<WorkloadId, std::size_t>>;

}  // namespace previct::kueue
