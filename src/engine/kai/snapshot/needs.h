#pragma once

#include "engine/need.h"

#include <array>

namespace previct::kai {

/// What a KAI Scheduler's cycle is made of.
inline constexpr std::array<Need, 6> kNeeds = {
    {{"Pod", true, "there is nothing to ask about"},
     {"Node", true, "there is nowhere to place pods"},
     {"scheduling.run.ai/Queue", true, "no group can be scheduled without its queue"},
     {"scheduling.k8s.io/PriorityClass", true, "every group has priority 50 and is preemptible"},
     {"scheduling.run.ai/PodGroup", false, "a pod gets the group that the default pod-grouper would make"},
     {"kai.scheduler/SchedulingShard", false, "the built-in defaults are used"}}};

}  // namespace previct::kai
