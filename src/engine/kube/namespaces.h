#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <vector>

namespace previct::kube {

/// The labels of a namespace, as far as they are known: an API server makes its name one of them, so that this one is
/// known where the input holds no Namespaces. Source: pkg/apis/core/v1/defaults.go SetDefaults_Namespace.
[[nodiscard]] auto labels_of_namespace(const Snapshot& cluster, Symbol ns) -> SymbolMap;

/// Does a required term of a pod in namespace `owner` match another pod, whose namespace has these labels?
/// Source: pkg/scheduler/framework/types.go AffinityTerm.Matches.
[[nodiscard]] auto term_matches(const PodAffinityTerm& term, Symbol owner, const Pod& pod, const SymbolMap& labels,
                                const Symbols& symbols) -> bool;

struct KnownNamespace {
  Symbol name;
  SymbolMap labels;
};
/// The namespaces of the input; where it may lack some, those of its pods are among them.
[[nodiscard]] auto known_namespaces(const Snapshot& cluster) -> std::vector<KnownNamespace>;

/// Does a namespaceSelector ask for labels that the input does not tell, where its term would matter to the pod?
/// Absence from the input is not absence from the cluster.
[[nodiscard]] auto lacks_namespaces(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool;

/// The same of terms that score nodes: preferred ones, and what other pods require to be near.
[[nodiscard]] auto lacks_namespaces_of_preferences(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool;

}  // namespace previct::kube
