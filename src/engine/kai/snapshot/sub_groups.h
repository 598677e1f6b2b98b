#pragma once

#include "engine/kai/snapshot/cluster_info.h"
#include "engine/kai/snapshot/release.h"

#include <string_view>
#include <utility>
#include <vector>

namespace previct::kai {

/// The pod sets of a PodGroup. `tree` is empty if there is only one set and nothing above it.
struct SubGroupShape {
  std::vector<PodSet> sets;
  SubGroupTree tree;
};

/// Without subGroups: one set `default` of minMember (absent: 1). With subGroups: those that another one names as its
/// parent are inner nodes; the others are pod sets. Sets are listed depth first, a node's own sets before those of
/// deeper nodes. If a name is repeated or a parent is unknown, upstream rejects the whole tree: one set of 1.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info/subgroup_info/factory.go.
[[nodiscard]] auto sub_groups_of(const Snapshot& cluster, const PodGroupSpec& spec, const Release& release)
    -> SubGroupShape;

}  // namespace previct::kai
