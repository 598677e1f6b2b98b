#pragma once

#include "report/report.h"
#include "sequence/play.h"

#include <optional>

namespace previct::sequence {

/// Asynchronous beside synchronous preemption (KEP-4832): preemptors a second, and how long each waits until it is
/// bound. None if several preemptors are needed to compare, and there are none.
[[nodiscard]] auto modes_table(const Sequence& sequence) -> std::optional<Table>;

/// `preemptionModes`: the same, with kube-scheduler's metrics by their names and the SLO; `seeds`.
void add_modes(const Sequence& sequence, Json& document);

/// Preemptions that ended, and those of them that failed: of the play, or of all seeds together.
/// The service level objective of KEP-4832 (Monitoring Requirements): fewer than 1 of 100 fail.
struct FailureRate {
  std::size_t failed = 0;
  std::size_t of = 0;

  [[nodiscard]] auto rate() const -> double {
    return of == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(of);
  }
  [[nodiscard]] auto misses_slo() const -> bool { return of > 0 && failed * 100 >= of; }
};
[[nodiscard]] auto failure_rate(const Metrics& metrics) -> FailureRate;
[[nodiscard]] auto failure_rate(const Sequence& sequence) -> FailureRate;

/// For the end of a verdict, if the SLO is missed. Empty, or begins with a blank.
[[nodiscard]] auto slo_sentence(const Sequence& sequence) -> std::string;

/// The metrics of preemption as kube-scheduler would have them, and what they do not say. None if nothing tried to
/// preempt.
[[nodiscard]] auto metrics_table(const Sequence& sequence) -> std::optional<Table>;

/// Both modes of preemption with each rate of arrivals. None if none was asked for.
[[nodiscard]] auto rates_table(const Sequence& sequence) -> std::optional<Table>;

/// Least, median and most of what comes of the seeds. None if no call fails by rate.
[[nodiscard]] auto seeds_table(const Sequence& sequence) -> std::optional<Table>;

}  // namespace previct::sequence
