#pragma once

#include "cluster/snapshot.h"

namespace previct::kube {

/// What the objects that select a pod select in common: the labels of its Services, and its controller's selector.
/// Empty if none does.
/// Source: plugins/helper/spread.go DefaultSelector, v1.35.
[[nodiscard]] auto selector_by_default(const Snapshot& cluster, const Pod& pod) -> LabelSelector;

/// Does the input hold what this rests on: Services, and the kind of the pod's controller? If not, the kind that lacks.
[[nodiscard]] auto lacking_for_default_spread(const Snapshot& cluster, const Pod& pod) -> std::string_view;

}  // namespace previct::kube
