#pragma once

#include "backtest/record.h"

#include <functional>

namespace previct::backtest {

/// Decides about one pod (`NAMESPACE/NAME`) at a moment.
using DecideOne =
    std::function<Result<ClusterDecisions>(const Snapshot& cluster, const std::string& pod, Instant moment)>;

/// Adds the decisions of one side about the preemptions between the state before and this one: each in the state just
/// before it, as far as this state shows it (history/rewind.h). The first preemption of a pod that was pending in the
/// state before, without a nominated node, is left out: the decision there is about it. `objects` are the same
/// afterwards. Without a state before, there are none.
[[nodiscard]] auto decide_past(Objects& objects, const Earlier& earlier, Side side, const DecideOne& decide,
                               StateRecord& record) -> Result<void>;

}  // namespace previct::backtest
