#pragma once

#include "backtest/record.h"

#include <functional>

namespace previct::backtest {

/// Decides about one pod (`NAMESPACE/NAME`) at a moment.
using DecideOne =
    std::function<Result<ClusterDecisions>(const Snapshot& cluster, const std::string& pod, Instant moment)>;

/// Adds the decisions of one side about the pods that preempted others between the state before and this one, and were
/// not pending in the state before: each in the state just before its preemption, as far as this state shows it
/// (history/rewind.h). `objects` are the same afterwards. `since`: the time of the state before.
[[nodiscard]] auto decide_past(Objects& objects, Instant since, const Earlier& earlier, Side side,
                               const DecideOne& decide, StateRecord& record) -> Result<void>;

}  // namespace previct::backtest
