#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct {

/// The kinds that describe the volumes of pods, for the schedulers that run the filters of kube-scheduler for volumes.
inline constexpr std::array<RequiredKind, 3> kVolumeNeeds = {
    {{&kinds::persistent_volume_claims, false, "it is not known from which nodes the pod's volumes can be reached"},
     {&kinds::persistent_volumes, false, "it is not known from which nodes bound volumes can be reached"},
     {&kinds::storage_classes, false, "it is not known whether unbound claims can be bound"}}};

}  // namespace previct
