#pragma once

#include "api/names_to_come.h"
#include "api/objects.h"
#include "api/plugin_kinds.h"
#include "api/times.h"
#include "base/pool.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The kinds that previct reads, for every way of reading them. Included by the readers only.
///
/// A Reader is one object that was found:
///   decode(object) -> Result<void>   reads its fields
///   source() -> Source               where it stands
namespace previct {

template <class T>
void note_times(Objects& objects, const T& object) {
  each_time(object, [&](std::string_view, Symbol, const std::optional<Instant>& at) {
    if (at && *at > objects.newest) objects.newest = *at;
  });
}

/// Is an event of this reason kept? Those that tell of a pod's end are: of preemptions by kube-scheduler (Preempted),
/// KAI (Evict) and YuniKorn (Informational), by the kubelet and for a taint. A cluster has a thousand times as many
/// others.
[[nodiscard]] auto event_matters(std::string_view reason) -> bool;

enum class Scope : std::uint8_t { cluster, namespaced };

// Of an object of which nothing but that it exists is kept.
template <class Object>
auto only_named(const Object& object) -> Object {
  Object named;
  named.meta.name = object.meta.name;
  named.meta.generate_name = object.meta.generate_name;
  named.meta.ns = object.meta.ns;
  named.meta.uid = object.meta.uid;
  named.meta.source = object.meta.source;
  return named;
}

// False: it is none that is kept.
template <Scope kScope, class Reader, class Object>
auto read_into(Reader& reader, Objects& objects, Object& object) -> Result<bool> {
  PREVICT_CHECK(reader.decode(object));
  object.meta.source = reader.source();
  // name_objects_to_come() gives it one when all are read.
  const bool to_come = !object.meta.name && !prefix_of(object.meta, objects.symbols).empty();
  if (!object.meta.name && !to_come) return fail("an object without metadata.name", object.meta.source);
  if (kScope == Scope::namespaced && !object.meta.ns) object.meta.ns = objects.symbols.intern("default");
  if constexpr (requires { object.matters(); }) {
    if (!object.matters()) return false;
  }
  note_times(objects, object);
  if constexpr (std::is_same_v<Object, ClusterEvent>) {
    if (!event_matters(objects.symbols.text(object.reason))) return false;
  }
  if constexpr (requires { Object::wanted(std::string_view()); }) {
    if (!Object::wanted(objects.symbols.text(object.meta.name))) object = only_named(object);
  }
  if constexpr (requires { object.unpack(objects.symbols); }) object.unpack(objects.symbols);
  return true;
}

// The row of one kind: how an object of it gets into its store.
template <class Reader, auto Store, Scope kScope>
auto add_to(Reader& reader, Objects& objects) -> Result<void> {
  auto& store = objects.*Store;
  auto& list = [&]() -> auto& {
    if constexpr (requires { store.items(); }) {
      return store.items();
    } else {
      return store;
    }
  }
  ();
  make_room(list);
  // Read where it stays; taken away again if it does not.
  auto& object = list.emplace_back();
  const Result<bool> stays = read_into<kScope>(reader, objects, object);
  if (!stays || !*stays) list.pop_back();
  return stays.map([](bool) {});
}

template <class Reader>
auto note_plugin_object(Reader& reader, const std::string& kind, Objects& objects) -> Result<void> {
  PluginObject object;
  PREVICT_CHECK(reader.decode(object));
  objects.plugin_objects[kind].insert(std::string(objects.symbols.text(object.meta.ns)));
  return {};
}

// The first line of a capture is no object of a cluster.
template <class Reader>
auto read_capture(Reader& reader, Objects& objects) -> Result<void> {
  Capture capture;
  PREVICT_CHECK(reader.decode(capture));
  capture.source = reader.source();
  add_capture(std::move(capture), objects);
  return {};
}

template <class Reader>
struct Kind {
  std::string_view group;  // empty: the core group
  std::string_view name;
  auto(*add)(Reader&, Objects&) -> Result<void>;
};

template <class Reader>
inline constexpr std::array kKinds = {
    Kind<Reader>{"", "Pod", add_to<Reader, &Objects::pods, Scope::namespaced>},
    Kind<Reader>{"", "Node", add_to<Reader, &Objects::nodes, Scope::cluster>},
    Kind<Reader>{"", "Namespace", add_to<Reader, &Objects::namespaces, Scope::cluster>},
    Kind<Reader>{"scheduling.k8s.io", "PriorityClass", add_to<Reader, &Objects::priority_classes, Scope::cluster>},
    Kind<Reader>{"policy", "PodDisruptionBudget", add_to<Reader, &Objects::disruption_budgets, Scope::namespaced>},
    Kind<Reader>{"", "PersistentVolume", add_to<Reader, &Objects::persistent_volumes, Scope::cluster>},
    Kind<Reader>{"", "PersistentVolumeClaim", add_to<Reader, &Objects::persistent_volume_claims, Scope::namespaced>},
    Kind<Reader>{"storage.k8s.io", "StorageClass", add_to<Reader, &Objects::storage_classes, Scope::cluster>},
    Kind<Reader>{"storage.k8s.io", "CSINode", add_to<Reader, &Objects::csi_nodes, Scope::cluster>},
    Kind<Reader>{"storage.k8s.io", "CSIDriver", add_to<Reader, &Objects::csi_drivers, Scope::cluster>},
    Kind<Reader>{"storage.k8s.io", "CSIStorageCapacity",
                 add_to<Reader, &Objects::csi_storage_capacities, Scope::namespaced>},
    Kind<Reader>{"storage.k8s.io", "VolumeAttachment", add_to<Reader, &Objects::volume_attachments, Scope::cluster>},
    Kind<Reader>{"resource.k8s.io", "ResourceClaim", add_to<Reader, &Objects::resource_claims, Scope::namespaced>},
    Kind<Reader>{"resource.k8s.io", "DeviceClass", add_to<Reader, &Objects::device_classes, Scope::cluster>},
    Kind<Reader>{"", "Service", add_to<Reader, &Objects::services, Scope::namespaced>},
    Kind<Reader>{"", "ReplicationController", add_to<Reader, &Objects::replication_controllers, Scope::namespaced>},
    Kind<Reader>{"apps", "ReplicaSet", add_to<Reader, &Objects::replica_sets, Scope::namespaced>},
    Kind<Reader>{"apps", "StatefulSet", add_to<Reader, &Objects::stateful_sets, Scope::namespaced>},
    Kind<Reader>{"apps", "Deployment", add_to<Reader, &Objects::deployments, Scope::namespaced>},
    Kind<Reader>{"apiextensions.k8s.io", "CustomResourceDefinition",
                 add_to<Reader, &Objects::custom_resources, Scope::cluster>},
    Kind<Reader>{"", "ConfigMap", add_to<Reader, &Objects::config_maps, Scope::namespaced>},
    Kind<Reader>{"", "Event", add_to<Reader, &Objects::events, Scope::namespaced>},
    Kind<Reader>{"events.k8s.io", "Event", add_to<Reader, &Objects::events, Scope::namespaced>},
    Kind<Reader>{"scheduling.run.ai", "PodGroup", add_to<Reader, &Objects::kai_pod_groups, Scope::namespaced>},
    Kind<Reader>{"scheduling.run.ai", "Queue", add_to<Reader, &Objects::kai_queues, Scope::cluster>},
    Kind<Reader>{"scheduling.run.ai", "BindRequest", add_to<Reader, &Objects::kai_bind_requests, Scope::namespaced>},
    Kind<Reader>{"kai.scheduler", "Config", add_to<Reader, &Objects::kai_configs, Scope::cluster>},
    Kind<Reader>{"kai.scheduler", "SchedulingShard", add_to<Reader, &Objects::kai_shards, Scope::cluster>},
    Kind<Reader>{"kai.scheduler", "Topology", add_to<Reader, &Objects::kai_topologies, Scope::cluster>},
    Kind<Reader>{"resource.k8s.io", "ResourceSlice", add_to<Reader, &Objects::resource_slices, Scope::cluster>},
    Kind<Reader>{"scheduling.k8s.io", "PodGroup", add_to<Reader, &Objects::pod_groups, Scope::namespaced>},
    Kind<Reader>{"scheduling.k8s.io", "Workload", add_to<Reader, &Objects::workloads, Scope::namespaced>},
    Kind<Reader>{"", "LimitRange", add_to<Reader, &Objects::limit_ranges, Scope::namespaced>},
    Kind<Reader>{"node.k8s.io", "RuntimeClass", add_to<Reader, &Objects::runtime_classes, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "ClusterQueue", add_to<Reader, &Objects::cluster_queues, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "Cohort", add_to<Reader, &Objects::cohorts, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "LocalQueue", add_to<Reader, &Objects::local_queues, Scope::namespaced>},
    Kind<Reader>{"kueue.x-k8s.io", "ResourceFlavor", add_to<Reader, &Objects::resource_flavors, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "Workload", add_to<Reader, &Objects::kueue_workloads, Scope::namespaced>},
    Kind<Reader>{"kueue.x-k8s.io", "WorkloadPriorityClass",
                 add_to<Reader, &Objects::workload_priority_classes, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "AdmissionCheck", add_to<Reader, &Objects::admission_checks, Scope::cluster>},
    Kind<Reader>{"kueue.x-k8s.io", "Topology", add_to<Reader, &Objects::kueue_topologies, Scope::cluster>},
    Kind<Reader>{"previct", "Capture", read_capture<Reader>},
};

inline auto group_of(std::string_view api_version) -> std::string_view {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

template <class Reader>
auto find_kind(std::string_view api_version, std::string_view kind) -> const Kind<Reader>* {
  for (const Kind<Reader>& row : kKinds<Reader>) {
    // Items of a raw list carry no apiVersion; the kind names are unique among what is read.
    if (row.name == kind && (api_version.empty() || row.group == group_of(api_version))) return &row;
  }
  return nullptr;
}

/// Why an object is none that Kubernetes knows, though it may look like one: a kind that is written like one that is
/// read but for the case of letters, a version that its group never had. None if nothing is wrong with it.
/// Source: k8s.io/apimachinery: pkg/runtime/scheme.go, Scheme.New (no kind is registered for the version).
[[nodiscard]] auto unknown_type(std::string_view api_version, std::string_view kind, Place place)
    -> std::optional<Failure>;

/// `Pod` of a `PodList`; nothing of a mixed `List`.
[[nodiscard]] auto item_kind(const EnclosingList& list) -> std::string_view;

/// `Pod`, `apps/Deployment`.
[[nodiscard]] auto kind_name(std::string_view api_version, std::string_view kind) -> std::string;

/// Counts an object and, if its kind is one that is read, adds it.
template <class Reader>
auto add_of_kind(Reader& reader, std::string_view api_version, std::string_view kind, bool in_list, Objects& objects)
    -> Result<void> {
  const Kind<Reader>* row = find_kind<Reader>(api_version, kind);
  const bool usual = row != nullptr && row->group.empty() && api_version == "v1";
  if (!usual) {
    if (auto wrong = unknown_type(api_version, kind, reader.source())) return tl::unexpected(*std::move(wrong));
  }
  const std::string name = kind_name(api_version, kind);
  if (row == nullptr && find_plugin_kind(name) != nullptr) {
    PREVICT_CHECK(note_plugin_object(reader, name, objects));
  } else {
    PREVICT_CHECK(row == nullptr ? reader.skip() : row->add(reader, objects));
  }
  ++objects.counts[name];
  if (in_list) ++objects.listed[name];
  return {};
}

}  // namespace previct
