#include "engine/kai/actions/preferences.h"

#include "cluster/matching.h"

#include <algorithm>
#include <map>

namespace previct::kai {
namespace {

// Points by topology domain: label and value.
class Points {
 public:
  explicit Points(const Snapshot& cluster) : cluster_(cluster) {}

  // Adds the points of the preferred terms of `owner` that match `other`; `node` has the labels of the node of the pod
  // that is already placed. Upstream resolves the namespace selectors of the incoming pod to names first and then also
  // matches them against an empty set of labels; it matches those of placed pods against the labels of the incoming
  // pod's namespace.
  void add(const Pod& owner, const Pod& other, bool owner_is_incoming, const SymbolMap& node) {
    const auto& affinity = owner.spec.affinity;
    for (const WeightedPodAffinityTerm& each : affinity.pod.preferred) {
      if (matches_pod(each.term, owner, other, owner_is_incoming)) count(each, node, 1);
    }
    for (const WeightedPodAffinityTerm& each : affinity.pod_anti.preferred) {
      if (matches_pod(each.term, owner, other, owner_is_incoming)) count(each, node, -1);
    }
  }

  [[nodiscard]] auto empty() const -> bool { return points_.empty(); }
  [[nodiscard]] auto of(const SymbolMap& node) const -> double {
    std::int64_t sum = 0;
    for (const auto& [domain, weight] : points_) {
      if (node.get(domain.first) == domain.second) sum += weight;
    }
    return static_cast<double>(sum);
  }

 private:
  void count(const WeightedPodAffinityTerm& term, const SymbolMap& node, int sign) {
    const Symbol value = node.get(term.term.topology_key);
    if (value) points_[{term.term.topology_key, value}] += std::int64_t{term.weight} * sign;
  }

  [[nodiscard]] auto matches_pod(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                                 bool owner_is_incoming) const -> bool {
    const Symbols& symbols = cluster_.objects().symbols;
    const Symbol ns = other.meta.ns;
    bool in_namespace = std::find(term.namespaces.begin(), term.namespaces.end(), ns) != term.namespaces.end();
    if (term.namespaces.empty() && !term.namespace_selector) in_namespace = owner.meta.ns == ns;
    if (term.namespace_selector && !in_namespace) {
      static const SymbolMap kNoLabels;
      in_namespace = matches(*term.namespace_selector, cluster_.namespace_labels(ns), symbols) ||
                     (owner_is_incoming && matches(*term.namespace_selector, kNoLabels, symbols));
    }
    return in_namespace && matches(term.selector, other.meta.labels, symbols);
  }

  const Snapshot& cluster_;
  std::map<std::pair<Symbol, Symbol>, std::int64_t> points_;
};

auto has_terms(const Pod& pod) -> bool {
  return !pod.spec.affinity.pod.preferred.empty() || !pod.spec.affinity.pod_anti.preferred.empty();
}

}  // namespace

Preferences::Preferences(const Session& session) : session_(session) {
  for (const Pod& pod : session.cluster_info().cluster().pods()) pods_have_terms_ = pods_have_terms_ || has_terms(pod);
}

auto Preferences::points(TaskId task) -> std::vector<double> {
  if (!pods_have_terms_ || skipped_.contains(task.index)) return {};
  const ClusterInfo& cluster_info = session_.cluster_info();
  const Snapshot& cluster = cluster_info.cluster();
  const Pod& pod = cluster.pod(cluster_info.task(task).pod);
  const bool own = has_terms(pod);
  Points sum(cluster);
  for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids()) {
    const SymbolMap& labels = cluster.node(cluster_info.shard_nodes()[shard_node].node).meta.labels;
    const auto meet = [&](const Pod& there) {
      if (own) sum.add(pod, there, true, labels);
      sum.add(there, pod, false, labels);
    };
    for (const PodId there : cluster_info.residents(shard_node)) meet(cluster.pod(there));
    for (const TaskId there : session_.newcomers(shard_node)) meet(cluster.pod(cluster_info.task(there).pod));
  }
  if (sum.empty()) {
    skipped_.insert(task.index);
    return {};
  }
  std::vector<double> points;
  for (const ShardNode& shard_node : cluster_info.shard_nodes())
    points.push_back(sum.of(cluster.node(shard_node.node).meta.labels));
  return points;
}

}  // namespace previct::kai
