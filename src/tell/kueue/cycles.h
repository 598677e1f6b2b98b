#pragma once

#include "engine/kueue/play.h"
#include "report/report.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace previct::kueue {

/// The next cycles for display (one sentence, then each cycle) and as JSON.
struct CyclesReport {
  std::string sentence;
  std::vector<Block> blocks;
  Json json;
  bool thrashes = false;  ///< workloads are preempted repeatedly
};
/// `doubts`: as from doubts_in().
[[nodiscard]] auto tell_cycles(const std::shared_ptr<const Inventory>& inventory, const Play& play,
                               const Doubts& doubts) -> CyclesReport;

}  // namespace previct::kueue
