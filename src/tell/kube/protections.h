#pragma once

#include "engine/kube/known.h"
#include "engine/kube/running_release.h"
#include "tell/tell.h"

namespace previct::kube {

/// Returns the pods whose class tolerates preemption by `question.against` (a PriorityClass or a priority; empty: the
/// lowest priority that could preempt each of them), and those whose toleration has ended. If pods of some schedulers
/// preempt regardless of tolerations, a protection is partial: it only holds against the others.
[[nodiscard]] auto protections(SharedState& known, const RunningRelease& running, const Question& question)
    -> Result<Protections>;

/// Returns what could preempt `pod`: every PriorityClass above it (if schedulers preempt in different ways, with the
/// pods of each), and every pending pod, by the profile of its scheduler: at once, from some time on, or never.
[[nodiscard]] auto possible_preemptors(SharedState& known, const RunningRelease& running, PodId pod,
                                       const Question& question) -> Result<PossiblePreemptors>;

}  // namespace previct::kube
