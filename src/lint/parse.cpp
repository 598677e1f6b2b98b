#include "lint/parse.h"

#include "input/documents.h"
#include "input/json_source.h"
#include "input/yaml_source.h"
#include "lint/kinds.h"
#include "lint/paths.h"

#include <algorithm>
#include <array>

namespace previct::lint {
namespace {

/// The group of a kind without apiVersion, as in KEP-205's samples; each of these kind names is unique.
auto group_of(std::string_view kind) -> std::string_view {
  for (const std::string_view known : {kind::kPriorityClass, kind::kBudget, kind::kScheduler}) {
    if (known.starts_with(kind) && known.substr(kind.size()).starts_with(".")) return known.substr(kind.size() + 1);
  }
  return {};
}

/// Sets group, version and kind of a manifest.
void name(Manifest& manifest, std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash != std::string_view::npos) manifest.group = api_version.substr(0, slash);
  manifest.version = api_version.substr(slash == std::string_view::npos ? 0 : slash + 1);
  manifest.kind = kind;
  if (api_version.empty()) manifest.group = group_of(kind);
  const Value metadata = manifest["metadata"];
  manifest.name = metadata["name"].text();
  if (manifest.name.empty()) manifest.name = metadata["generateName"].text();
  manifest.ns = metadata["namespace"].text();
  manifest.stored = metadata["uid"] || metadata["resourceVersion"] || metadata["creationTimestamp"];
}

/// Clouds and brokers have partitions too: a partition of YuniKorn has at least one key that only a scheduler uses.
auto is_queue_configuration(const Value& root) -> bool {
  constexpr std::array<std::string_view, 6> kKeys = {"queues",     "placementrules", "limits",
                                                     "preemption", "nodesortpolicy", "statedumpfilepath"};
  const Value partitions = root["partitions"];
  if (!partitions.is_list()) return false;
  const bool any = std::any_of(partitions.begin(), partitions.end(), [&](const Value& partition) {
    return std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view key) { return bool(partition[key]); });
  });
  return any || root.size() == 1;
}

/// Returns true if some text of the manifest contains a scheduler configuration.
auto holds_configuration(const Manifest& manifest) -> bool {
  for (std::uint32_t i = 0; i < manifest.tape.size(); ++i) {
    const Tape::Entry& entry = manifest.tape[i];
    if (entry.type != EventType::scalar) continue;
    const std::string_view text = manifest.tape.text(entry);
    if (text.find("KubeSchedulerConfiguration") != std::string_view::npos) return true;
    if (text.find("partitions:") != std::string_view::npos) return true;
  }
  return false;
}

class Sink final : public ObjectSink {
 public:
  /// `within`: the text is a value within an object, under the key `file`.
  Sink(const SourceText& source, std::string_view file, bool within, std::deque<Manifest>& manifests)
      : source_(source), file_(base_name(file)), within_(within), manifests_(manifests) {}

  auto take(const FoundObject& found) -> Result<void> override {
    if (found.change == FoundObject::Change::deleted || found.tape[found.index].type != EventType::begin_map) return {};
    Manifest& manifest = manifests_.emplace_back();
    manifest.source = &source_;
    manifest.tape.add(found.tape, found.index);
    manifest.in_list = found.list != nullptr;
    std::string kind(manifest["kind"].text());
    std::string api_version(manifest["apiVersion"].text());
    if (kind.empty() && found.list != nullptr && found.list->kind.size() > 4) {
      kind = found.list->kind.substr(0, found.list->kind.size() - 4);  // items of a typed list have no kind
      if (api_version.empty()) api_version = found.list->api_version;
    }
    if (is_kustomization_file(file_) && (kind.empty() || kind == "Kustomization")) {
      kind = "Kustomization";
      if (api_version.empty()) api_version = "kustomize.config.k8s.io/v1beta1";
    }
    if (kind.empty()) {
      const bool named_so = within_ && file_ == "queues.yaml";  // YuniKorn reads any content of this file as its queues
      kind = named_so || is_queue_configuration(manifest.root()) ? kind::kYunikornQueues
             : holds_configuration(manifest)                     ? kind::kValues
                                                                 : "";
    }
    // Without these marks it is another program's record that happens to have a `kind`.
    const bool object = !api_version.empty() || manifest["metadata"] || kind == "KubeSchedulerConfiguration" ||
                        kind == "Policy" || kind == kind::kYunikornQueues || kind == kind::kValues;
    if (kind.empty() || !object) {
      manifests_.pop_back();
    } else {
      name(manifest, api_version, kind);
    }
    return {};
  }
  void take_list(const EnclosingList& /*list*/) override {}

