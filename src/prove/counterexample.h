#pragma once

#include "prove/proof.h"

namespace previct::prove {

/// Asks the engine about the pod of the counterexample as if it were in the input, and fills in the answer and the
/// manifest. Of a form, it is tried without an affinity for the node first; without a node, it may run on every node in
/// any case. Fails if the engine's verdict does not break the invariant, which would be a bug.
[[nodiscard]] auto confirm(const Task& task, const Decider& decider, const Invariant& invariant,
                           Counterexample& example) -> Result<void>;

/// As confirm(), for a pod that may run on every node that its form allows; returns false if that breaks nothing.
[[nodiscard]] auto confirm_unpinned(const Task& task, const Decider& decider, const Invariant& invariant,
                                    Counterexample& example) -> bool;

}  // namespace previct::prove
