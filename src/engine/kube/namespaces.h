#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <vector>

namespace previct::kube {

/// Returns the labels of a namespace as far as they are known. The API server adds the name as a label, so that label
/// is known even if the input has no Namespaces.
/// Source: pkg/apis/core/v1/defaults.go SetDefaults_Namespace.
[[nodiscard]] auto labels_of_namespace(const Snapshot& cluster, Symbol ns) -> SymbolMap;

/// Returns true if a required term of a pod in namespace `owner` matches another pod, whose namespace has these labels.
/// Source: pkg/scheduler/framework/types.go AffinityTerm.Matches.
[[nodiscard]] auto term_matches(const PodAffinityTerm& term, Symbol owner, const Pod& pod, const SymbolMap& labels,
                                const Symbols& symbols) -> bool;

struct KnownNamespace {
  Symbol name;
  SymbolMap labels;
};
/// Returns the namespaces of the input and, if it may lack some, those of its pods.
[[nodiscard]] auto known_namespaces(const Snapshot& cluster) -> std::vector<KnownNamespace>;

/// Returns true if a namespaceSelector needs labels that the input does not contain, and its term would matter to the
/// pod. Absence from the input is not absence from the cluster: a pod exists only in a namespace that exists.
[[nodiscard]] auto lacks_namespaces(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool;

/// Does the same for the terms that score nodes: preferred terms, and required affinity of other pods. If the input has
/// Namespaces, the labels of the others count as empty, as for a scheduler that has not seen them.
[[nodiscard]] auto lacks_namespaces_of_preferences(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool;

}  // namespace previct::kube
