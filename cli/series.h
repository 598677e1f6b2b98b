#pragma once

#include "cli/command.h"

namespace previct::cli {

/// capture --series: adds the state of the cluster, or of each -f, to the series; with --every, again and again.
[[nodiscard]] auto capture_series(Session& session) -> Result<CommandResult>;

}  // namespace previct::cli