 private:
  const SourceText& source_;
  std::string_view file_;
  bool within_;
  std::deque<Manifest>& manifests_;
};

/// YuniKorn reads its queues with another YAML library, for which `off` is a string. They have no kind.
auto scalars_of(std::string_view text) -> ScalarText {
  const bool queues =
      text.find("partitions:") != std::string_view::npos && text.find("kind:") == std::string_view::npos;
  return queues ? ScalarText::written : ScalarText::resolved;
}

/// Returns true if a literal block scalar begins here, after an anchor and a tag on the same line.
auto is_literal(std::string_view text, std::size_t at) -> bool {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \r\n", at), text.size());
    at = std::min(text.find_first_not_of(' ', at), text.size());
  }
  return at < text.size() && text[at] == '|';
}

/// Sets where texts within a value are in the source: a literal block scalar keeps its lines, so that places within it
/// map to places in the source.
void align(const Value& held_by, std::deque<Manifest>& manifests, std::size_t first) {
  const std::string_view text = held_by.text();
  const Manifest& outer = held_by.manifest();
  const SourceText& source = *outer.source;
  for (std::size_t i = first; i < manifests.size(); ++i) {
    manifests[i].held_by = outer.exact ? held_by : outer.held_by;
    manifests[i].exact = false;
  }
  const Tape::Entry& entry = outer.tape[held_by.index()];
  const std::uint32_t line_of = outer.lines_before + entry.line;  // line in the source
  const std::size_t at = source.offset(line_of, outer.columns_before + entry.column);
  if (!outer.exact || at == std::string::npos || !is_literal(source.text, at)) return;
  const std::vector<std::size_t> starts = line_starts_of(text);
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    std::string_view line = text.substr(starts[i], text.find('\n', starts[i]) - starts[i]);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::string_view there = source.line(line_of + 1 + i);
    if (!there.ends_with(line)) return;
    for (std::size_t each = first; each < manifests.size(); ++each) {
      manifests[each].exact = true;
      manifests[each].lines_before = line_of;
      manifests[each].columns_before = static_cast<std::uint32_t>(there.size() - line.size());
    }
    return;
  }
}

/// Returns true if the text begins with a list whose items have `op` and `path`, as a file of operations (RFC 6902)
/// does.
auto may_be_operations(std::string_view text) -> bool {
  std::size_t begin = 0;
  for (;;) {
    begin = text.find_first_not_of(" \t\r\n", begin);
    if (begin == std::string_view::npos) return false;
    if (text[begin] != '#' && !text.substr(begin).starts_with("---")) break;
    begin = text.find('\n', begin);
  }
  const std::string_view list = text.substr(begin);
  return (list.starts_with('[') || (list.starts_with('-') && list.find_first_of(" \t\r\n") == 1)) &&
         list.find("op") != std::string_view::npos && list.find("path") != std::string_view::npos;
}

