#pragma once

#include "engine/gap.h"
#include "engine/kube/node_info_snapshot.h"

#include <optional>

namespace previct::kube {

/// What a pod's own constraint selects: with matchLabelKeys, pods that have the pod's labels of these keys. None
/// selects nothing. Source: plugins/podtopologyspread/common.go filterTopologySpreadConstraints, v1.35.
[[nodiscard]] auto spread_selector(const NodeInfoSnapshot& node_infos, const Pod& pod,
                                   const TopologySpreadConstraint& constraint) -> std::optional<LabelSelector>;

/// What the objects that select a pod select in common: the labels of its Services, and its controller's selector.
/// Empty if none does.
/// Source: plugins/helper/spread.go DefaultSelector, v1.35.
[[nodiscard]] auto selector_by_default(const Snapshot& cluster, const Pod& pod) -> LabelSelector;

/// Does the input hold what this rests on: Services, and the kind of the pod's controller? If not, the kind that lacks.
[[nodiscard]] auto lacking_for_default_spread(const Snapshot& cluster, const Pod& pod) -> std::string_view;

/// The same where the default constraints rank nodes: what is not known of the pods that they count; nothing, if it
/// cannot be that any object of that kind selects the pod.
[[nodiscard]] auto doubt_of_default_spread(const Snapshot& cluster, const Pod& pod) -> std::optional<Gap>;

}  // namespace previct::kube
