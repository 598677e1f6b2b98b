#include "api/objects.h"

#include "api/decode.h"
#include "api/kai_snapshot.h"
#include "api/kinds.h"
#include "api/recognise.h"
#include "api/simulator_snapshot.h"
#include "base/ascii.h"
#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace previct {
namespace {

/// Reads an object from a tape.
class TapeReader {
 public:
  TapeReader(const Tape& tape, std::uint32_t index, FileId file, Objects& objects)
      : tape_(tape), index_(index), file_(file), objects_(objects) {}

  template <class T>
  auto decode(T& object) -> Result<void> {
    return Decoder(tape_, file_, objects_.symbols, objects_.diagnostics).decode(index_, object);
  }
  [[nodiscard]] auto skip() const -> Result<void> { return {}; }
  [[nodiscard]] auto source() const -> Source { return {file_, tape_[index_].line, tape_[index_].column}; }

 private:
  const Tape& tape_;
  std::uint32_t index_;
  FileId file_;
  Objects& objects_;
};

auto says_nothing(const Tape& tape, std::uint32_t value) -> bool {
  if (value == tape.size()) return true;
  const Tape::Entry& entry = tape[value];
  return entry.type == EventType::scalar &&
         (entry.scalar == ScalarType::null || (entry.scalar == ScalarType::string && entry.size == 0));
}

// Returns true if the object has neither a name nor generateName, from which it would get one.
auto has_no_name(const Tape& tape, std::uint32_t object) -> bool {
  const std::uint32_t meta = tape.find(object, "metadata");
  return says_nothing(tape, tape.find(meta, "name")) && says_nothing(tape, tape.find(meta, "generateName"));
}

void add(std::map<std::string, Recognized>& to, const std::map<std::string, Recognized>& later) {
  for (const auto& [kind, recognized] : later) {
    const auto [known, added] = to.try_emplace(kind, recognized);
    if (!added) known->second.count += recognized.count;
  }
}

}  // namespace

Stores::Stores() = default;
Stores::Stores(const Stores& other) = default;
Stores::Stores(Stores&& other) noexcept = default;
auto Stores::operator=(const Stores& other) -> Stores& = default;
auto Stores::operator=(Stores&& other) noexcept -> Stores& = default;
Stores::~Stores() = default;

void LeftOut::add(const LeftOut& later) {
  if (count == 0) first = later.first;
  count += later.count;
}

auto InputSummary::only_pods_of() const -> std::string_view {
  for (const Capture& capture : captures) {
    for (const CapturedKind& kind : capture.kinds) {
      if (kind.kind == "Pod" && !kind.ns.empty()) return kind.ns;
    }
  }
  return live_pods_of;
}

void InputSummary::add(InputSummary later) {
  for (const auto& [kind, count] : later.counts) counts[kind] += count;
  for (const auto& [kind, count] : later.listed) listed[kind] += count;
  for (auto& [kind, namespaces] : later.plugin_objects) plugin_objects[kind].merge(namespaces);
  newest = std::max(newest, later.newest);
  if (later.kai_scheduler) kai_scheduler = std::move(later.kai_scheduler);
  captures.insert(captures.end(), std::move_iterator(later.captures.begin()), std::move_iterator(later.captures.end()));
  inputs_skipped = inputs_skipped || later.inputs_skipped;
  if (live_pods_of.empty()) live_pods_of = std::move(later.live_pods_of);
  for (const auto& [file, count] : later.lists) lists[file] += count;
  unplaced_pods.add(later.unplaced_pods);
  overtaken_pods.add(later.overtaken_pods);
  filled_policies.add(later.filled_policies);
  filled_priorities.add(later.filled_priorities);
  default_priorities.add(later.default_priorities);
  zero_priorities.add(later.zero_priorities);
  broken_files.add(later.broken_files);
  broken_pods.add(later.broken_pods);
  lost_objects.add(later.lost_objects);
  previct::add(recognized_by_field, later.recognized_by_field);
  previct::add(recognized_by_path, later.recognized_by_path);
}

auto item_kind(const EnclosingList& list) -> std::string_view {
  constexpr std::string_view kEnding = "List";
  const std::string_view kind = list.kind;
  return kind.substr(0, kind.size() - std::min(kind.size(), kEnding.size()));
}

