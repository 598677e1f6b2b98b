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
  bool thrashing = false;                       ///< pods are evicted repeatedly
  bool slo = false;                             ///< preemptions fail more often than KEP-4832 allows
  std::optional<std::int64_t> more_evictions;   ///< more evictions than before by more than this number
  bool possible = false;  ///< one possible outcome suffices for victim conditions; else all must match
};

/// The kind of result of a command, which determines its conditions; `incomplete` is always available.
enum class ResultKind : std::uint8_t {
  decisions,        ///< answers about pods: every condition
  brief_decisions,  ///< the same without details of each node
  plays,            ///< a simulation of what happens next: `thrashing`, `slo`
  backtests,        ///< two sides over many states: `more-evictions`
  others            ///< another result
};

/// Parses the conditions of --fail-on. A condition that the command does not support is an error; it is ignored if it
/// comes from a variable, which is meant for several commands.
[[nodiscard]] auto fail_on_of(const Options& options, ResultKind tells) -> Result<FailOn>;

/// Fails if --fail-on slo is used with another scheduler than kube-scheduler, because the calls of other schedulers to
/// the API server are not simulated.
[[nodiscard]] auto check_slo(const FailOn& fail_on, const Options& options, std::string_view engine) -> Result<void>;

/// The exit status of a backtest with this many evictions on both sides.
[[nodiscard]] auto status_of(const FailOn& fail_on, bool strict, bool complete, std::size_t evictions_before,
                             std::size_t evictions_after) -> ExitCode;

/// The exit status for these answers, possibly at several moments: a condition holds if it holds for one of them.
/// `otherwise`: the status if no condition holds.
[[nodiscard]] auto status_of(const FailOn& fail_on, bool strict, const Provenance& provenance,
                             const std::vector<Answer>& answers, const ReportContext& context,
                             ExitCode otherwise = kAnswered) -> ExitCode;

}  // namespace previct::cli
