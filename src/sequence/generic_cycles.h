#pragma once

#include "sequence/settings.h"

namespace previct::sequence {

/// Simulates the cycles of a scheduler that is known only by its answers: a pod that fits is placed, victims use their
/// whole grace period, and whenever something has changed, the next cycle asks for every pending pod. What the
/// scheduler keeps in memory between cycles is not simulated, and is reported as missing.
///
/// YuniKorn: pods are asked in order, and each sees the effects of the earlier ones; a pod that has triggered
/// preemption is not asked again before its victims are gone (it triggers once). KAI: all answers of one cycle come
/// from one snapshot, because the engine simulates the whole cycle for each.
///
/// `objects` are changed during the simulation and restored on return. Errors: those of the engine.
[[nodiscard]] auto rounds(Objects& objects, const Engine& engine, const Settings& settings) -> Result<Sequence>;

}  // namespace previct::sequence
