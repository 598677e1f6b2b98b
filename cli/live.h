#pragma once

#include "analysis/subject.h"
#include "cli/command.h"
#include "live/cluster.h"
#include "live/kubectl.h"
#include "overlay/surroundings.h"
#include "sequence/makers.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::cli {

/// The kubectl of the command line, found in PATH once, with the connection flags that were given.
[[nodiscard]] auto kubectl_of(const Options& options) -> Result<live::Kubectl>;

/// What the question needs whatever the pods are.
[[nodiscard]] auto in_any_case_of(const Session& session) -> Result<live::InAnyCase>;

/// Reads the cluster into the session: what the engine of the question needs.
[[nodiscard]] auto read_live(Session& session) -> Result<void>;

/// What matters to objects that are laid over the cluster alone.
[[nodiscard]] auto surroundings_live(Session& session) -> Result<Surroundings>;

/// How the controllers of the cluster's pods make new ones.
[[nodiscard]] auto makers_live(Session& session) -> Result<sequence::Makers>;

/// What the cluster's events tell of a pod that is not there.
[[nodiscard]] auto events_live(Session& session, const Subject& pod) -> Result<void>;

/// Reads all of the cluster that any engine reads.
[[nodiscard]] auto read_whole_cluster(Session& session) -> Result<void>;

/// The kinds of which one namespace alone was read, by the names of their resources.
[[nodiscard]] auto kinds_of_one_namespace(const live::Reading& reading) -> std::vector<std::string>;

/// What the cluster did not tell.
[[nodiscard]] auto gaps_of(const live::Reading& reading) -> std::vector<Gap>;

}  // namespace previct::cli
