#include "overlay/node_copies.h"

#include "api/store_sink.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/matching.h"
#include "overlay/sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace previct {
namespace {

constexpr std::size_t kMostNodes = 5'000;

// Reads the only object of the file, which is in no store afterwards.
auto read_template(const std::string& file, const LoadOptions& options, Objects& objects) -> Result<Node> {
  const std::vector<std::size_t> before = store_sizes(objects);
  const std::size_t nodes = objects.nodes.size();
  const Mark mark(objects);
  Sorter sorter(objects);
  PREVICT_CHECK(read_objects({file}, options, objects, sorter));
  std::size_t read = 0;
  std::size_t store = 0;
  objects.each_store([&](std::string_view, const auto& items) { read += items.size() - before[store++]; });
  const bool is_node = read == 1 && objects.nodes.size() == nodes + 1;
  Node like = is_node ? objects.nodes.items().back() : Node();
  mark.restore(objects);
  if (!is_node) return fail(fmt::format("--node-template {}: expected one Node", file));
  return like;
}

auto copy_for(const Pod& like, const Node& made, const Snapshot& cluster) -> Pod {
  Symbols& symbols = cluster.symbols();
  Pod pod = like;
  pod.meta.name = symbols.intern(fmt::format("{}-{}", cluster.text(like.meta.name), cluster.text(made.meta.name)));
  pod.meta.uid = {};
  pod.spec.node_name = made.meta.name;
  if (pod.spec.affinity.node.required) pin_to_node(pod.spec, made.meta.name, symbols);
  for (OwnerReference& owner : pod.meta.owners) {
    if (cluster.text(owner.kind) == kinds::nodes.name) owner.name = made.meta.name;
  }
  return pod;
}

// A DaemonSet as its pods show it.
struct SeenDaemonSet {
  PodId pod{};               // one of them, running if one runs
  std::set<Symbol> nodes{};  // names of the nodes that have one
};

// The node to which the pod is bound, or to which its DaemonSet has pinned it.
auto meant_node(const Pod& pod) -> Symbol {
  if (pod.spec.node_name || !pod.spec.affinity.node.required) return pod.spec.node_name;
  for (const NodeSelectorTerm& term : pod.spec.affinity.node.required->terms) {
    for (const Requirement& field : term.match_fields) {
      if (!field.values.empty()) return field.values[0];
    }
  }
  return {};
}

// Of the affinity of a DaemonSet's template, its pods show nothing: the pin replaces it.
auto seems_to_want(const Pod& pod, const Node& node, const Snapshot& cluster) -> bool {
  PodSpec spec = pod.spec;
  const auto& required = spec.affinity.node.required;
  const auto pinned = [](const NodeSelectorTerm& term) { return !term.match_fields.empty(); };
  if (required && std::any_of(required->terms.begin(), required->terms.end(), pinned)) spec.affinity.node.required = {};
  return matches_required_affinity(spec, node, cluster) &&
         first_untolerated_taint(spec, node, cluster.known(), &cluster.symbols()) == nullptr;
}

struct Daemons {
  std::vector<Pod> pods{};  // templates for copy_for()
  std::vector<std::string> uncertain{};
};

auto daemons_for(const Node& like, const Snapshot& cluster) -> Daemons {
  std::map<PodOwner, SeenDaemonSet> sets;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const OwnerReference* const owner = controller_of(pod.meta);
    if (owner == nullptr || cluster.text(owner->kind) != kinds::daemon_sets.name || cluster.finished(id)) continue;
    SeenDaemonSet& set = sets[owner_of_pod(cluster, pod)];
    set.nodes.insert(meant_node(pod));
    const bool better = !set.pod || (!cluster.node_of(set.pod) && cluster.node_of(id));
    if (better && !pod.meta.deleting) set.pod = id;
  }
  Daemons daemons;
  for (const auto& [owner, set] : sets) {
    if (!set.pod || is_terminating(cluster, cluster.pod(set.pod).meta.ns)) continue;
    const Pod& pod = cluster.pod(set.pod);
    if (!seems_to_want(pod, like, cluster)) continue;
    daemons.pods.push_back(pod);
    const auto lacks = [&](const Node& node) {
      return !set.nodes.contains(node.meta.name) && seems_to_want(pod, node, cluster);
    };
    const auto& nodes = cluster.nodes();
    if (std::any_of(nodes.begin(), nodes.end(), lacks)) daemons.uncertain.push_back(describe_owner(owner));
  }
  return daemons;
}

