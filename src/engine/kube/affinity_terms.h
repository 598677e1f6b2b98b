#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <set>

namespace previct::kube {

/// A term of the incoming pod with its namespaces resolved as upstream does.
struct OwnTerm {
  const PodAffinityTerm* raw = nullptr;
  SharedList<Symbol> namespaces;
};

/// Returns true if a term of the pod's pod affinity or anti-affinity has a selector that upstream refuses. It then
/// tries the pod on no node. Source: plugins/interpodaffinity/filtering.go PreFilter; framework/types.go NewPodInfo.
[[nodiscard]] auto has_malformed_terms(const Pod& pod, const Symbols& symbols) -> bool;

/// Matches the incoming pod's terms against other pods, and the terms of other pods against the incoming pod.
///
/// Upstream resolves the incoming pod's namespaceSelector to the names that it matches. In some releases the selector
/// also stays in the term and is then matched against an empty label set, so a selector that an empty set satisfies
/// matches every namespace.
/// Source: plugins/interpodaffinity/plugin.go mergeAffinityTermNamespacesIfNotEmpty; framework/types.go
/// AffinityTerm.Matches.
class AffinityTerms {
 public:
  AffinityTerms(const NodeInfoSnapshot& node_infos, PodId incoming);

  /// Returns the term with its namespaces: those of its owner unless it has names or a selector.
  [[nodiscard]] auto resolved(const PodAffinityTerm& raw) const -> OwnTerm;

  /// Returns true if a term of the incoming pod matches another pod.
  [[nodiscard]] auto ours_matches(const OwnTerm& term, const Pod& pod) const -> bool;
  /// Calls `use(pod, node)` for every pod on a node that a term of the incoming pod matches.
  template <class Use>
  void each_match(const OwnTerm& term, const Use& use) const {
    if (!term.raw->selector) return;
    if (meets_all_namespaces(term)) {
      for (const NodeId node : node_infos_.nodes()) {
        for (const PodInfo& pod : node_infos_.pods_on(node)) {
          if (ours_matches(term, cluster_.pod(pod.pod))) use(pod.pod, node);
        }
      }
      return;
    }
    for (const Symbol ns : std::set<Symbol>(term.namespaces.begin(), term.namespaces.end())) {
      for (const PodId pod : node_infos_.pods_by_label().near(ns, *term.raw->selector)) {
        const NodeId node = node_infos_.place_of(pod);
        if (node && ours_matches(term, cluster_.pod(pod))) use(pod, node);
      }
    }
  }

  /// Returns true if a term of another pod, of namespace `owner`, matches the incoming pod.
  [[nodiscard]] auto theirs_matches(const PodAffinityTerm& term, Symbol owner) const -> bool;

 private:
  /// Returns true if the term may match pods of any namespace, whatever its name.
  [[nodiscard]] auto meets_all_namespaces(const OwnTerm& term) const -> bool;

  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Pod& pod_;
  SymbolMap labels_;  // labels of the pod's namespace
};

}  // namespace previct::kube
