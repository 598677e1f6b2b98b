#pragma once

#include "cli/command.h"
#include "live/kubectl.h"
#include "tell/answer.h"

#include <vector>

namespace previct::cli {

/// The kubectl of the command line, found in PATH once, with the connection flags that were given.
[[nodiscard]] auto kubectl_of(const Options& options) -> Result<live::Kubectl>;

/// Reads the cluster into the session: what the engine of the question needs.
[[nodiscard]] auto read_live(Session& session) -> Result<void>;

/// Reads all of the cluster that any engine reads.
[[nodiscard]] auto read_whole_cluster(Session& session) -> Result<void>;

/// What the cluster did not tell.
[[nodiscard]] auto gaps_of(const live::Reading& reading) -> std::vector<Gap>;

}  // namespace previct::cli