auto kind_name(std::string_view api_version, std::string_view kind) -> std::string {
  const std::string_view group = group_of(api_version);
  return group.empty() ? std::string(kind) : fmt::format("{}/{}", group, kind);
}

auto unknown_type(std::string_view api_version, std::string_view kind, Place place) -> std::optional<Failure> {
  constexpr std::string_view kCaptureVersion = "previct/v1alpha1";
  const std::string_view group = group_of(api_version);
  if (group == "previct" && kind == "Capture" && api_version != kCaptureVersion) {
    return Failure{fmt::format("a capture of version {}; this release reads {}", api_version, kCaptureVersion), place,
                   "read it with the release that wrote it, or a newer one"};
  }
  for (const Kind<TapeReader>& row : kKinds<TapeReader>) {
    if (row.group != group || !equal_but_for_case(row.name, kind)) continue;
    if (row.name != kind) {
      return Failure{fmt::format("no kind \"{}\" in {}", kind, api_version), place,
                     fmt::format("did you mean \"{}\"?", row.name)};
    }
    if (group.empty() && !api_version.empty() && api_version != "v1") {
      return Failure{fmt::format("no kind \"{}\" in {}", kind, api_version), place, "its apiVersion is v1"};
    }
  }
  return {};
}

void warn_of_version(std::string_view api_version, std::string_view kind, std::string_view served, const Source& source,
                     Objects& objects) {
  const std::size_t slash = api_version.find('/');
  if (served.empty() || slash == std::string_view::npos) return;
  const std::string_view version = api_version.substr(slash + 1);
  if (contains_word(served, version)) return;
  const std::size_t last = served.rfind(' ');
  objects.diagnostics.warn("version-unknown",
                           fmt::format("no known release serves {} in {}; it is read as {}", kind, api_version,
                                       served.substr(last == std::string_view::npos ? 0 : last + 1)),
                           source);
}

auto kind_matters(std::string_view api_version, std::string_view kind) -> bool {
  return kind == "Status" || find_kind<TapeReader>(api_version, kind) != nullptr;
}

namespace {

/// The first field of the object at `index` that holds a named object or a list of such objects; empty if there is
/// none. Some programs wrap objects: `data` in Rancher's API, `resources` in Ansible's k8s_info.
auto wrapping_field(const Tape& tape, std::uint32_t index) -> std::string_view {
  for (std::uint32_t key = index + 1; key < tape[index].next; key = tape[key + 1].next) {
    std::uint32_t value = key + 1;
    const bool list = tape[value].type == EventType::begin_list;
    if (list && ++value >= tape[key + 1].next) continue;
    if (tape[value].type != EventType::begin_map) continue;
    const bool items = tape.find(value, "items") < tape.size();
    const std::string_view name = tape.string(tape.find(tape.find(value, "metadata"), "name"));
    if (items || !name.empty()) return tape.text(tape[key]);
  }
  return {};
}

auto without_kind(const Tape& tape, std::uint32_t index, const Place& place) -> Result<void> {
  const std::string_view wrapping = wrapping_field(tape, index);
  if (wrapping.empty())
    return fail("an object without a kind", place, "previct reads what kubectl get prints with -o yaml or -o json");
  return fail(fmt::format("an object without a kind, with objects in its field {}", wrapping), place,
              fmt::format("pass the content of {} as a separate file", wrapping));
}

}  // namespace

