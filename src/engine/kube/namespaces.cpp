#include "engine/kube/namespaces.h"

#include "base/contains.h"
#include "cluster/matching.h"
#include "engine/required_kind.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::kube {
namespace {

constexpr std::string_view kNameOfNamespace = "kubernetes.io/metadata.name";

/// The Namespaces of the input by name; each pod of the cluster may ask for its own.
struct NamespacesByName {
  explicit NamespacesByName(const Snapshot& cluster) {
    for (const Namespace& each : cluster.objects().namespaces) of.emplace(each.meta.name, &each);
  }
  std::map<Symbol, const Namespace*> of;
};

auto find(const Snapshot& cluster, Symbol ns) -> const Namespace* {
  const auto& all = cluster.derived<NamespacesByName>().of;
  const auto found = all.find(ns);
  return found == all.end() ? nullptr : found->second;
}

auto may_hold_more_namespaces(const Snapshot& cluster) -> bool {
  return may_hold_more(cluster.objects(), kinds::namespaces);
}

// Pods are only in namespaces that exist, so an input with some Namespaces, but not that of a pod, lacks it.
auto may_lack_some(const Snapshot& cluster) -> bool {
  return may_hold_more_namespaces(cluster) || !cluster.objects().namespaces.empty();
}

auto with_name(const Snapshot& cluster, Symbol ns, SymbolMap labels) -> SymbolMap {
  if (const Symbol key = cluster.symbol(kNameOfNamespace); key && !labels.has(key)) labels.set(key, ns);
  return labels;
}

// The labels of an object from an API server are complete.
auto labels_of(const Snapshot& cluster, const Namespace& ns) -> SymbolMap {
  return ns.meta.uid ? ns.meta.labels : with_name(cluster, ns.meta.name, ns.meta.labels);
}

/// Whether any pod has an affinity term, apart from required anti-affinity, that selects namespaces.
class NamespaceSelectors {
 public:
  explicit NamespaceSelectors(const Snapshot& /*cluster*/) {}

  // Pods may have been added since the last call.
  [[nodiscard]] auto any(const Snapshot& cluster) -> bool {
    for (; !any_ && seen_ < cluster.pods().size(); ++seen_)
      any_ = selects(cluster.pod(PodId{static_cast<std::uint32_t>(seen_)}).spec.affinity);
    return any_;
  }

 private:
  [[nodiscard]] static auto selects(const Affinity& affinity) -> bool {
    const auto term_selects = [](const PodAffinityTerm& term) { return term.namespace_selector.has_value(); };
    const auto selects = [&](const WeightedPodAffinityTerm& each) { return term_selects(each.term); };
    return std::any_of(affinity.pod.required.begin(), affinity.pod.required.end(), term_selects) ||
           std::any_of(affinity.pod.preferred.begin(), affinity.pod.preferred.end(), selects) ||
           std::any_of(affinity.pod_anti.preferred.begin(), affinity.pod_anti.preferred.end(), selects);
  }

  std::size_t seen_ = 0;  // pods
  bool any_ = false;
};

/// Decides whether a pod's terms depend on namespaces that the input does not contain.
class Asked {
 public:
  Asked(const NodeInfoSnapshot& node_infos, PodId incoming)
      : node_infos_(node_infos),
        cluster_(node_infos.cluster()),
        pod_(cluster_.pod(incoming)),
        key_(cluster_.symbol(kNameOfNamespace)),
        in_unknown_namespace_(find(cluster_, pod_.meta.ns) == nullptr) {}

  [[nodiscard]] auto by_any_preference() const -> bool {
    const Affinity& own = pod_.spec.affinity;
    const auto of_placed = [&](const WeightedPodAffinityTerm& each) { return by_own_of_placed(each.term); };
    const auto& attracting = node_infos_.attracting().all();
    return std::any_of(own.pod.preferred.begin(), own.pod.preferred.end(), of_placed) ||
           std::any_of(own.pod_anti.preferred.begin(), own.pod_anti.preferred.end(), of_placed) ||
           (in_unknown_namespace_ && cluster_.derived<NamespaceSelectors>().any(cluster_) &&
            std::any_of(attracting.begin(), attracting.end(), [&](const auto& each) { return scored_by(each); }));
  }

  [[nodiscard]] auto by_any_term() const -> bool {
    const Affinity& own = pod_.spec.affinity;
    const auto of_placed = [&](const PodAffinityTerm& term) { return by_own_of_placed(term); };
    // A pod that matches its own affinity terms may be the first of its kind: no other pod has to match.
    const auto of_affinity = [&](const PodAffinityTerm& term) { return of_placed(term) || by_own(term, pod_); };
    return std::any_of(own.pod.required.begin(), own.pod.required.end(), of_affinity) ||
           std::any_of(own.pod_anti.required.begin(), own.pod_anti.required.end(), of_placed) ||
           (in_unknown_namespace_ && by_terms_of_others());
  }

 private:
  [[nodiscard]] auto by_own_of_placed(const PodAffinityTerm& term) const -> bool {
    return term.namespace_selector &&
           node_infos_.any_placed([&](const PodInfo& each) { return by_own(term, cluster_.pod(each.pod)); });
  }

