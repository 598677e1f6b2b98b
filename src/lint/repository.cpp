#include "lint/repository.h"

#include "api/upstream.h"
#include "base/go.h"
#include "input/bytes.h"
#include "input/collection.h"
#include "input/documents.h"
#include "input/json_source.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace previct::lint {
namespace {

namespace fs = std::filesystem;

auto line_starts_of(std::string_view text) -> std::vector<std::size_t> {
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts.push_back(at + 1);
  }
  return starts;
}

/// The group of a kind that stands without apiVersion, as in KEP-205's samples: there is one kind of that name only.
auto group_of(std::string_view kind) -> std::string_view {
  for (const std::string_view known : {kind::kPriorityClass, kind::kBudget, kind::kScheduler}) {
    if (known.starts_with(kind) && known.substr(kind.size()).starts_with(".")) return known.substr(kind.size() + 1);
  }
  return {};
}

/// What a manifest says it is.
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

class Sink final : public ObjectSink {
 public:
  Sink(const SourceText& source, std::deque<Manifest>& manifests) : source_(source), manifests_(manifests) {}

  auto take(const FoundObject& found) -> Result<void> override {
    if (found.change == FoundObject::Change::deleted || found.tape[found.index].type != EventType::begin_map) return {};
    Manifest& manifest = manifests_.emplace_back();
    manifest.source = &source_;
    manifest.tape.add(found.tape, found.index);
    std::string kind(manifest["kind"].text());
    std::string api_version(manifest["apiVersion"].text());
    if (kind.empty() && found.list != nullptr && found.list->kind.size() > 4) {
      kind = found.list->kind.substr(0, found.list->kind.size() - 4);  // a typed list: its items have no kind
      if (api_version.empty()) api_version = found.list->api_version;
    }
    if (kind.empty() && manifest["partitions"].is_list()) kind = kind::kYunikornQueues;
    if (kind.empty()) {
      manifests_.pop_back();  // not ours: the values of a chart, say
    } else {
      name(manifest, api_version, kind);
    }
    return {};
  }
  void take_list(const EnclosingList& /*list*/) override {}

 private:
  const SourceText& source_;
  std::deque<Manifest>& manifests_;
};

/// YuniKorn reads its queues with another library, to which `off` is a word. They have no kind.
auto scalars_of(std::string_view text) -> ScalarText {
  const bool queues =
      text.find("partitions:") != std::string_view::npos && text.find("kind:") == std::string_view::npos;
  return queues ? ScalarText::written : ScalarText::resolved;
}

auto parse(const SourceText& source, std::string_view text, FileId file, std::deque<Manifest>& manifests)
    -> Result<void> {
  const auto events = looks_like_json(text) ? json_source(text, file) : yaml_source(text, file, scalars_of(text));
  Sink sink(source, manifests);
  PREVICT_TRY([[maybe_unused]] const std::size_t count, read_documents(*events, file, sink));
  return {};
}

/// Nothing that could interest us is in a text without these words: a workflow, the values of a chart.
auto may_hold_manifests(std::string_view text) -> bool {
  return text.find("kind") != std::string_view::npos || text.find("partitions") != std::string_view::npos;
}

auto files_below(const std::string& path, FileId file) -> Result<std::vector<std::string>> {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with(".")) {
      if (it->is_directory(ignored)) it.disable_recursion_pending();
    } else if (it->is_regular_file(ignored) && !it->is_symlink(ignored) && has_dump_name(it->path().string())) {
      files.push_back(it->path().string());
    }
  }
  if (error) return fail(fmt::format("cannot read the directory: {}", error.message()), {file});
  std::sort(files.begin(), files.end());
  return files;
}

/// How findings name a path: as people type it, from `folder`.
auto shown(const std::string& path, const std::string& folder) -> std::string {
  if (path == "-") return "<stdin>";
  const fs::path normal = fs::path(path).lexically_normal();
  if (!normal.is_absolute() || folder.empty()) return normal.generic_string();
  const fs::path relative = normal.lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." ? normal.generic_string() : relative.generic_string();
}

