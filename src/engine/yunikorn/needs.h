#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::yunikorn {

/// What YuniKorn's decision is made of.
inline constexpr std::array<RequiredKind, 8> kNeeds = {
    {{"Pod", true, "there is nothing to ask about"},
     {"Node", true, "no node has enough free resources"},
     {"scheduling.k8s.io/PriorityClass", true, "pods whose class opts out of preemption are taken as regular"},
     {"ConfigMap", true,
      "queues, guaranteed shares and maxima are those of the built-in configuration, one queue per namespace"},
     {"PersistentVolumeClaim", false, "where the pod's volumes can be reached is not known"},
     {"PersistentVolume", false, "where bound volumes can be reached is not known"},
     {"storage.k8s.io/StorageClass", false, "whether unbound claims can be bound is not known"},
     {"storage.k8s.io/CSINode", false, "limits on volumes are not checked"}}};

}  // namespace previct::yunikorn
