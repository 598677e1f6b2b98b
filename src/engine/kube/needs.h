#pragma once

#include "engine/required_kind.h"
#include "engine/volume_needs.h"

#include <array>

namespace previct::kube {

/// The kinds that kube-scheduler's decisions depend on.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "no decision is possible"},
     {&kinds::priority_classes, true, "it is not known which pods tolerate preemption; previct assumes that none does"},
     {&kinds::disruption_budgets, true, "every eviction is assumed to be allowed"},
     kVolumeNeeds[0],
     kVolumeNeeds[1],
     kVolumeNeeds[2],
     {&kinds::csi_nodes, false, "volume limits are not checked"}}};

}  // namespace previct::kube
