#pragma once

#include "api/configurations.h"
#include "engine/engine.h"
#include "input/digest.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

struct InspectionView {
  std::string engine = "auto";                     ///< checks the needs of this engine; auto: of the pods' engines
  bool pending = false;                            ///< list the pending pods instead of the kinds
  bool places = true;                              ///< false: the place of a field is that of its object
  InputDigests arrivals{};                         ///< as in ReportContext
  const Configurations* configurations = nullptr;  ///< those found among the inputs; may be null
};

struct Inspection {
  Report report;         ///< `kind: InspectReport`
  bool lacking = false;  ///< a kind that every answer of these engines needs is missing from the input
};

/// Describes the content of an input: each path with its format, size and newest time, the kinds and their counts, the
/// schedulers that its pods name, and for each of their engines the kinds it reads: present, empty or missing, and what
/// an answer without them is worth.
///
/// Fails if no engine has the given name.
[[nodiscard]] auto inspection(const Snapshot& cluster, const InspectionView& view) -> Result<Inspection>;

/// `21523 objects read fast, 2 by the general path`. Includes objects of kinds that are then skipped, and duplicates.
[[nodiscard]] auto paths_of(const ReadCounts& read) -> std::string;

/// Why the fast path did not read everything: `2 objects with a key that occurs twice; 12 values with flow style`;
/// empty if it did.
[[nodiscard]] auto why_not_fast(const ReadCounts& read) -> std::string;

}  // namespace previct
