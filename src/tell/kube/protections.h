#pragma once

#include "engine/kube/known.h"
#include "engine/kube/running_release.h"
#include "tell/tell.h"

namespace previct::kube {

/// The pods whose class tolerates preemption by `question.against` (a PriorityClass or a priority; empty: by the lowest
/// priority that could reach each of them), and those whose toleration has ended. Where pods of some schedulers preempt
/// whatever a pod tolerates, a protection is partial: against those of the others.
[[nodiscard]] auto protections(Known& known, const RunningRelease& running, const Question& question)
    -> Result<Protections>;

/// What could preempt `pod`: every PriorityClass above it (where schedulers preempt in different ways, with the pods of
/// each), and every pending pod, by the profile of its scheduler: at once, from some moment on, or never.
[[nodiscard]] auto possible_preemptors(Known& known, const RunningRelease& running, PodId pod, const Question& question)
    -> Result<PossiblePreemptors>;

}  // namespace previct::kube
