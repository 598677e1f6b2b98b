#pragma once

#include "cluster/snapshot.h"
#include "engine/verdict.h"

#include <optional>
#include <vector>

namespace previct {

/// What the input as a whole leaves open of a verdict, whichever engine gave it: pods of other namespaces or of files
/// that could not be read, nodes that pods are on and the input lacks, a RuntimeClass that it lacks. They are put among
/// its gaps. `nodes_that_matter`: those that alone can change the verdict, in the input or not; nothing: any node.
void doubt_for_input(const Snapshot& cluster, const std::optional<std::vector<Symbol>>& nodes_that_matter,
                     Verdict& verdict);

}  // namespace previct
