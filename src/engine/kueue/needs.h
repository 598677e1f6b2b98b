#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kueue {

/// What Kueue's decision is made of.
inline constexpr std::array<RequiredKind, 11> kNeeds = {
    {{"kueue.x-k8s.io/Workload", true, "there is nothing to ask about, and no quota is used"},
     {"kueue.x-k8s.io/ClusterQueue", true, "no workload is in a queue"},
     {"kueue.x-k8s.io/LocalQueue", true, "no workload is in a queue"},
     {"kueue.x-k8s.io/ResourceFlavor", true, "every ClusterQueue that names a flavor is inactive"},
     {"kueue.x-k8s.io/Cohort", true, "cohorts have no quota of their own and no parent"},
     {"kueue.x-k8s.io/AdmissionCheck", false, "every ClusterQueue that names a check is inactive"},
     {"kueue.x-k8s.io/Topology", false, "every ClusterQueue with such a flavor is inactive"},
     {"Namespace", true, "namespaces have no labels"},
     {"LimitRange", false, "no requests are filled in or refused"},
     {"node.k8s.io/RuntimeClass", false, "pods have no overhead but their own"},
     {"ConfigMap", true, "the defaults of Kueue's configuration are assumed"}}};

}  // namespace previct::kueue
