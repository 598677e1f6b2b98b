#pragma once

#include "cluster/snapshot.h"
#include "tell/answer.h"

#include <string>

namespace previct {

/// A text that is the same for pods which a scheduler that looks at one pod at a time cannot tell apart: every field
/// that is read is the same, except for the name. Empty: something else belongs to this pod by its name.
[[nodiscard]] auto alike_key(const Snapshot& cluster, PodId pod) -> std::string;

/// Releases what a line of a list does not show: lists of thousands of nodes. Of nodes that tie, two are left, and of
/// possible nodes, one: whether there are several can still be seen. `keeps_victims`: not of possible nodes with
/// victims.
void release_node_lists(Answer& answer, bool keeps_victims);

}  // namespace previct
