#pragma once

#include "engine/required_kind.h"
#include "engine/volume_needs.h"

#include <array>

namespace previct::kai {

/// The kinds of objects that a cycle of the KAI Scheduler uses.
inline constexpr std::array<RequiredKind, 12> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "there is nowhere to place pods"},
     {&kinds::kai_queues, true, "no group can be scheduled without its queue"},
     {&kinds::priority_classes, true,
      "a class has the value that its pods show, or that KAI's chart gives it, or else 50"},
     {&kinds::kai_pod_groups, false, "a pod gets the group that the default pod-grouper would make"},
     {&kinds::kai_shards, false, "the built-in defaults are used"},
     {&kinds::kai_topologies, false, "it is not known which nodes are close to each other"},
     {&kinds::config_maps, false, "it is not known whether the ones that pods need exist"},
     {&kinds::resource_slices, false, "the GPUs that a DRA driver reports are not counted"},
     kVolumeNeeds[0],
     kVolumeNeeds[1],
     kVolumeNeeds[2]}};

}  // namespace previct::kai
