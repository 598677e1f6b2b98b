#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <string>
#include <string_view>

/// What upstream writes about selectors of a pod that it cannot read, byte for byte. If several labels of one
/// matchLabels are malformed, upstream names any of them; here it is the first.
/// Source: kubernetes/apimachinery: pkg/labels/selector.go NewRequirement; pkg/apis/meta/v1/helpers.go
/// LabelSelectorAsSelector; pkg/util/validation/validation.go; v0.35.
namespace previct::kube {

/// Returns what is wrong with the preferred terms of the pod's node affinity.
[[nodiscard]] auto preferred_fault(const NodeInfoSnapshot& node_infos, const Pod& pod) -> std::string;

/// Returns what is wrong with the terms of the pod's pod affinity and anti-affinity.
[[nodiscard]] auto affinity_fault(const NodeInfoSnapshot& node_infos, const Pod& pod) -> std::string;

/// Returns what is wrong with the topology spread constraints that have this `whenUnsatisfiable`.
[[nodiscard]] auto spread_fault(const NodeInfoSnapshot& node_infos, const Pod& pod, std::string_view when)
    -> std::string;

}  // namespace previct::kube