  // Returns true if unknown labels of the incoming pod's namespace decide whether terms of the other pods score their
  // nodes.
  [[nodiscard]] auto scored_by(const TermsOfPods::Alike& others) const -> bool {
    const auto open = [&](const WeightedPodAffinityTerm& each) { return is_open(each.term, pod_); };
    return !others.pods.empty() && (std::any_of(others.required.begin(), others.required.end(),
                                                [&](const PodAffinityTerm& term) { return is_open(term, pod_); }) ||
                                    std::any_of(others.preferred.begin(), others.preferred.end(), open) ||
                                    std::any_of(others.anti_preferred.begin(), others.anti_preferred.end(), open));
  }

  [[nodiscard]] auto by_terms_of_others() const -> bool {
    const auto& placed = node_infos_.repelling().all();
    const auto& nominees = node_infos_.nominees();
    const auto by_placed = [&](const TermsOfPods::Alike& each) {
      return !each.pods.empty() && any_is_open(each.required);
    };
    const auto by_nominee = [&](PodId each) { return any_is_open(cluster_.pod(each).spec.affinity.pod_anti.required); };
    return std::any_of(placed.begin(), placed.end(), by_placed) ||
           std::any_of(nominees.begin(), nominees.end(), by_nominee);
  }

  [[nodiscard]] auto any_is_open(const SharedList<PodAffinityTerm>& terms) const -> bool {
    return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) { return is_open(term, pod_); });
  }

  // In some releases a selector that an empty label set satisfies matches all namespaces (see AffinityTerms).
  [[nodiscard]] auto by_own(const PodAffinityTerm& term, const Pod& other) const -> bool {
    static const SymbolMap kNoLabels;
    return is_open(term, other) && !(node_infos_.release().has(Change::selector_meets_no_labels) &&
                                     matches(term.namespace_selector, kNoLabels, cluster_.symbols()));
  }

  // Returns true if unknown labels of the other pod's namespace decide whether the term matches that pod.
  [[nodiscard]] auto is_open(const PodAffinityTerm& term, const Pod& other) const -> bool {
    return term.namespace_selector && depends_on_labels(*term.namespace_selector, other.meta.ns) &&
           !contains(term.namespaces, other.meta.ns) && matches(term.selector, other.meta.labels, cluster_.symbols()) &&
           find(cluster_, other.meta.ns) == nullptr;
  }

  // Returns false if the name of the namespace already excludes it.
  [[nodiscard]] auto depends_on_labels(const LabelSelector& selector, Symbol ns) const -> bool {
    SymbolMap name;
    if (key_) name.set(key_, ns);
    bool others = false;
    for (const auto& [key, value] : selector.match_labels) {
      if (key != key_) {
        others = true;
      } else if (value != ns) {
        return false;
      }
    }
    for (const Requirement& each : selector.match_expressions) {
      if (each.key != key_) {
        others = true;
      } else if (!matches(each, name, cluster_.symbols())) {
        return false;
      }
    }
    // The name is a known label only if all Namespaces may be missing (see labels_of_namespace()).
    const bool any = !selector.match_labels.empty() || !selector.match_expressions.empty();
    return others || (any && !may_hold_more_namespaces(cluster_));
  }

  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Pod& pod_;
  Symbol key_;                 // null: no selector uses it
  bool in_unknown_namespace_;  // if false, no term of another pod leaves open whether it matches this pod
};

}  // namespace

auto labels_of_namespace(const Snapshot& cluster, Symbol ns) -> SymbolMap {
  if (const Namespace* found = find(cluster, ns)) return labels_of(cluster, *found);
  return may_hold_more_namespaces(cluster) ? with_name(cluster, ns, {}) : SymbolMap{};
}

auto term_matches(const PodAffinityTerm& term, Symbol owner, const Pod& pod, const SymbolMap& labels,
                  const Symbols& symbols) -> bool {
  const bool own_namespace = term.namespaces.empty() && !term.namespace_selector && owner == pod.meta.ns;
  return (own_namespace || contains(term.namespaces, pod.meta.ns) ||
          matches(term.namespace_selector, labels, symbols)) &&
         matches(term.selector, pod.meta.labels, symbols);
}

auto known_namespaces(const Snapshot& cluster) -> std::vector<KnownNamespace> {
  std::vector<KnownNamespace> all;
  std::set<Symbol> held;
  for (const Namespace& each : cluster.objects().namespaces) {
    all.push_back({each.meta.name, labels_of(cluster, each)});
    held.insert(each.meta.name);
  }
  if (!may_hold_more_namespaces(cluster)) return all;
  for (const Pod& pod : cluster.pods()) {
    if (held.insert(pod.meta.ns).second) all.push_back({pod.meta.ns, with_name(cluster, pod.meta.ns, {})});
  }
  return all;
}

auto lacks_namespaces(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool {
  return may_lack_some(node_infos.cluster()) && Asked(node_infos, incoming).by_any_term();
}

auto lacks_namespaces_of_preferences(const NodeInfoSnapshot& node_infos, PodId incoming) -> bool {
  return may_hold_more_namespaces(node_infos.cluster()) && Asked(node_infos, incoming).by_any_preference();
}

}  // namespace previct::kube
