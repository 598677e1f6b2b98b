#pragma once

#include "api/event_reasons.h"
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

/// How objects of each kind (api/kinds.def) are read, for all readers. Included only by readers.
///
/// A Reader provides access to one object:
///   decode(object) -> Result<void>   reads its fields
///   source() -> Source               its place
namespace previct {

template <class T>
void note_times(Objects& objects, const T& object) {
  each_time(object, objects.symbols, [&](std::string_view, Symbol, const std::optional<Instant>& at) {
    if (at && *at > objects.newest) objects.newest = *at;
  });
}

// Returns false if the object is not to be stored.
template <Scope kScope, class Reader, class Object>
auto read_into(Reader& reader, Objects& objects, Object& object) -> Result<bool> {
  PREVICT_CHECK(reader.decode(object));
  object.meta.source = reader.source();
  // name_generated_objects() sets the name after all objects are read.
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
    if (!Object::wanted(objects.symbols.text(object.meta.name))) object.keep_configurations();
  }
  if constexpr (requires { object.unpack(objects.symbols); }) object.unpack(objects.symbols);
  return true;
}

// One row of the table: stores an object of a kind.
template <class Reader, auto Store, Scope kScope>
auto add_to(Reader& reader, Objects& objects) -> Result<void> {
  auto& list = items_of(objects.*Store);
  reserve_with_large_pages(list);
  // Read the object in place, and remove it if it is not kept.
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

// The first line of a capture, which is not an object of a cluster.
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
  std::string_view served{};  // KindTraits::served
};

template <class Reader>
inline constexpr std::array kKinds = {
#define PREVICT_KIND(type, store, ...)                                                                     \
  Kind<Reader>{kinds::store.group, kinds::store.name, add_to<Reader, &Objects::store, kinds::store.scope>, \
               kinds::store.served},
#define PREVICT_KIND_ALSO(store, other_group) \
  Kind<Reader>{other_group, kinds::store.name, add_to<Reader, &Objects::store, kinds::store.scope>},
#include "api/kinds.def"
    Kind<Reader>{"previct", "Capture", read_capture<Reader>},
};

inline auto group_of(std::string_view api_version) -> std::string_view {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

template <class Reader>
auto find_kind(std::string_view api_version, std::string_view kind) -> const Kind<Reader>* {
  for (const Kind<Reader>& row : kKinds<Reader>) {
    // Items of a raw list have no apiVersion; the names of these kinds are unique.
    if (row.name == kind && (api_version.empty() || row.group == group_of(api_version))) return &row;
  }
  return nullptr;
}

/// The reason why Kubernetes does not know this type although it looks valid: a known kind in different case, or a
/// version that its group never had. None if the type is valid.
/// Source: k8s.io/apimachinery: pkg/runtime/scheme.go, Scheme.New (no kind is registered for the version).
[[nodiscard]] auto unknown_type(std::string_view api_version, std::string_view kind, Place place)
    -> std::optional<Failure>;

/// Warns of an object of a version that no known release serves. Its fields are read nevertheless.
void warn_of_version(std::string_view api_version, std::string_view kind, std::string_view served, const Source& source,
                     Objects& objects);

/// `Pod` for a `PodList`; empty for a mixed `List`.
[[nodiscard]] auto item_kind(const EnclosingList& list) -> std::string_view;

/// The name of a kind with its group: `Pod`, `apps/Deployment`.
[[nodiscard]] auto kind_name(std::string_view api_version, std::string_view kind) -> std::string;

/// Counts an object, and stores it if its kind is known.
template <class Reader>
auto add_of_kind(Reader& reader, std::string_view api_version, std::string_view kind, bool in_list, Objects& objects)
    -> Result<void> {
  const Kind<Reader>* row = find_kind<Reader>(api_version, kind);
  const bool usual = row != nullptr && row->group.empty() && api_version == "v1";
  if (!usual) {
    if (auto wrong = unknown_type(api_version, kind, reader.source())) return tl::unexpected(*std::move(wrong));
    if (row != nullptr) warn_of_version(api_version, kind, row->served, reader.source(), objects);
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