/// A literal block scalar holds its lines as they are, so that places within it are places of the source.
void align(Manifest& inner, const Value& held_by, std::string_view text) {
  const Manifest& outer = held_by.manifest();
  const SourceText& source = *outer.source;
  inner.held_by = held_by;
  inner.exact = false;
  const Tape::Entry& entry = outer.tape[held_by.index()];
  const std::size_t at = source.offset(entry.line, entry.column);
  if (!outer.exact || at == std::string::npos || source.text.compare(at, 1, "|") != 0) return;
  const std::vector<std::size_t> starts = line_starts_of(text);
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    std::string_view line = text.substr(starts[i], text.find('\n', starts[i]) - starts[i]);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::string_view there = source.line(entry.line + 1 + i);
    if (!there.ends_with(line)) return;
    inner.exact = true;
    inner.lines_before = entry.line;
    inner.columns_before = static_cast<std::uint32_t>(there.size() - line.size());
    return;
  }
}

}  // namespace

auto PodShape::scheduler() const -> std::string_view {
  const std::string_view name = spec["schedulerName"].text();
  return name.empty() ? "default-scheduler" : name;
}

auto Repository::read(const std::vector<std::string>& paths, const ReadOptions& options, Files& files,
                      Diagnostics& diagnostics) -> Result<void> {
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      if (seen.insert(path).second) PREVICT_CHECK(input(path, false, options, files, diagnostics));
      continue;
    }
    PREVICT_TRY(const std::vector<std::string> found, files_below(path, files.add(path)));
    for (const std::string& file : found) {
      if (seen.insert(file).second) PREVICT_CHECK(input(file, true, options, files, diagnostics));
    }
  }
  return {};
}

auto Repository::input(const std::string& path, bool found, const ReadOptions& options, Files& files,
                       Diagnostics& diagnostics) -> Result<void> {
  const std::string name = shown(path, options.folder);
  const FileId file = files.add(name);
  const auto failed = [&](const Failure& failure) -> Result<void> {
    if (!options.keep_going) return tl::unexpected(failure);
    diagnostics.warn("input-skipped", fmt::format("left out: {}", failure.message), failure.place);
    return {};
  };
  auto opened = open_input(path, file, {.bytes = options.max_input});
  if (!opened) return failed(opened.error());
  const bool chosen = !found && !opened->is_archive();  // by the user, so that it has to hold something
  for (;;) {
    auto next = opened->next();
    if (!next) return failed(next.error());
    if (!*next) return {};
    Member& member = **next;
    if (!chosen && !may_hold_manifests(member.text)) continue;
    if (chosen) {
      if (auto failure = not_a_dump(member.text, file)) return failed(*failure);
    }
    if (member.damage) {
      PREVICT_CHECK(failed(*member.damage));
      continue;
    }
    const bool templated = !chosen && member.text.find("{{") != std::string::npos;
    const std::string of = member.name.empty() ? name : fmt::format("{}!{}", name, member.name);
    const FileId id = member.name.empty() ? file : files.add(of);
    const auto done = read_text(of, std::move(member.text), id, diagnostics);
    if (done) continue;
    if (!templated) {
      PREVICT_CHECK(failed(done.error()));
      continue;
    }
    diagnostics.warn("template-skipped",
                     "left out: a template; lint what it renders (helm template … | previct lint -)", {id});
  }
}

auto Repository::read_text(std::string name, std::string text, FileId file, Diagnostics& diagnostics) -> Result<void> {
  SourceText& source = texts_.emplace_back();
  source.name = std::move(name);
  source.text = std::move(text);
  source.json = looks_like_json(source.text);
  source.line_starts = line_starts_of(source.text);
  const std::size_t first = manifests_.size();
  const auto done = parse(source, source.text, file, manifests_);
  if (!done) {
    manifests_.resize(first);
    texts_.pop_back();
    return done;
  }
  const std::size_t end = manifests_.size();
  if (end > first) ++files_read;
  for (std::size_t i = first; i < end; ++i) {
    if (manifests_[i].kind == "ConfigMap" && manifests_[i].group.empty()) unwrap(manifests_[i], file, diagnostics);
  }
  return {};
}

// Configuration files that people keep in ConfigMaps.
void Repository::unwrap(const Manifest& config_map, FileId file, Diagnostics& diagnostics) {
  for (const Value& value : config_map["data"]) {
    const std::string_view text = value.text();
    const bool scheduler = text.find("KubeSchedulerConfiguration") != std::string_view::npos;
    const bool queues = value.key() == "queues.yaml" && text.find("partitions") != std::string_view::npos;
    if (!scheduler && !queues) continue;
    const std::size_t first = manifests_.size();
    if (const auto done = parse(*config_map.source, text, file, manifests_); !done) {
      manifests_.resize(first);
      const Tape::Entry& entry = config_map.tape[value.index()];
      diagnostics.warn(
          "configuration-skipped",
          fmt::format("left out: {} of {} is broken: {}", value.key(), config_map.identity(), done.error().message),
          {file, entry.line, entry.column});
      continue;
    }
    for (std::size_t i = first; i < manifests_.size(); ++i) {
      manifests_[i].wrapper = &config_map;
      align(manifests_[i], value, text);
    }
  }
}

