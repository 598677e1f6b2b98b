#pragma once

#include "engine/kube/node_info_snapshot.h"

namespace previct::kube {

/// A term of the incoming pod, with what upstream makes of its namespaces.
struct OwnTerm {
  const PodAffinityTerm* raw = nullptr;
  SharedList<Symbol> namespaces;
};

/// Which pods the terms for other pods match: those of an incoming pod, and those of other pods, which may match it.
///
/// The incoming pod's namespaceSelector is resolved to the names it matches, but in some releases stays in the term and
/// is then also held against an empty label set, so one that an empty set satisfies matches every namespace.
/// Source: plugins/interpodaffinity/plugin.go mergeAffinityTermNamespacesIfNotEmpty; framework/types.go
/// AffinityTerm.Matches.
class AffinityTerms {
 public:
  AffinityTerms(const NodeInfoSnapshot& node_infos, PodId incoming);

  /// A term's namespaces default to its owner's, unless it has names or a selector.
  [[nodiscard]] auto resolved(const PodAffinityTerm& raw) const -> OwnTerm;

  /// Does a term of the incoming pod match another pod?
  [[nodiscard]] auto ours_matches(const OwnTerm& term, const Pod& pod) const -> bool;
  /// May it match pods of any namespace, whatever their names?
  [[nodiscard]] auto meets_all_namespaces(const OwnTerm& term) const -> bool;

  /// Does a term of another pod match the incoming one?
  [[nodiscard]] auto theirs_matches(const PodAffinityTerm& term, const Pod& owner) const -> bool;

 private:
  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Pod& pod_;
  SymbolMap labels_;  // of the pod's namespace
};

}  // namespace previct::kube
