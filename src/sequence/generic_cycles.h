#pragma once

#include "sequence/settings.h"

namespace previct::sequence {

/// One cycle after another of a scheduler that is known by its answers only: whoever fits is placed, victims use up
/// their grace, and whenever something has changed the next cycle asks all who wait. What the scheduler keeps in memory
/// between cycles is not there, and is said to be missing.
///
/// YuniKorn: pods are asked in turn, each sees what the ones before have done; a pod that has triggered preemption is
/// not asked again before its victims are gone (it triggers once). KAI: all answers of one cycle come from one
/// snapshot, because the engine plays the whole cycle for each.
///
/// `objects` are changed while it runs and are as before on return. Errors: those of the engine.
[[nodiscard]] auto rounds(Objects& objects, const Engine& engine, const Settings& settings) -> Result<Sequence>;

}  // namespace previct::sequence
