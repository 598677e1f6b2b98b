#pragma once

#include "sequence/settings.h"

namespace previct::sequence {

/// The next cycles of a scheduler of which only the decisions are modeled: pods that fit are placed, victims use up
/// their grace period, and the next cycle after each change decides about all pods that wait. What the scheduler keeps
/// in memory between cycles is not modeled (Engine::state_lost_between_cycles). Calls to the API server take no time.
///
/// An engine that acts at once decides pod by pod, and each decision sees those before it; a pod that waits for its
/// victims is not tried again until they have left (YuniKorn). Otherwise all decisions of a cycle come from one
/// snapshot (KAI).
///
/// `objects` are changed while it runs and are as before on return.
///
/// Errors: those of the engine.
[[nodiscard]] auto simulate_cycles(Objects& objects, const Engine& engine, const Settings& settings)
    -> Result<Sequence>;

}  // namespace previct::sequence
