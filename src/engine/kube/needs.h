#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kube {

/// What kube-scheduler's decision is made of.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{"Pod", true, "there is nothing to ask about"},
     {"Node", true, "there is nowhere to place the pod"},
     {"scheduling.k8s.io/PriorityClass", true,
      "which pods tolerate preemption is not known; previct assumes that none does"},
     {"policy/PodDisruptionBudget", true, "every eviction is assumed to be allowed"},
     {"PersistentVolumeClaim", false, "where the pod's volumes can be reached is not known"},
     {"PersistentVolume", false, "where bound volumes can be reached is not known"},
     {"storage.k8s.io/StorageClass", false, "whether unbound claims can be bound is not known"},
     {"storage.k8s.io/CSINode", false, "limits on volumes are not checked"}}};

}  // namespace previct::kube
