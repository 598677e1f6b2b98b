#pragma once

#include "engine/required_kind.h"

#include <array>

namespace previct::kueue {

/// The kinds of objects that Kueue's decision uses.
inline constexpr std::array<RequiredKind, 11> kNeeds = {
    {{&kinds::kueue_workloads, true, "there are no workloads, and no quota is used"},
     {&kinds::cluster_queues, true, "no workload is in a queue"},
     {&kinds::local_queues, true, "no workload is in a queue"},
     {&kinds::resource_flavors, true, "every ClusterQueue that names a flavor is inactive"},
     {&kinds::cohorts, true, "cohorts have neither their own quota nor a parent"},
     {&kinds::admission_checks, false, "every ClusterQueue that names a check is inactive"},
     {&kinds::kueue_topologies, false, "every ClusterQueue with such a flavor is inactive"},
     {&kinds::namespaces, true, "namespaces have no labels"},
     {&kinds::limit_ranges, false, "no requests are set or refused"},
     {&kinds::runtime_classes, false, "pods have only their own overhead"},
     {&kinds::config_maps, true, "the defaults of Kueue's configuration are assumed"}}};

}  // namespace previct::kueue
