#pragma once

#include "prove/proof.h"

namespace previct::prove {

/// Asks the engine about the pod of the counterexample as if it were in the input, and fills in the answer and the
/// manifest. Without a node, the pod may run on every node. Fails if the engine's verdict does not break the invariant,
/// which would be a bug.
[[nodiscard]] auto confirm(const Task& task, const Decider& decider, const Invariant& invariant,
                           Counterexample& example) -> Result<void>;

}  // namespace previct::prove
