#pragma once

#include "analysis/changes.h"
#include "analysis/decision.h"
#include "analysis/report_context.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// One of two states that are compared.
struct DiffSide {
  std::string label;  ///< `dump.yaml`, `with classes.yaml`
  Question question;
};

/// The two states: `before` as copied stores, the later one in `objects`, which also has the symbols of both.
struct DiffInput {
  Objects& objects;
  const Stores& before;
  DiffSide sides[2];  ///< earlier, later
  std::string engine = "auto";
  std::vector<std::string> subjects;  ///< pods to ask about: those that wait on either side
  std::vector<std::string> remarks;   ///< how the later state was made
  std::string now_source;             ///< as in ReportContext, and so the next
  std::vector<Gap> input_gaps;
  Arrivals arrivals;
};

struct Diff {
  Report report;
  bool decisions_differ = false;
  Provenance provenance;  ///< of both sides
};

/// Which decisions and which protections differ, and which changes caused it: a change is a cause if taking it back,
/// and nothing else, takes the difference back (wholly or for some pod). `kind: DiffReport`.
[[nodiscard]] auto diff(const DiffInput& input) -> Result<Diff>;

}  // namespace previct
