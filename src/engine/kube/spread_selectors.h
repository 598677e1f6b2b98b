#pragma once

#include "engine/gap.h"
#include "engine/kube/node_info_snapshot.h"

#include <optional>

namespace previct::kube {

/// Returns true if one of the pod's own constraints with this `whenUnsatisfiable` has a selector that upstream refuses.
/// The attempt then ends in an error.
/// Source: plugins/podtopologyspread/common.go filterTopologySpreadConstraints, v1.35.
[[nodiscard]] auto has_malformed_constraint(const Snapshot& cluster, const Pod& pod, Symbol when_unsatisfiable) -> bool;

/// Returns the selector of a pod's own constraint; matchLabelKeys adds the pod's labels with these keys. Without a
/// selector it selects nothing.
/// Source: plugins/podtopologyspread/common.go filterTopologySpreadConstraints, v1.35.
[[nodiscard]] auto spread_selector(const NodeInfoSnapshot& node_infos, const Pod& pod,
                                   const TopologySpreadConstraint& constraint) -> std::optional<LabelSelector>;

/// Returns the combined selector of the objects that select a pod: its Services and its controller. Empty if none does.
/// Source: plugins/helper/spread.go DefaultSelector, v1.35.
[[nodiscard]] auto selector_by_default(const Snapshot& cluster, const Pod& pod) -> LabelSelector;

/// Returns the kind that the input lacks to compute this (Services, or the kind of the pod's controller); empty if it
/// lacks none.
[[nodiscard]] auto lacking_for_default_spread(const Snapshot& cluster, const Pod& pod) -> std::string_view;

/// Returns the gap for default constraints that rank nodes: what is not known about the pods that they count. Nothing
/// if no object of the missing kind can select the pod.
[[nodiscard]] auto doubt_of_default_spread(const Snapshot& cluster, const Pod& pod) -> std::optional<Gap>;

}  // namespace previct::kube