auto node_like(const Node& like, std::string_view name, Symbols& symbols) -> Node {
  Node node = like;
  node.meta.name = symbols.intern(name);
  node.meta.uid = {};
  const Symbol hostname = symbols.intern("kubernetes.io/hostname");
  if (node.meta.labels.has(hostname)) node.meta.labels.set(hostname, node.meta.name);
  node.spec.unschedulable = false;
  default_node(node);
  std::erase_if(node.spec.taints, [&](const Taint& taint) { return is_taint_of_state(symbols.text(taint.key)); });
  return node;
}

// A driver names the pool of a node after the node, and its slices, too.
auto slice_like(const ResourceSlice& like, Symbol model, Symbol node, Symbols& symbols) -> ResourceSlice {
  const auto renamed = [&](Symbol name) {
    return name == model ? node : symbols.intern(fmt::format("{}-{}", symbols.text(name), symbols.text(node)));
  };
  ResourceSlice slice = like;
  slice.meta.name = renamed(like.meta.name);
  slice.meta.uid = {};
  for (OwnerReference& owner : slice.meta.owners) {
    if (owner.name == model) owner.name = node;
  }
  slice.spec.node_name = node;
  slice.spec.pool.name = renamed(like.spec.pool.name);
  return slice;
}

auto made_like(const Snapshot& cluster, NodeId model, Node node) -> NewNode {
  NewNode made{.node = std::move(node)};
  const Symbol like = cluster.node(model).meta.name;
  // Without a UID, what its drivers publish would not be known (cluster/manifest_nodes.h).
  if (cluster.node(model).meta.uid) made.node.meta.uid = made.node.meta.name;
  for (const PodId id : cluster.pods_on(model)) {
    const Pod& pod = cluster.pod(id);
    if (belongs_to_node(pod, cluster) && !pod.meta.deleting) made.pods.push_back(copy_for(pod, made.node, cluster));
  }
  for (const ResourceSlice& slice : cluster.objects().resource_slices) {
    if (slice.spec.node_name == like)
      made.slices.push_back(slice_like(slice, like, made.node.meta.name, cluster.symbols()));
  }
  if (const CsiNode* const found = cluster.csi_node(like)) {
    made.csi_node = *found;
    made.csi_node->meta.name = made.node.meta.name;
    made.csi_node->meta.uid = {};
  }
  return made;
}

template <class T>
void move_to(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

// Sources: kubernetes/kubernetes: staging/src/k8s.io/api/core/v1/well_known_taints.go,
// staging/src/k8s.io/cloud-provider api/well_known_taints.go; kubernetes/autoscaler:
// cluster-autoscaler/utils/taints/taints.go; kubernetes-sigs/karpenter: pkg/apis/v1/taints.go;
// aws/aws-node-termination-handler: pkg/node/node.go; kubernetes-sigs/cluster-api: api/v1beta1/machine_types.go.
auto is_taint_of_state(std::string_view key) -> bool {
  constexpr std::array<std::string_view, 12> kPrefixes = {"node.kubernetes.io/",
                                                          "node.cloudprovider.kubernetes.io/",
                                                          "ToBeDeletedByClusterAutoscaler",
                                                          "DeletionCandidateOfClusterAutoscaler",
                                                          "ignore-taint.cluster-autoscaler.kubernetes.io/",
                                                          "startup-taint.cluster-autoscaler.kubernetes.io/",
                                                          "status-taint.cluster-autoscaler.kubernetes.io/",
                                                          "karpenter.sh/disrupt",  // disrupted; before v1, disruption
                                                          "karpenter.sh/unregistered",
                                                          "node.cluster.x-k8s.io/uninitialized",
                                                          "aws-node-termination-handler/",
                                                          "cloud.google.com/impending-node-termination"};
  // What an agent removes when it is ready on the node: node.cilium.io, ebs.csi.aws.com and others.
  return key.ends_with("/agent-not-ready") ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view each) { return key.starts_with(each); });
}