/// Returns false if the text is no list of operations.
auto read_operations(std::string_view text, Manifest& manifest) -> bool {
  const auto events = looks_like_json(text) ? json_source(text, FileId{0}) : yaml_source(text, FileId{0});
  const auto first = events->next();
  if (!first || first->type != EventType::begin_list || !record(*events, *first, manifest.tape)) return false;
  manifest.kind = kind::kOperations;
  const Value root = manifest.root();
  return root.size() > 0 &&
         std::all_of(root.begin(), root.end(), [](const Value& each) { return each["op"] && each["path"]; });
}

/// Returns true if a line begins with this key, or, in JSON, a map has it.
auto has_key(std::string_view text, std::string_view key) -> bool {
  const bool json = looks_like_json(text);
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    if (before.find_first_not_of(" -\"{") == std::string_view::npos) return true;
    const std::string_view after = text.substr(std::min(at + key.size(), text.size()));
    if (json && before.ends_with('"') && after.starts_with('"') &&
        after.substr(std::min(after.find_first_not_of(" \t", 1), after.size())).starts_with(':'))
      return true;
  }
  return false;
}

}  // namespace

void name_manifest(Manifest& manifest) {
  name(manifest, manifest["apiVersion"].text(), manifest["kind"].text());
}

auto is_kustomization_file(std::string_view file) -> bool {
  const std::string_view name = base_name(file);
  return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization";
}

auto parse(const SourceText& source, std::string_view text, std::string_view file, std::deque<Manifest>& manifests)
    -> Result<void> {
  const bool within = text.data() != source.text.data();
  Sink sink(source, file, within, manifests);
  const std::size_t first = manifests.size();
  if (!within && may_be_operations(text)) {
    Manifest& manifest = manifests.emplace_back();
    manifest.source = &source;
    if (read_operations(text, manifest)) return {};
    manifests.pop_back();
  }
  if (looks_like_json(text)) {
    const auto events = json_source(text, FileId{0});
    const auto count = read_documents(*events, FileId{0}, sink);
    if (count) return {};
    // Invalid JSON may be YAML in flow style, with comments, as in kubectl.
    std::deque<Manifest> others;
    Sink again(source, file, within, others);
    const auto yaml = yaml_source(text, FileId{0}, scalars_of(text));
    if (!read_documents(*yaml, FileId{0}, again)) return tl::unexpected(count.error());
    manifests.resize(first);
    for (Manifest& manifest : others) manifests.push_back(std::move(manifest));
    return {};
  }
  const auto events = yaml_source(text, FileId{0}, scalars_of(text));
  PREVICT_TRY([[maybe_unused]] const std::size_t count, read_documents(*events, FileId{0}, sink));
  return {};
}

auto parse_within(const Value& value, std::deque<Manifest>& manifests) -> Result<void> {
  const Manifest& holder = value.manifest();
  const std::size_t first = manifests.size();
  auto done = parse(*holder.source, value.text(), value.key(), manifests);
  for (std::size_t i = first; i < manifests.size(); ++i) manifests[i].wrapper = &holder.object();
  align(value, manifests, first);
  return done;
}

auto parse_operations(const Value& value, std::deque<Manifest>& manifests) -> const Manifest* {
  Manifest& manifest = manifests.emplace_back();
  manifest.source = value.manifest().source;
  if (!read_operations(value.text(), manifest)) {
    manifests.pop_back();
    return nullptr;
  }
  manifest.wrapper = &value.manifest();
  align(value, manifests, manifests.size() - 1);
  return &manifest;
}

auto may_hold_manifests(std::string_view text, std::string_view file) -> bool {
  return is_kustomization_file(file) || text.find("kind") != std::string_view::npos ||
         text.find("partitions") != std::string_view::npos || may_be_operations(text);
}

auto means_manifests(std::string_view text, std::string_view file) -> bool {
  if (has_key(text, "apiVersion") && has_key(text, "kind")) return true;
  return base_name(file) == "queues.yaml" && has_key(text, "partitions");
}

auto line_starts_of(std::string_view text) -> std::vector<std::size_t> {
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts.push_back(at + 1);
  }
  return starts;
}

}  // namespace previct::lint
