#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kube {

/// The kinds that kube-scheduler's decisions depend on.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{&kinds::pods, true, "there is nothing to ask about"},
     {&kinds::nodes, true, "no decision is possible"},
     {&kinds::priority_classes, true, "it is not known which pods tolerate preemption; previct assumes that none does"},
     {&kinds::disruption_budgets, true, "every eviction is assumed to be allowed"},
     {&kinds::persistent_volume_claims, false, "it is not known from which nodes the pod's volumes can be reached"},
     {&kinds::persistent_volumes, false, "it is not known from which nodes bound volumes can be reached"},
     {&kinds::storage_classes, false, "it is not known whether unbound claims can be bound"},
     {&kinds::csi_nodes, false, "volume limits are not checked"}}};

}  // namespace previct::kube
