#pragma once

#include "backtest/backtest.h"
#include "cli/command.h"

#include <vector>

namespace previct::cli {

/// Decides the states of --series, or those of the part that --shard I/N names. The records are in the order of time.
[[nodiscard]] auto decide_series(Session& session) -> Result<std::vector<backtest::StateRecord>>;

/// Reads the records of --merge.
[[nodiscard]] auto merged_records(Session& session) -> Result<std::vector<backtest::StateRecord>>;

}  // namespace previct::cli
