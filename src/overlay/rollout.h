#pragma once

#include "api/objects.h"

#include <string_view>

namespace previct {

/// Returns true if the input shows what a simulation of the rollout needs when an overlay changes the template of this
/// workload: a Deployment with its ReplicaSets, or a StatefulSet with its revisions, as the API server stores them, and
/// all their pods. `sequence` simulates it then.
[[nodiscard]] auto shows_rollout(std::string_view kind, Symbol ns, std::string_view name, Objects& objects) -> bool;

/// What kubectl apply leaves as it is if the manifest does not say: the replicas, and how they are updated.
void keep_settings(const Deployment& from, Deployment& to);
/// The same for a StatefulSet, whose template has another revision from now on.
void keep_settings(const StatefulSet& from, StatefulSet& to, Symbols& symbols);

}  // namespace previct
