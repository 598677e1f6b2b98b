#pragma once

#include "report/report.h"
#include "sequence/simulation_result.h"

#include <optional>

namespace previct::sequence {

/// Compares asynchronous and synchronous preemption (KEP-4832): preemptors per second, and how long each waits until it
/// is bound. None if there are too few preemptors to compare.
[[nodiscard]] auto modes_table(const Sequence& sequence) -> std::optional<Table>;

/// Adds `preemptionModes`, the same with kube-scheduler's metrics by name and the SLO, and `seeds`.
void add_modes(const Sequence& sequence, Json& document);

/// Preemptions that ended, and how many of them failed: of one simulation, or of all seeds together. The service level
/// objective of KEP-4832 (Monitoring Requirements): fewer than 1 of 100 fail.
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

/// Returns the end of a verdict if the SLO is missed. Empty, or begins with a blank.
[[nodiscard]] auto slo_sentence(const Sequence& sequence) -> std::string;

/// The metrics of preemption as kube-scheduler would report them, and the true values where they differ. None if no
/// cycle tried to preempt.
[[nodiscard]] auto metrics_table(const Sequence& sequence) -> std::optional<Table>;

/// Both modes of preemption at each rate of arrivals. None if no rate was requested.
[[nodiscard]] auto rates_table(const Sequence& sequence) -> std::optional<Table>;

/// Minimum, median and maximum of the results of all seeds. None if no call fails by rate.
[[nodiscard]] auto seeds_table(const Sequence& sequence) -> std::optional<Table>;

}  // namespace previct::sequence
