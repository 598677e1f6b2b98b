#pragma once

#include "cluster/snapshot.h"
#include "report/report.h"
#include "sequence/simulation_result.h"

#include <optional>

namespace previct::sequence {

/// The simulation as lanes: one for each pod that is to be placed, in queue order, then one for each pod that is
/// evicted for another. None if everything happens at once.
[[nodiscard]] auto lanes(const SimulationResult& play, const Snapshot& cluster) -> std::optional<Picture>;

}  // namespace previct::sequence
