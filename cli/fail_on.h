#pragma once

#include "analysis/report_context.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::cli {

/// The conditions of --fail-on.
struct FailOn {
  std::vector<std::string> outcomes;
  bool incomplete = false;
  bool pdb_violation = false;                   ///< a budget would be violated
  std::optional<std::int64_t> victim_priority;  ///< a victim of at least this priority
  std::optional<std::int64_t> changes_within;   ///< nanoseconds from now
  bool thrashing = false;                       ///< pods are evicted over and over
  bool slo = false;                             ///< preemptions fail more often than KEP-4832 allows
  bool possible = false;  ///< the two about victims hold if one possible outcome is so; else if every one is
};

/// What a command tells, and so what may be asked of it beside `incomplete`, which every one tells.
enum class Tells : std::uint8_t {
  decisions,        ///< answers about pods: every condition
  brief_decisions,  ///< the same without what was found of each node
  plays,            ///< what happens next: `thrashing`, `slo`
  others            ///< something else
};

/// Reads the conditions of --fail-on. One that the command cannot tell about is refused; from a variable, which is
/// meant for several commands, it is left out.
[[nodiscard]] auto fail_on_of(const Options& options, Tells tells) -> Result<FailOn>;

/// Fails if --fail-on slo is asked of another scheduler than kube-scheduler, whose calls to the API server are not
/// simulated.
[[nodiscard]] auto check_slo(const FailOn& fail_on, const Options& options, std::string_view engine) -> Result<void>;

/// The status of a run that rests on `basis` and gave these answers, at several moments if need be: a condition holds
/// if it holds of one of them. `otherwise`: what the command would end with by itself.
[[nodiscard]] auto status_of(const FailOn& fail_on, bool strict, const Provenance& provenance,
                             const std::vector<Answer>& answers, const ReportContext& context,
                             ExitCode otherwise = kAnswered) -> ExitCode;

}  // namespace previct::cli
