#pragma once

#include "engine/required_kind.h"
#include "engine/volume_needs.h"

#include <array>

namespace previct::yunikorn {

/// The kinds of objects that YuniKorn's decision uses.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "no node has enough free resources"},
     {&kinds::priority_classes, true, "pods whose class opts out of preemption count as regular pods"},
     {&kinds::config_maps, true,
      "queues, guaranteed shares and maxima are those of the built-in configuration, one queue per namespace"},
     kVolumeNeeds[0],
     kVolumeNeeds[1],
     kVolumeNeeds[2],
     {&kinds::csi_nodes, false, "volume limits are not checked"}}};

}  // namespace previct::yunikorn
