#include "api/amount_text.h"
#include "api/fields.h"
#include "api/units.h"
#include "base/text.h"
#include "cluster/matching.h"
#include "cluster/pod_request.h"
#include "fit/remedy.h"
#include "overlay/node_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace previct::fit {
namespace {

constexpr std::size_t kMostCordons = 16;
constexpr std::size_t kMostShapes = 12;

class NodeRemedies {
 public:
  NodeRemedies(const Snapshot& cluster, PodId id, std::vector<std::string>& not_searched)
      : cluster_(cluster), id_(id), not_searched_(not_searched) {
    collect_label_keys();
  }

  auto run() -> std::vector<Remedy> {
    std::map<std::string, NodeId> shapes;
    for (const NodeId id : cluster_.nodes().ids()) {
      const auto [known, is_new] = shapes.try_emplace(shape_of(cluster_.node(id)), id);
      if (!is_new && name(id) < name(known->second)) known->second = id;
    }
    std::vector<NodeId> models;
    for (const auto& [shape, id] : shapes) models.push_back(id);
    std::sort(models.begin(), models.end(), [&](NodeId a, NodeId b) { return size_of(a) < size_of(b); });
    if (models.size() > kMostShapes) {
      not_searched_.push_back(
          fmt::format("one more node of {} of {} shapes", models.size() - kMostShapes, models.size()));
      models.resize(kMostShapes);
    }
    std::vector<Remedy> remedies;
    for (const NodeId model : models) remedies.push_back(remedy(model));
    return remedies;
  }

 private:
  [[nodiscard]] auto name(NodeId id) const -> std::string_view { return cluster_.name(id); }

  void add_keys(const NodeSelector& selector) {
    for (const NodeSelectorTerm& term : selector.terms) {
      for (const Requirement& each : term.match_expressions) label_keys_.insert(each.key);
    }
  }

  // Collects the keys of the labels that decide whether the pod may run on a node: those that it refers to, or its
  // volumes and devices do, or the anti-affinity of other pods to it.
  void collect_label_keys() {
    const Pod& pod = cluster_.pod(id_);
    const PodSpec& spec = pod.spec;
    for (const auto& [key, value] : spec.node_selector) label_keys_.insert(key);
    if (spec.affinity.node.required) add_keys(*spec.affinity.node.required);
    for (const PodAffinitySpec* affinity : {&spec.affinity.pod, &spec.affinity.pod_anti}) {
      for (const PodAffinityTerm& term : affinity->required) label_keys_.insert(term.topology_key);
    }
    for (const TopologySpreadConstraint& each : spec.topology_spread) label_keys_.insert(each.topology_key);
    for (const Pod& other : cluster_.pods()) {
      for (const PodAffinityTerm& term : other.spec.affinity.pod_anti.required) {
        if (matches(term.selector, pod.meta.labels, cluster_.symbols())) label_keys_.insert(term.topology_key);
      }
    }
    const Objects& objects = cluster_.objects();
    if (spec.has_storage()) {
      // A volume without a node affinity is only in the zone and the region of its labels.
      for (const char* key : {"topology.kubernetes.io/zone", "topology.kubernetes.io/region",
                              "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"}) {
        if (const Symbol known = cluster_.symbol(key)) label_keys_.insert(known);
      }
      for (const PersistentVolume& volume : objects.persistent_volumes) {
        if (volume.spec.node_affinity.required) add_keys(*volume.spec.node_affinity.required);
      }
      for (const StorageClass& each : objects.storage_classes) {
        for (const TopologySelectorTerm& term : each.allowed_topologies) {
          for (const TopologyLabelRequirement& label : term.match_label_expressions) label_keys_.insert(label.key);
        }
      }
    }
    for (const ResourceSlice& slice : objects.resource_slices) {
      if (slice.spec.node_selector) add_keys(*slice.spec.node_selector);
    }
    for (const ResourceClaim& claim : objects.resource_claims) {
      if (claim.status.allocation && claim.status.allocation->node_selector)
        add_keys(*claim.status.allocation->node_selector);
    }
    label_keys_.erase(hostname());
  }
  [[nodiscard]] auto hostname() const -> Symbol { return cluster_.symbols().intern("kubernetes.io/hostname"); }

  [[nodiscard]] auto lasting_taints(const Node& node) const -> std::vector<Taint> {
    std::vector<Taint> taints;
    for (const Taint& taint : node.spec.taints) {
      if (!is_taint_of_state(cluster_.text(taint.key))) taints.push_back(taint);
    }
    return taints;
  }

  // Machines of one type differ by a few Ki of memory, and by what their kubelets reserve.
  [[nodiscard]] auto shape_of(const Node& node) const -> std::string {
    const Symbol type = node.meta.labels.get(cluster_.symbol("node.kubernetes.io/instance-type"));
    std::string shape = type ? std::string(cluster_.text(type)) : words_of(node, true);
    for (const auto& [resource, quantity] : node.status.allocatable) {
      const std::string_view name = cluster_.text(resource);
      if (type && name.find('/') != std::string_view::npos && quantity != Quantity())
        shape += fmt::format("|{} {}", name, format_quantity(quantity));
    }
    // Only of this node.
    std::map<std::string_view, std::size_t> devices;
    for (const ResourceSlice& slice : cluster_.objects().resource_slices) {
      if (slice.spec.node_name == node.meta.name)
        devices[cluster_.text(slice.spec.driver)] += slice.spec.devices.size();
    }
    for (const auto& [driver, count] : devices) shape += fmt::format("|{} {}", driver, count);
    if (const CsiNode* const found = cluster_.csi_node(node.meta.name)) {
      for (const CsiNodeDriver& driver : found->spec.drivers)
        shape += fmt::format("|{}:{}", cluster_.text(driver.name), driver.allocatable.count.value_or(-1));
    }
    for (const Taint& taint : lasting_taints(node)) {
      shape +=
          fmt::format("|{}={}:{}", cluster_.text(taint.key), cluster_.text(taint.value), cluster_.text(taint.effect));
    }
    for (const auto& [key, value] : node.meta.labels) {
      if (label_keys_.contains(key)) shape += fmt::format("|{}={}", cluster_.text(key), cluster_.text(value));
    }
    return shape;
  }

