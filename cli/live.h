#pragma once

#include "analysis/subject.h"
#include "cli/command.h"
#include "live/cluster.h"
#include "live/kubectl.h"
#include "overlay/surroundings.h"
#include "sequence/controller_objects.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::cli {

/// The kubectl of the command line, searched in PATH once, with the given connection flags.
[[nodiscard]] auto kubectl_of(const Options& options) -> Result<live::Kubectl>;

/// What the question needs for any pods.
[[nodiscard]] auto in_any_case_of(const Session& session) -> Result<live::BaseNeeds>;

/// Reads from the cluster what the engine of the question needs into the session.
[[nodiscard]] auto read_live(Session& session) -> Result<void>;

/// Reads from the cluster the objects that only affect new objects.
[[nodiscard]] auto surroundings_live(Session& session) -> Result<Surroundings>;

/// Reads how the controllers of the cluster's pods create new ones.
[[nodiscard]] auto makers_live(Session& session) -> Result<sequence::ControllerObjects>;

/// Reads the cluster's events about a pod that does not exist any more.
[[nodiscard]] auto events_live(Session& session, const Subject& pod) -> Result<void>;

/// Reads everything that any engine needs from the cluster.
[[nodiscard]] auto read_whole_cluster(Session& session) -> Result<void>;

/// Resource names of the kinds that were only read in one namespace.
[[nodiscard]] auto kinds_of_one_namespace(const live::Reading& reading) -> std::vector<std::string>;

/// The gaps in what the cluster returned.
[[nodiscard]] auto gaps_of(const live::Reading& reading) -> std::vector<Gap>;

}  // namespace previct::cli
