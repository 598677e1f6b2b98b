#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kube {

/// The kinds that kube-scheduler's decisions depend on.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "there is nowhere to place the pod"},
     {&kinds::priority_classes, true, "which pods tolerate preemption is not known; previct assumes that none does"},
     {&kinds::disruption_budgets, true, "every eviction is assumed to be allowed"},
     {&kinds::persistent_volume_claims, false, "where the pod's volumes can be reached is not known"},
     {&kinds::persistent_volumes, false, "where bound volumes can be reached is not known"},
     {&kinds::storage_classes, false, "whether unbound claims can be bound is not known"},
     {&kinds::csi_nodes, false, "limits on volumes are not checked"}}};

}  // namespace previct::kube
