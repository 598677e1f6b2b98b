#pragma once

#include "engine/kube/attempt.h"
#include "engine/kube/running_release.h"
#include "tell/tell.h"

namespace previct::kube {

/// The pods whose class tolerates preemption by `question.against` (a PriorityClass or a priority; empty: by the lowest
/// priority that could reach each of them), and those whose toleration has ended.
[[nodiscard]] auto protections(const NodeInfoSnapshot& node_infos, const RunningRelease& running,
                               const Profile& profile, const Question& question) -> Result<Protections>;

/// Who could take `pod`: every PriorityClass above it, and every pending pod, at once, from some moment on, or never.
[[nodiscard]] auto possible_preemptors(const NodeInfoSnapshot& node_infos, const RunningRelease& running,
                                       const Profile& profile, PodId pod, const Question& question)
    -> PossiblePreemptors;

}  // namespace previct::kube
