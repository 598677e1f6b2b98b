#pragma once

#include "analysis/changes.h"
#include "analysis/decision.h"
#include "analysis/report_context.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// One of the two states that are compared.
struct DiffSide {
  std::string label;  ///< `dump.yaml`, `with classes.yaml`
  Question question;
};

/// The two states: the later one in `objects`, which also has the symbols of both. The stores of the two are exchanged
/// while the earlier one is evaluated.
struct DiffInput {
  Objects& objects;
  Stores& before;
  DiffSide sides[2];  ///< earlier, later
  std::string engine = "auto";
  std::vector<std::string> subjects;  ///< pods in question: those that are pending on either side
  std::vector<std::string> remarks;   ///< how the later state was produced
  std::string now_source;             ///< as in ReportContext, like the two members below
  std::vector<Gap> input_gaps;
  InputDigests arrivals;
};

struct Diff {
  Report report;
  bool decisions_differ = false;
  Provenance provenance;  ///< of both sides
};

/// If more pods are compared, brief decisions are, and only so many of the pods that differ are then decided in full.
constexpr std::size_t kDecidedInFull = 100;

/// Reports the decisions and protections that differ, and the changes that cause it: a change is a cause if reverting
/// it alone removes the difference (wholly or for some pod). `kind: DiffReport`.
[[nodiscard]] auto diff(const DiffInput& input) -> Result<Diff>;

}  // namespace previct