  // `cpu 16, memory 64Gi, nvidia.com/gpu 4`
  [[nodiscard]] auto words_of(const Node& node, bool all) const -> std::string {
    const ResourceList wanted = pod_request(cluster_, cluster_.pod(id_), RequestOf::incoming);
    std::map<std::string, std::string> parts;
    for (const auto& [resource, quantity] : node.status.allocatable) {
      const std::string resource_name(cluster_.text(resource));
      const bool main = resource_name == "cpu" || resource_name == "memory" || wanted.get(resource);
      if (all || main) {
        const std::int64_t amount = in_units(resource_name, quantity);
        parts[resource_name] = all ? amount_text(resource_name, amount) : readable_amount(resource_name, amount);
      }
    }
    std::vector<std::string> words;
    for (const auto& [resource, amount] : parts) words.push_back(fmt::format("{} {}", resource, amount));
    return joined(words, ", ");
  }

  // Smaller machines first; equal ones by name.
  [[nodiscard]] auto size_of(NodeId id) const -> std::tuple<std::size_t, std::int64_t, std::int64_t, std::string_view> {
    const ResourceList& of = cluster_.node(id).status.allocatable;
    return {of.size(), of.get(cluster_.known().cpu).value_or(Quantity()).milli(),
            of.get(cluster_.known().memory).value_or(Quantity()).value(), name(id)};
  }

  [[nodiscard]] auto remedy(NodeId model) const -> Remedy {
    const Node& node = cluster_.node(model);
    const NewNode made = new_node_like(cluster_, model, free_name(std::string(name(model))));
    Step step{.kind = Kind::node,
              .what = fmt::format("one more node like {} ({})", name(model), words_of(node, false)),
              .object = fmt::format("Node/{}", name(model)),
              .source = node.meta.source};
    if (!made.pods.empty())
      step.note = fmt::format("with its {}", counted(made.pods.size(), "pod of DaemonSets", "pods of DaemonSets"));
    return {.kind = Kind::node,
            .most = 1,
            .turn = [made](ChangedCluster& changed, std::int64_t) { add(made, changed); },
            .step = [step](std::int64_t) { return step; }};
  }

  [[nodiscard]] auto free_name(const std::string& like) const -> std::string {
    std::string candidate = like + "-new";
    while (cluster_.find_node(cluster_.symbol(candidate))) candidate += "-new";
    return candidate;
  }

  const Snapshot& cluster_;
  PodId id_;
  std::vector<std::string>& not_searched_;
  std::set<Symbol> label_keys_;
};

}  // namespace

auto remedies_of_nodes(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy> {
  return NodeRemedies(cluster, pod, not_searched).run();
}

auto remedies_of_cordons(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy> {
  std::vector<NodeId> cordoned;
  for (const NodeId id : cluster.nodes().ids()) {
    const Taint taint{cluster.known().unschedulable_taint, {}, cluster.known().no_schedule};
    const Node& node = cluster.node(id);
    if (!node.spec.unschedulable || tolerates(cluster.pod(pod).spec.tolerations, taint, cluster.known())) continue;
    if (node.meta.deleting) {
      not_searched.push_back(fmt::format("uncordoning {}, which is being deleted", cluster.name(id)));
    } else {
      cordoned.push_back(id);
    }
  }
  std::sort(cordoned.begin(), cordoned.end(), [&](NodeId a, NodeId b) { return cluster.name(a) < cluster.name(b); });
  if (cordoned.size() > kMostCordons) {
    not_searched.push_back(fmt::format("{} of {} cordoned nodes", cordoned.size() - kMostCordons, cordoned.size()));
    cordoned.resize(kMostCordons);
  }
  std::vector<Remedy> remedies;
  for (const NodeId id : cordoned) {
    const Node& node = cluster.node(id);
    const Symbol taint = cluster.known().unschedulable_taint;
    Step step{.kind = Kind::uncordon,
              .what = std::string(cluster.text(node.meta.name)),
              .object = fmt::format("Node/{}", cluster.text(node.meta.name)),
              .field = "spec.unschedulable",
              .before = "true",
              .after = "false",
              .source = node.meta.source};
    remedies.push_back({.kind = Kind::uncordon,
                        .most = 1,
                        .turn =
                            [id, taint](ChangedCluster& changed, std::int64_t) {
                              NodeSpec& spec = changed.node(id).spec;
                              spec.unschedulable = false;
                              std::erase_if(spec.taints, [&](const Taint& t) { return t.key == taint; });
                            },
                        .step = [step](std::int64_t) { return step; }});
  }
  return remedies;
}

}  // namespace previct::fit
