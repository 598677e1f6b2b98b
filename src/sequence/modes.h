#pragma once

#include "report/report.h"
#include "sequence/play.h"

#include <optional>

namespace previct::sequence {

/// Asynchronous beside synchronous preemption (KEP-4832): preemptors a second, and how long each waits until it is
/// bound. None if several preemptors are needed to compare, and there are none.
[[nodiscard]] auto modes_table(const Sequence& sequence) -> std::optional<Table>;

/// `preemptionModes`: the same, with kube-scheduler's metrics by their names.
void add_modes(const Sequence& sequence, Json& document);

}  // namespace previct::sequence