auto new_node_like(const Snapshot& cluster, NodeId model, std::string_view name) -> NewNode {
  return made_like(cluster, model, node_like(cluster.node(model), name, cluster.symbols()));
}

void add(NewNode made, ChangedCluster& changed) {
  if (!made.slices.empty()) move_to(made.slices, changed.resource_slices());
  if (made.csi_node) changed.csi_nodes().push_back(*std::move(made.csi_node));
  changed.add(std::move(made.node));
  for (Pod& pod : made.pods) changed.add(std::move(pod));
}

void pin_to_node(PodSpec& spec, Symbol node, Symbols& symbols) {
  Requirement name{symbols.intern("metadata.name"), symbols.intern("In"), SelectorOperator::in, {node}};
  spec.affinity.node.required.emplace().terms.push_back({{}, {std::move(name)}});
}

auto add_nodes(const std::string& file, std::size_t count, const LoadOptions& options, Objects& objects)
    -> Result<AddedNodes> {
  if (count == 0 || count > kMostNodes) return fail(fmt::format("--count must be from 1 to {}", kMostNodes));
  PREVICT_TRY(const Node like, read_template(file, options, objects));
  const std::string name(objects.symbols.text(like.meta.name));
  std::vector<NewNode> nodes;
  for (std::size_t i = 1; i <= count; ++i) {
    Node node = node_like(like, fmt::format("{}-{}", name, i), objects.symbols);
    const auto same = [&](const Node& each) { return each.meta.name == node.meta.name; };
    if (std::any_of(objects.nodes.begin(), objects.nodes.end(), same))
      return fail(fmt::format("--node-template {}: there is a node {}-{} already", file, name, i));
    nodes.push_back({.node = std::move(node)});
  }
  AddedNodes added;
  {
    const Snapshot cluster(objects);
    const NodeId model = cluster.find_node(like.meta.name);
    const Daemons daemons = model ? Daemons() : daemons_for(nodes.front().node, cluster);
    for (NewNode& each : nodes) {
      if (model) each = made_like(cluster, model, std::move(each.node));
      for (const Pod& daemon : daemons.pods) each.pods.push_back(copy_for(daemon, each.node, cluster));
    }
    const std::string where = count == 1 ? name + "-1" : fmt::format("nodes like {}", name);
    for (const std::string& set : daemons.uncertain)
      added.unknown.push_back({GapRule::daemon_of_new_node, {set, where}});
  }
  added.remark = fmt::format("added {} like {}", counted(count, "node", "nodes"), name);
  if (const std::size_t pods = nodes.front().pods.size(); pods > 0)
    added.remark +=
        fmt::format(", {}with {}", count == 1 ? "" : "each ", counted(pods, "pod of DaemonSets", "pods of DaemonSets"));
  const bool changed = like.spec.unschedulable || like.spec.taints.size() > nodes.front().node.spec.taints.size();
  if (changed)
    added.remark += fmt::format(", without {} cordon and the taints of its state", count == 1 ? "its" : "the");
  for (NewNode& each : nodes) {
    objects.nodes.add(std::move(each.node));
    for (Pod& pod : each.pods) objects.pods.add(std::move(pod));
    move_to(each.slices, objects.resource_slices);
    if (each.csi_node) objects.csi_nodes.push_back(*std::move(each.csi_node));
  }
  return added;
}

}  // namespace previct
