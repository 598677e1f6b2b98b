#include "api/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/decode.h"
#include "api/kai_snapshot.h"
#include "api/simulator_snapshot.h"
#include "api/times.h"

namespace previct {
namespace {

template <class T>
void note_times(Objects& objects, const T& object) {
  each_time(object, [&](std::string_view, Symbol, const std::optional<Instant>& at) {
    if (at && *at > objects.newest) objects.newest = *at;
  });
}

struct Where {
  const Tape& tape;
  std::uint32_t index;
  FileId file;
};

enum class Scope : std::uint8_t { cluster, namespaced };

template <class T>
auto decode_one(const Where& where, Scope scope, Objects& objects, T& object) -> Result<void> {
  const Tape::Entry& start = where.tape[where.index];
  const Place place{where.file, start.line, start.column};
  Decoder decoder(where.tape, where.file, objects.symbols, objects.diagnostics);
  PREVICT_CHECK(decoder.decode(where.index, object));
  if (!object.meta.name) return fail("an object without metadata.name", place);
  if (scope == Scope::namespaced && !object.meta.ns) object.meta.ns = objects.symbols.intern("default");
  object.meta.source = {where.file, start.line, start.column};
  note_times(objects, object);
  return {};
}

// The row of one kind: how an object of it gets into its store.
template <auto Store, Scope kScope>
auto add_to(const Where& where, Objects& objects) -> Result<void> {
  auto& store = objects.*Store;
  using Object = std::decay_t<decltype(*store.begin())>;
  Object object;
  PREVICT_CHECK(decode_one(where, kScope, objects, object));
  if constexpr (requires { Object::wanted(std::string_view()); }) {
    if (!Object::wanted(objects.symbols.text(object.meta.name))) return {};
  }
  if constexpr (requires { store.push_back(std::move(object)); }) {
    store.push_back(std::move(object));
  } else {
    store.add(std::move(object));
  }
  return {};
}

struct Kind {
  std::string_view group;  // empty: the core group
  std::string_view name;
  auto (*add)(const Where&, Objects&) -> Result<void>;
};

constexpr std::array kKinds = {
    Kind{"", "Pod", add_to<&Objects::pods, Scope::namespaced>},
    Kind{"", "Node", add_to<&Objects::nodes, Scope::cluster>},
    Kind{"", "Namespace", add_to<&Objects::namespaces, Scope::cluster>},
    Kind{"scheduling.k8s.io", "PriorityClass", add_to<&Objects::priority_classes, Scope::cluster>},
    Kind{"policy", "PodDisruptionBudget", add_to<&Objects::disruption_budgets, Scope::namespaced>},
    Kind{"", "PersistentVolume", add_to<&Objects::persistent_volumes, Scope::cluster>},
    Kind{"", "PersistentVolumeClaim", add_to<&Objects::persistent_volume_claims, Scope::namespaced>},
    Kind{"storage.k8s.io", "StorageClass", add_to<&Objects::storage_classes, Scope::cluster>},
    Kind{"storage.k8s.io", "CSINode", add_to<&Objects::csi_nodes, Scope::cluster>},
    Kind{"storage.k8s.io", "CSIDriver", add_to<&Objects::csi_drivers, Scope::cluster>},
    Kind{"storage.k8s.io", "CSIStorageCapacity", add_to<&Objects::csi_storage_capacities, Scope::namespaced>},
    Kind{"storage.k8s.io", "VolumeAttachment", add_to<&Objects::volume_attachments, Scope::cluster>},
    Kind{"", "ConfigMap", add_to<&Objects::config_maps, Scope::namespaced>},
    Kind{"scheduling.run.ai", "PodGroup", add_to<&Objects::kai_pod_groups, Scope::namespaced>},
    Kind{"scheduling.run.ai", "Queue", add_to<&Objects::kai_queues, Scope::cluster>},
    Kind{"scheduling.run.ai", "BindRequest", add_to<&Objects::kai_bind_requests, Scope::namespaced>},
    Kind{"kai.scheduler", "Config", add_to<&Objects::kai_configs, Scope::cluster>},
    Kind{"kai.scheduler", "SchedulingShard", add_to<&Objects::kai_shards, Scope::cluster>},
};

auto group_of(std::string_view api_version) -> std::string_view {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

auto find_kind(std::string_view api_version, std::string_view kind) -> const Kind* {
  for (const Kind& row : kKinds) {
    // Items of a raw list carry no apiVersion; the kind names are unique among what is read.
    if (row.name == kind && (api_version.empty() || row.group == group_of(api_version))) return &row;
  }
  return nullptr;
}

auto text_at(const Tape& tape, std::uint32_t index) -> std::string_view {
  if (index >= tape.size() || tape[index].type != EventType::scalar) return {};
  return tape[index].scalar == ScalarType::string ? tape.text(tape[index]) : std::string_view();
}

/// `Pod` of a `PodList`; nothing of a mixed `List`.
auto item_kind(const EnclosingList& list) -> std::string_view {
  constexpr std::string_view kEnding = "List";
  const std::string_view kind = list.kind;
  return kind.substr(0, kind.size() - std::min(kind.size(), kEnding.size()));
}

/// `Pod`, `apps/Deployment`.
auto kind_name(std::string_view api_version, std::string_view kind) -> std::string {
  const std::string_view group = group_of(api_version);
  return group.empty() ? std::string(kind) : fmt::format("{}/{}", group, kind);
}

}  // namespace

auto kind_matters(std::string_view api_version, std::string_view kind) -> bool {
  return kind == "Status" || find_kind(api_version, kind) != nullptr;
}

auto add_object(const Tape& tape, std::uint32_t index, FileId file, const EnclosingList* list,
                Objects& objects) -> Result<void> {
  const Place place{file, tape[index].line, tape[index].column};
  if (tape[index].type != EventType::begin_map) {
    return fail("expected a Kubernetes object (a mapping with a kind)", place);
  }
  std::string_view api_version = text_at(tape, tape.find(index, "apiVersion"));
  std::string_view kind = text_at(tape, tape.find(index, "kind"));
  if (kind.empty() && list != nullptr) {
    kind = item_kind(*list);
    if (api_version.empty()) api_version = list->api_version;
  }
  if (kind.empty() && kai::is_snapshot(tape, index)) return kai::add_snapshot(tape, index, file, objects);
  if (kind.empty() && simulator::is_snapshot(tape, index)) return simulator::add_snapshot(tape, index, file, objects);
  if (kind.empty()) return fail("an object without a kind", place);
  if (kind == "Status") {
    return fail(fmt::format("the API server answered with a failure instead of objects: {}",
                            text_at(tape, tape.find(index, "message"))),
                place);
  }
  const std::string name = kind_name(api_version, kind);
  ++objects.counts[name];
  if (list != nullptr) ++objects.listed[name];
  const Kind* row = find_kind(api_version, kind);
  return row == nullptr ? Result<void>{} : row->add({tape, index, file}, objects);
}

void add_list(const EnclosingList& list, Objects& objects) {
  const std::string_view kind = item_kind(list);
  if (!kind.empty()) objects.listed.try_emplace(kind_name(list.api_version, kind), 0);
}

}  // namespace previct
