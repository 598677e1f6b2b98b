#include "engine/kube/affinity_terms.h"

#include "base/contains.h"
#include "cluster/matching.h"
#include "engine/kube/namespaces.h"

namespace previct::kube {

auto has_malformed_terms(const Pod& pod, const Symbols& symbols) -> bool {
  const auto some_are = [&](const PodAffinitySpec& spec) {
    return are_malformed(spec.required, symbols) || are_malformed(spec.preferred, symbols);
  };
  return some_are(pod.spec.affinity.pod) || some_are(pod.spec.affinity.pod_anti);
}

AffinityTerms::AffinityTerms(const NodeInfoSnapshot& node_infos, PodId incoming)
    : node_infos_(node_infos),
      cluster_(node_infos.cluster()),
      pod_(cluster_.pod(incoming)),
      labels_(labels_of_namespace(cluster_, pod_.meta.ns)) {}

auto AffinityTerms::resolved(const PodAffinityTerm& raw) const -> OwnTerm {
  OwnTerm term{&raw, raw.namespaces};
  if (raw.namespaces.empty() && !raw.namespace_selector) term.namespaces.push_back(pod_.meta.ns);
  if (raw.namespace_selector) {
    for (const KnownNamespace& ns : known_namespaces(cluster_)) {
      if (matches(*raw.namespace_selector, ns.labels, cluster_.symbols())) term.namespaces.push_back(ns.name);
    }
  }
  return term;
}

// Once a selector is resolved to names it is no longer needed. Releases differ in whether it is kept; an empty one
// always was.
auto AffinityTerms::meets_all_namespaces(const OwnTerm& term) const -> bool {
  static const SymbolMap kNoLabels;
  const auto& selector = term.raw->namespace_selector;
  const bool kept = node_infos_.release().has(Change::selector_meets_no_labels) || (selector && selector->empty());
  return kept && matches(selector, kNoLabels, cluster_.symbols());
}

auto AffinityTerms::ours_matches(const OwnTerm& term, const Pod& pod) const -> bool {
  return (contains(term.namespaces, pod.meta.ns) || meets_all_namespaces(term)) &&
         matches(term.raw->selector, pod.meta.labels, cluster_.symbols());
}

auto AffinityTerms::theirs_matches(const PodAffinityTerm& term, Symbol owner) const -> bool {
  return term_matches(term, owner, pod_, labels_, cluster_.symbols());
}

}  // namespace previct::kube
