#include "engine/kube/required_nodes.h"

#include "cluster/matching.h"

#include <algorithm>

namespace previct::kube {
namespace {

auto same(const std::vector<Requirement>& a, const std::vector<Requirement>& b) -> bool {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Requirement& x, const Requirement& y) {
    return x.key == y.key && x.operator_text == y.operator_text && x.op == y.op && x.values == y.values;
  });
}

auto same(const std::optional<NodeSelector>& a, const std::optional<NodeSelector>& b) -> bool {
  if (!a || !b) return !a && !b;
  return std::equal(a->terms.begin(), a->terms.end(), b->terms.begin(), b->terms.end(),
                    [](const NodeSelectorTerm& x, const NodeSelectorTerm& y) {
                      return same(x.match_expressions, y.match_expressions) && same(x.match_fields, y.match_fields);
                    });
}

}  // namespace

RequiredNodes::RequiredNodes(const Snapshot& cluster, const PodSpec& spec)
    : cluster_(cluster),
      nodes_(spec.node_selector.empty() && !spec.affinity.node.required ? 0 : cluster.nodes().size()) {
  required_.node_selector = spec.node_selector;
  required_.affinity.node.required = spec.affinity.node.required;
  for (std::atomic<Known>& each : nodes_) each.store(Known::open, std::memory_order_relaxed);
}

auto RequiredNodes::contains(NodeId node) const -> bool {
  if (nodes_.empty()) return true;
  std::atomic<Known>& known = nodes_[node.index];
  Known answer = known.load(std::memory_order_relaxed);
  if (answer == Known::open) {
    answer = matches_required_affinity(required_, cluster_.node(node), cluster_) ? Known::yes : Known::no;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == Known::yes;
}

auto RequiredNodes::serves(const PodSpec& spec) const -> bool {
  return required_.node_selector == spec.node_selector &&
         same(required_.affinity.node.required, spec.affinity.node.required);
}

auto RequiredNodesOfPods::of(const PodSpec& spec) -> std::shared_ptr<const RequiredNodes> {
  constexpr std::size_t kMost = 64;  // each has a byte for every node
  const auto at = std::find_if(known_.begin(), known_.end(), [&](const auto& each) { return each->serves(spec); });
  if (at != known_.end()) return *at;
  if (known_.size() == kMost) known_.clear();
  return known_.emplace_back(std::make_shared<const RequiredNodes>(cluster_, spec));
}

}  // namespace previct::kube
