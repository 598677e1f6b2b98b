#pragma once

#include "engine/need.h"

#include <array>

namespace previct::kube {

/// What kube-scheduler's decision is made of.
inline constexpr std::array<Need, 8> kNeeds = {
    {{"Pod", true, "there is nothing to ask about"},
     {"Node", true, "there is nowhere to place the pod"},
     {"scheduling.k8s.io/PriorityClass", true, "which pods tolerate preemption is not known; none is taken to"},
     {"policy/PodDisruptionBudget", true, "violations are counted as 0"},
     {"PersistentVolumeClaim", false, "the pod's claims count as missing"},
     {"PersistentVolume", false, "bound volumes count as missing"},
     {"storage.k8s.io/StorageClass", false, "unbound claims count as not bindable"},
     {"storage.k8s.io/CSINode", false, "limits on volumes are not checked"}}};

}  // namespace previct::kube
