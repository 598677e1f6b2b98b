#pragma once

#include "engine/kai/snapshot/cluster_info.h"
#include "engine/kai/snapshot/release.h"

#include <string_view>
#include <utility>
#include <vector>

namespace previct::kai {

/// The pod sets of a PodGroup. `tree` is empty when there is one set and nothing above it.
struct SubGroupShape {
  std::vector<PodSet> sets;
  SubGroupTree tree;
};

/// Without subGroups: one set `default` of minMember (absent: 1). With subGroups: those that another names as its
/// parent are inner nodes, the others pod sets; sets are listed depth first, a node's own before those further down.
/// A repeated name or an unknown parent makes upstream refuse the whole tree: one set of 1.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info/subgroup_info/factory.go.
[[nodiscard]] auto sub_groups_of(const Snapshot& cluster, const PodGroupSpec& spec, const Release& release)
    -> SubGroupShape;

}  // namespace previct::kai
