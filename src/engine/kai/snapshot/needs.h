#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kai {

/// What a KAI Scheduler's cycle is made of.
inline constexpr std::array<RequiredKind, 9> kNeeds = {
    {{"Pod", true, "there is nothing to ask about"},
     {"Node", true, "there is nowhere to place pods"},
     {"scheduling.run.ai/Queue", true, "no group can be scheduled without its queue"},
     {"scheduling.k8s.io/PriorityClass", true, "every group has priority 50 and is preemptible"},
     {"scheduling.run.ai/PodGroup", false, "a pod gets the group that the default pod-grouper would make"},
     {"kai.scheduler/SchedulingShard", false, "the built-in defaults are used"},
     {"kai.scheduler/Topology", false, "which nodes are close to each other is not known"},
     {"ConfigMap", false, "whether those that pods need exist is not known"},
     {"resource.k8s.io/ResourceSlice", false, "the GPUs that a DRA driver reports are not counted"}}};

}  // namespace previct::kai