void Repository::finish() {
  for (const Manifest& manifest : manifests_) {
    const std::string kind =
        manifest.group.empty() ? manifest.kind : fmt::format("{}.{}", manifest.kind, manifest.group);
    by_kind_[kind].push_back(&manifest);
    add_pods_of(manifest);
    if (kind == kind::kPriorityClass) add_class(manifest);
  }
  for (const upstream::SystemClass& each : {upstream::kClusterCritical, upstream::kNodeCritical}) {
    if (find_class(each.name) == nullptr) classes_.push_back({.name = std::string(each.name), .value = each.value});
  }
}

void Repository::add_pods_of(const Manifest& manifest) {
  const bool owned = static_cast<bool>(manifest.in("metadata.ownerReferences"));
  if (manifest.kind == "Pod" && manifest.group.empty()) {
    const Value spec = manifest["spec"];
    const std::string_view phase = manifest.in("status.phase").text();
    const bool finished = phase == "Succeeded" || phase == "Failed";
    const bool bound = spec["nodeName"] && !finished;
    running_ = running_ || bound;
    pods_.push_back({&manifest, manifest["metadata"], spec, true, owned, bound, finished});
    return;
  }
  const Tape& tape = manifest.tape;
  for (std::uint32_t i = 0; i + 1 < tape.size(); ++i) {
    if (tape[i].type != EventType::scalar || tape[i + 1].type != EventType::begin_map ||
        tape.text(tape[i]) != "template")
      continue;
    const Value at(manifest, i + 1, i);
    if (at["spec"]["containers"].is_list()) {
      pods_.push_back({&manifest, at["metadata"], at["spec"], false, owned, false, false});
    }
  }
}

void Repository::add_class(const Manifest& manifest) {
  PriorityClassShape shape{.manifest = &manifest, .name = manifest.name};
  const Value value = manifest["value"];
  shape.value = value ? go::parse_int(value.is_string() ? "" : value.text(), 32) : std::int64_t{0};
  shape.global_default = manifest["globalDefault"].is("true");
  shape.never_preempts = manifest["preemptionPolicy"].is("Never");
  classes_.push_back(std::move(shape));
}

auto Repository::of(std::string_view kind) const -> const std::vector<const Manifest*>& {
  static const std::vector<const Manifest*> kNone;
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? kNone : found->second;
}

auto Repository::find_class(std::string_view name) const -> const PriorityClassShape* {
  const auto found =
      std::find_if(classes_.begin(), classes_.end(), [&](const PriorityClassShape& c) { return c.name == name; });
  return found == classes_.end() ? nullptr : &*found;
}

auto Repository::default_class() const -> const PriorityClassShape* {
  const PriorityClassShape* lowest = nullptr;
  for (const PriorityClassShape& each : classes_) {
    if (each.global_default && each.value && (lowest == nullptr || *each.value < *lowest->value)) lowest = &each;
  }
  return lowest;
}

auto Repository::class_above(std::int64_t priority) const -> const PriorityClassShape* {
  const auto found = std::find_if(classes_.begin(), classes_.end(), [&](const PriorityClassShape& each) {
    return each.manifest != nullptr && !each.never_preempts && each.value && *each.value > priority;
  });
  return found == classes_.end() ? nullptr : &*found;
}

auto Repository::priority_of(const PodShape& pod) const -> std::optional<std::int64_t> {
  if (pod.is_pod && (pod.bound || pod.manifest->stored)) {
    if (const Value priority = pod.spec["priority"]) return go::parse_int(priority.text(), 32);
  }
  if (const std::string_view name = pod.class_name(); !name.empty()) {
    const PriorityClassShape* of = find_class(name);
    return of == nullptr ? std::nullopt : of->value;
  }
  const PriorityClassShape* of = default_class();
  return of == nullptr ? std::int64_t{0} : *of->value;
}

}  // namespace previct::lint
