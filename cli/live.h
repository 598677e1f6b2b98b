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
[[nodiscard]] auto in_any_case_of(const Options& options, const LoadRequest& request) -> Result<live::BaseNeeds>;

/// Adds to the state what the engine of the question needs from the cluster. Without -n, the namespace of kubectl's
/// context applies from now on.
[[nodiscard]] auto read_live(Session& session, Loaded& loaded) -> Result<void>;

/// Adds from the cluster the objects that only affect new objects. Adds what the user may not list to `gaps`.
[[nodiscard]] auto surroundings_live(const Options& options, Objects& objects, std::vector<Gap>& gaps)
    -> Result<Surroundings>;

/// Reads how the controllers of the cluster's pods create new ones.
[[nodiscard]] auto controller_objects_live(const Options& options, Objects& objects)
    -> Result<sequence::ControllerObjects>;

/// Reads the cluster's events about a pod that does not exist any more.
[[nodiscard]] auto events_live(const Options& options, const Subject& pod, Objects& objects) -> Result<void>;

/// Adds everything that any engine needs from the cluster to the state.
[[nodiscard]] auto read_whole_cluster(const Options& options, Loaded& loaded) -> Result<void>;

/// Resource names of the kinds that were only read in one namespace.
[[nodiscard]] auto kinds_of_one_namespace(const live::Reading& reading) -> std::vector<std::string>;

/// The gaps in what the cluster returned.
[[nodiscard]] auto gaps_of(const live::Reading& reading) -> std::vector<Gap>;

}  // namespace previct::cli
