#pragma once

#include "api/node.h"
#include "api/pod.h"
#include "base/symbols.h"
#include "cluster/snapshot.h"

#include <span>

/// Selectors, taints and node affinity: the matching rules that all schedulers share.
namespace previct {

/// Returns true if the labels satisfy one requirement. An absent label satisfies NotIn and DoesNotExist. Gt and Lt
/// compare base-10 int64 on both sides and match nothing else. An unknown operator matches nothing.
/// Source: kubernetes: component-helpers/scheduling/corev1/nodeaffinity, v1.35; apimachinery pkg/labels.
[[nodiscard]] auto matches(const Requirement& requirement, const SymbolMap& labels, const Symbols& symbols) -> bool;

/// An absent selector matches nothing, an empty one everything.
[[nodiscard]] auto matches(const std::optional<LabelSelector>& selector, const SymbolMap& labels,
                           const Symbols& symbols) -> bool;
[[nodiscard]] auto matches(const LabelSelector& selector, const SymbolMap& labels, const Symbols& symbols) -> bool;

/// Terms are alternatives. An empty term, an invalid term (label_syntax.h) and a selector without terms match nothing.
/// Without `node_name`, fields are not compared, as for the affinity of a volume.
[[nodiscard]] auto matches(const NodeSelector& selector, const SymbolMap& node_labels, Symbol node_name,
                           const Snapshot& cluster) -> bool;

/// Returns true if the node satisfies nodeSelector and the required node affinity of a pod.
[[nodiscard]] auto matches_required_affinity(const PodSpec& spec, const Node& node, const Snapshot& cluster) -> bool;

/// Returns true if one of the tolerations tolerates the taint. `tolerationSeconds` is ignored. The operators Gt and Lt
/// tolerate nothing unless `numbers` is given: the texts of the values to compare.
[[nodiscard]] auto tolerates(std::span<const TaintToleration> tolerations, const Taint& taint, const WellKnown& known,
                             const Symbols* numbers = nullptr) -> bool;

/// The first of these tolerations; null: none tolerates the taint.
[[nodiscard]] auto first_toleration(std::span<const TaintToleration> tolerations, const Taint& taint,
                                    const WellKnown& known, const Symbols* numbers = nullptr) -> const TaintToleration*;

/// The first NoSchedule or NoExecute taint that the pod does not tolerate; null if there is none.
[[nodiscard]] auto first_untolerated_taint(const PodSpec& spec, const Node& node, const WellKnown& known,
                                           const Symbols* numbers = nullptr) -> const Taint*;

/// Returns true if the disruption controller counts a running pod as healthy. Pods that were written by hand have no
/// condition Ready.
/// Source: kubernetes pkg/controller/disruption/disruption.go countHealthyPods.
[[nodiscard]] auto counts_as_healthy(const Pod& pod, const Symbols& symbols) -> bool;

}  // namespace previct
