#include "cluster/snapshot.h"

#include "api/upstream.h"

#include <fmt/format.h>

#include <utility>

namespace previct {
namespace {

auto pair_key(Symbol a, Symbol b) -> std::uint64_t {
  return (static_cast<std::uint64_t>(a.index) << 32U) | b.index;
}

template <class T>
auto index_by_name(const std::vector<T>& objects) {
  std::unordered_map<std::uint32_t, const T*> result;
  for (const T& object : objects) result.emplace(object.meta.name.index, &object);
  return result;
}

template <class Map, class Key>
auto find_in(const Map& map, Key key) -> typename Map::mapped_type {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

}  // namespace

WellKnown::WellKnown(Symbols& s)
    : cpu(s.intern("cpu")),
      memory(s.intern("memory")),
      ephemeral_storage(s.intern("ephemeral-storage")),
      pods(s.intern("pods")),
      storage(s.intern("storage")),
      no_schedule(s.intern("NoSchedule")),
      no_execute(s.intern("NoExecute")),
      equal(s.intern("Equal")),
      exists(s.intern("Exists")),
      unschedulable_taint(s.intern("node.kubernetes.io/unschedulable")),
      always(s.intern("Always")),
      never(s.intern("Never")),
      running(s.intern("Running")),
      succeeded(s.intern("Succeeded")),
      failed(s.intern("Failed")),
      true_status(s.intern("True")),
      default_scheduler(s.intern(upstream::kDefaultScheduler)),
      metadata_name(s.intern("metadata.name")),
      pod_scheduled(s.intern("PodScheduled")),
      disruption_target(s.intern("DisruptionTarget")),
      preemption_by_scheduler(s.intern("PreemptionByScheduler")),
      pod_resize_pending(s.intern("PodResizePending")),
      infeasible(s.intern("Infeasible")) {}

Snapshot::Snapshot(Objects& objects)
    : objects_(objects),
      known_(objects.symbols),
      node_of_(objects.pods.size()),
      priority_classes_(index_by_name(objects.priority_classes)),
      namespaces_(index_by_name(objects.namespaces)),
      storage_classes_(index_by_name(objects.storage_classes)),
      csi_nodes_(index_by_name(objects.csi_nodes)),
      csi_drivers_(index_by_name(objects.csi_drivers)) {
  volumes_changed();
  node_by_name_.reserve(nodes().size());
  pod_by_name_.reserve(pods().size());
  for (const NodeId id : nodes().ids()) node_by_name_.emplace(node(id).meta.name.index, id);

  std::vector<std::uint32_t> sizes(nodes().size(), 0);
  for (const PodId id : pods().ids()) {
    const Pod& p = pod(id);
    // In a simulation, a finished pod and its replacement may have the same name.
    const auto [at, is_new] = pod_by_name_.emplace(pair_key(p.meta.ns, p.meta.name), id);
    if (!is_new && finished(at->second)) at->second = id;
    if (!p.spec.node_name) continue;
    node_of_[id] = find_node(p.spec.node_name);
    if (node_of_[id] && !finished(id)) ++sizes[node_of_[id].index];
  }
  node_begin_.resize(nodes().size() + 1, 0);
  for (std::size_t n = 0; n < sizes.size(); ++n) node_begin_[n + 1] = node_begin_[n] + sizes[n];
  by_node_.resize(node_begin_.back());
  std::vector<std::uint32_t> next(node_begin_.begin(), node_begin_.end() - 1);
  for (const PodId id : pods().ids()) {
    if (node_of_[id] && !finished(id)) by_node_[next[node_of_[id].index]++] = id;
  }
}

void Snapshot::pod_was_added() {
  const PodId id = node_of_.add({});
  pod_by_name_[pair_key(pod(id).meta.ns, pod(id).meta.name)] = id;
}

void Snapshot::volumes_changed() {
  volumes_ = index_by_name(objects_.persistent_volumes);
  claims_.clear();
  for (const PersistentVolumeClaim& claim : std::as_const(objects_).persistent_volume_claims) {
    claims_.emplace(pair_key(claim.meta.ns, claim.meta.name), &claim);
  }
}

auto Snapshot::names(std::span<const NodeId> nodes) const -> std::vector<std::string> {
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const NodeId node : nodes) names.emplace_back(name(node));
  return names;
}

auto Snapshot::key(PodId id) const -> std::string {
  const ObjectMeta& meta = pod(id).meta;
  return fmt::format("{}/{}", text(meta.ns), text(meta.name));
}

auto Snapshot::find_pod(std::string_view ns, std::string_view name) const -> PodId {
  const Symbol ns_symbol = symbol(ns);
  const Symbol name_symbol = symbol(name);
  if (!ns_symbol || !name_symbol) return {};
  return find_in(pod_by_name_, pair_key(ns_symbol, name_symbol));
}

auto Snapshot::find_node(Symbol name) const -> NodeId {
  return find_in(node_by_name_, name.index);
}

auto Snapshot::finished(PodId id) const -> bool {
  const Symbol phase = pod(id).status.phase;
  return phase == known_.succeeded || phase == known_.failed;
}

auto Snapshot::runs_on_unknown_node(PodId id) const -> bool {
  return !pod(id).spec.node_name && pod(id).status.phase == known_.running;
}

auto Snapshot::pending(PodId id) const -> bool {
  return !pod(id).spec.node_name && !finished(id) && !runs_on_unknown_node(id);
}

auto Snapshot::pods_on(NodeId id) const -> std::span<const PodId> {
  return std::span(by_node_).subspan(node_begin_[id.index], node_begin_[id.index + 1] - node_begin_[id.index]);
}

auto Snapshot::priority_class(Symbol name) const -> const PriorityClass* {
  return find_in(priority_classes_, name.index);
}

auto Snapshot::namespace_labels(Symbol name) const -> const SymbolMap& {
  static const SymbolMap kNone;
  const Namespace* found = find_in(namespaces_, name.index);
  return found == nullptr ? kNone : found->meta.labels;
}

auto Snapshot::claim(Symbol ns, Symbol name) const -> const PersistentVolumeClaim* {
  return find_in(claims_, pair_key(ns, name));
}

auto Snapshot::volume(Symbol name) const -> const PersistentVolume* {
  return find_in(volumes_, name.index);
}

auto Snapshot::storage_class(Symbol name) const -> const StorageClass* {
  return find_in(storage_classes_, name.index);
}

auto Snapshot::csi_node(Symbol name) const -> const CsiNode* {
  return find_in(csi_nodes_, name.index);
}

auto Snapshot::csi_driver(Symbol name) const -> const CsiDriver* {
  return find_in(csi_drivers_, name.index);
}

}  // namespace previct
