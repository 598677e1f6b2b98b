#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::yunikorn {

/// The kinds of objects that YuniKorn's decision uses.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "no node has enough free resources"},
     {&kinds::priority_classes, true, "pods whose class opts out of preemption are taken as regular"},
     {&kinds::config_maps, true,
      "queues, guaranteed shares and maxima are those of the built-in configuration, one queue per namespace"},
     {&kinds::persistent_volume_claims, false, "where the pod's volumes can be reached is not known"},
     {&kinds::persistent_volumes, false, "where bound volumes can be reached is not known"},
     {&kinds::storage_classes, false, "whether unbound claims can be bound is not known"},
     {&kinds::csi_nodes, false, "limits on volumes are not checked"}}};

}  // namespace previct::yunikorn