auto add_object(const FoundObject& found, FileId file, Objects& objects) -> Result<void> {
  const Tape& tape = found.tape;
  const std::uint32_t index = found.index;
  const Place place{file, tape[index].line, tape[index].column};
  const auto skip = [&](std::string_view what) {
    objects.diagnostics.warn("item-skipped", fmt::format("{}, which is skipped", what), place);
    return Result<void>{};
  };
  if (found.element && tape.is_nothing(index)) return skip("an item of a list that is null or empty");
  if (tape[index].type != EventType::begin_map) {
    return fail("expected a Kubernetes object (a mapping with a kind)", place);
  }
  std::string_view api_version = tape.string(tape.find(index, "apiVersion"));
  // Most fields have other names in this notation and would be ignored as unknown.
  if (tape.find(index, "api_version") < tape.size() && api_version.empty()) {
    return fail("an object with the names of a Python client (api_version), not of the API (apiVersion)", place,
                "save it with kubectl get … -o yaml or -o json");
  }
  std::string_view kind = tape.string(tape.find(index, "kind"));
  bool listed = found.list != nullptr;
  const auto kind_of = [&](const EnclosingList& list) {
    kind = item_kind(list);
    if (api_version.empty()) api_version = list.api_version;
  };
  if (kind.empty() && found.list != nullptr) kind_of(*found.list);
  if (kind.empty() && kai::is_snapshot(tape, index)) return kai::add_snapshot(tape, index, file, objects);
  if (kind.empty() && simulator::is_snapshot(tape, index)) return simulator::add_snapshot(tape, index, file, objects);
  if (const auto* const list = kind.empty() ? list_by_fields(tape, index) : nullptr) {
    kind_of(*list);
    listed = found.element;
    Recognized& recognized = objects.recognized_by_field[std::string(kind)];
    if (recognized.count++ == 0) recognized.first = place;
  }
  if (kind.empty() && tape.find(index, "queues.yaml") < tape.size()) {
    return fail("the data of YuniKorn's ConfigMap without the ConfigMap", place,
                "pass the text below queues.yaml as a separate file, or the whole ConfigMap yunikorn-configs");
  }
  if (kind.empty() && tape.find(index, "Items") < tape.size()) {
    return fail("a list as kubectl cluster-info dump printed it up to 1.13, whose objects have no kind", place,
                "dump the cluster with a newer kubectl, or save it with kubectl get … -o yaml");
  }
  if (kind.empty()) return without_kind(tape, index, place);
  const bool untyped = api_version.empty() && (found.list == nullptr || item_kind(*found.list).empty());
  if (untyped && kind_matters(api_version, kind)) {
    objects.diagnostics.warn("no-api-version", fmt::format("a {} without apiVersion, which Kubernetes refuses", kind),
                             place);
  }
  if (kind == "Status") {
    return fail(fmt::format("the API server answered with a failure instead of objects: {}",
                            tape.string(tape.find(index, "message"))),
                place);
  }
  if (kind == "Table" && group_of(api_version) == "meta.k8s.io") {
    return fail("a Table, which the API server returns for display, instead of objects", place,
                "save it with kubectl get … -o yaml or -o json");
  }
  // A pod that uses a node's resources is not left out, because the answer would be different without it.
  const bool takes_room = kind == "Pod" && !tape.string(tape.find(tape.find(index, "spec"), "nodeName")).empty();
  if (found.element && kind_matters(api_version, kind) && has_no_name(tape, index) && !takes_room) {
    objects.lost_objects.add({1, place});
    return skip(fmt::format("a {} without metadata.name in a list", kind));
  }
  TapeReader reader(tape, index, file, objects);
  return add_of_kind(reader, api_version, kind, listed, objects);
}

void add_capture(Capture capture, Objects& objects) {
  for (const CapturedKind& kind : capture.kinds) objects.listed.try_emplace(kind.kind, 0);
  for (const CapturedKind& kind : capture.of_plugins) {
    objects.plugin_objects[kind.kind].insert(kind.ns);
    objects.counts.try_emplace(kind.kind, static_cast<std::size_t>(std::max<std::int64_t>(kind.count, 0)));
  }
  objects.newest = std::max(objects.newest, capture.taken.value_or(Instant{}));
  objects.inputs_skipped = objects.inputs_skipped || capture.inputs_skipped;
  objects.captures.push_back(std::move(capture));
}

auto listed_with_nodes(const Objects& objects, FileId file) -> bool {
  if (objects.nodes.empty()) return false;
  const FileId of_nodes = objects.nodes.items().front().meta.source.file;
  if (objects.files.live(of_nodes)) return true;
  if (!objects.captures.empty()) {
    return std::none_of(objects.captures.begin(), objects.captures.end(),
                        [](const Capture& capture) { return capture.nodes_read_separately; });
  }
  // If a file has several lists, the one of the nodes may be a selection (kubectl get nodes -l …).
  const auto lists = objects.lists.find(of_nodes);
  return objects.listed.contains("Node") && file == of_nodes && (lists == objects.lists.end() || lists->second == 1);
}

void add_list(const EnclosingList& list, FileId file, Objects& objects) {
  ++objects.lists[file];
  prove_kind(list, objects);
}

void prove_kind(const EnclosingList& list, Objects& objects) {
  const std::string_view kind = item_kind(list);
  if (!kind.empty()) objects.listed.try_emplace(kind_name(list.api_version, kind), 0);
}

}  // namespace previct
