#pragma once

#include "cluster/snapshot.h"

#include <string>

namespace previct {

/// A text that is the same for pods which a scheduler that looks at one pod at a time cannot tell apart: every field
/// that is read is the same, except for the name. Empty: something else belongs to this pod by its name.
[[nodiscard]] auto alike_key(const Snapshot& cluster, PodId pod) -> std::string;

}  // namespace previct
