#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/partition_context.h"
#include "tell/answer.h"

/// Lists which pods are protected against preemption in general, without a particular pending pod; and what could
/// preempt one pod.
namespace previct::yunikorn {

/// Returns all running pods of YuniKorn that are protected. `question.against` is a priority class or a priority (then
/// higher priorities protect as well), a queue (then everything that prevents its pods from preempting others
/// protects), or empty. Errors: `against` is none of these.
[[nodiscard]] auto protections(const PartitionContext& core, const Question& question) -> Result<Protections>;

/// Returns every pending pod of YuniKorn, and any future pod of a DaemonSet, as possible preemptors of `pod`.
[[nodiscard]] auto possible_preemptors(const PartitionContext& core, PodId pod, bool triggered, Instant now)
    -> PossiblePreemptors;

}  // namespace previct::yunikorn
