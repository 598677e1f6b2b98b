#pragma once

#include "api/configurations.h"
#include "engine/engine.h"
#include "input/digest.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

struct InspectionView {
  std::string engine = "auto";                     ///< judge what this engine needs; auto: those that the pods go to
  bool pending = false;                            ///< list the pending pods instead of the kinds
  Arrivals arrivals{};                             ///< as in ReportContext
  const Configurations* configurations = nullptr;  ///< those that stand among the inputs; may be null
};

struct Inspection {
  Report report;         ///< `kind: InspectReport`
  bool lacking = false;  ///< a kind that every answer of these engines needs is not in the input
};

/// What an input holds: each path with its form, size and newest time, the kinds and their counts, the schedulers that
/// its pods name, and for each engine that they go to the kinds it reads: there, empty or missing, and what an answer
/// without them is worth.
///
/// Fails if there is no engine of that name.
[[nodiscard]] auto inspection(const Snapshot& cluster, const InspectionView& view) -> Result<Inspection>;

/// `21523 objects read fast, 2 by the general path`: also of kinds that are then skipped, and of objects that stand
/// twice.
[[nodiscard]] auto paths_of(const ReadCounts& read) -> std::string;

/// Why not all of it was read fast: `2 objects with a key that stands twice; 12 values with flow style`; empty if it
/// was.
[[nodiscard]] auto why_not_fast(const ReadCounts& read) -> std::string;

}  // namespace previct
