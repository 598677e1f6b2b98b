#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/partition_context.h"
#include "tell/answer.h"

/// Who is protected against preemption, without a certain pending pod in mind; and who could take one pod.
namespace previct::yunikorn {

/// All of YuniKorn's running pods that something protects. `question.against` is a priority class or a
/// priority (then higher priorities protect as well), a queue (then whatever keeps its pods from reaching
/// others), or empty. Errors: `against` is none of these.
[[nodiscard]] auto protections(const PartitionContext& core, const Question& question) -> Result<Protections>;

/// Every waiting pod of YuniKorn's, and any DaemonSet's pod to come, against `pod`.
[[nodiscard]] auto possible_preemptors(const PartitionContext& core, PodId pod, Instant now) -> PossiblePreemptors;

}  // namespace previct::yunikorn
