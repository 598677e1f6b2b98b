#include "lint/tree.h"

#include "base/files_read.h"
#include "base/path.h"
#include "input/bytes.h"
#include "input/collection.h"
#include "input/directory_entry.h"
#include "input/documents.h"
#include "lint/kinds.h"
#include "lint/kustomization.h"
#include "lint/parse.h"
#include "lint/paths.h"
#include "lint/placeholder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by kDeepestText
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestText = 8;  // nesting of texts within texts

struct Walk {
  std::vector<std::string> files;
  std::set<std::string, std::less<>> charts;
  std::size_t left = 0;
};

/// Returns true for folders of third-party code, and of files that are wrong on purpose.
auto is_left_out(const std::string& folder) -> bool {
  return folder == "vendor" || folder == "node_modules" || folder == "testdata";
}

auto files_below(const std::string& path, FileId file) -> Result<Walk> {
  Walk walk;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const fs::file_type type = type_of(*it, error);
    if (error) break;
    const std::string name = it->path().filename().generic_string();
    const bool folder = type == fs::file_type::directory;
    if (name.starts_with(".") || (folder && is_left_out(name))) {
      if (folder) it.disable_recursion_pending();
      if (folder && !name.starts_with(".")) ++walk.left;
    } else if (name == "Chart.yaml") {
      note_read(it->path().generic_string());
      walk.charts.insert(it->path().parent_path().generic_string());
    } else if (type == fs::file_type::regular &&
               (has_dump_name(it->path().generic_string()) || name == "Kustomization")) {
      walk.files.push_back(it->path().generic_string());
    }
  }
  if (error) return fail(fmt::format("cannot read the directory: {}", reason_of(error)), {file});
  std::sort(walk.files.begin(), walk.files.end());
  return walk;
}

/// How findings name a path: relative to `folder`, as a user would type it.
auto shown(const std::string& path, const std::string& folder) -> std::string {
  if (path == "-") return "<stdin>";
  const fs::path normal = fs::path(path).lexically_normal();
  if (!normal.is_absolute() || folder.empty()) return normal.generic_string();
  const fs::path relative = normal.lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." ? normal.generic_string() : relative.generic_string();
}

auto is_configuration(const Manifest& manifest) -> bool {
  return manifest.kind == kind::kYunikornQueues || manifest.kind == "KubeSchedulerConfiguration" ||
         manifest.group == "kubescheduler.config.k8s.io";
}

/// Returns false for a script that writes a configuration, and for prose about one.
auto begins_like_mapping(std::string_view text) -> bool {
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    text.remove_prefix(begin);
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with("#!")) return false;
    if (!line.starts_with("#") && !line.starts_with("---")) {
      const std::size_t colon = line.find(':');
      return line.starts_with('{') || (colon != std::string_view::npos && line.find(' ') >= colon);
    }
    text.remove_prefix(line.size());
  }
}

/// Returns true if the text is not an object at all: other files of a folder may contain anything, even half a list.
auto is_other_text(const Failure& failure) -> bool {
  return failure.message.starts_with("expected a Kubernetes object") ||
         failure.message.starts_with("cut short: the List lacks");
}

}  // namespace

auto Tree::read(const std::vector<std::string>& paths, const ReadOptions& options, Files& files,
                Diagnostics& diagnostics) -> Result<void> {
  std::set<std::string> seen;  // a file may be given under several spellings, and through links
  const auto is_new = [&](const std::string& path) {
    std::error_code error;
    const fs::path file = path == "-" ? fs::path() : fs::canonical(path, error);
    return seen.insert(error || file.empty() ? path : file.generic_string()).second;
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      if (is_new(path)) PREVICT_CHECK(input({path, true}, options, files, diagnostics));
      continue;
    }
    PREVICT_TRY(const Walk walk, files_below(path, files.add(path)));
    folders_left += walk.left;
    for (const std::string& chart : walk.charts) charts_.insert(resolved("", shown(chart, options.folder)));
    for (const std::string& file : walk.files) {
      if (is_new(file)) PREVICT_CHECK(input({file, false}, options, files, diagnostics));
    }
  }
  return {};
}

auto Tree::input(const Source& from, const ReadOptions& options, Files& files, Diagnostics& diagnostics)
    -> Result<void> {
  const std::string name = shown(from.path, options.folder);
  const FileId file = files.add(name);
  if (options.instead != nullptr) {
    const auto text = options.instead->find(name);
    if (text != options.instead->end()) {
      read_text(name, text->second, from.chosen);
      return {};
    }
  }
  const auto unreadable = [&](const std::string& of, const Failure& failure) {
    SourceText& source = texts_.emplace_back();
    source.name = of;
    source.line_starts = {0};
    broken_.push_back({&source, 0, 0, failure.message});
  };
  auto opened = open_input(from.path, file, {.bytes = options.max_input});
  if (!opened && from.chosen && !options.keep_going) return tl::unexpected(opened.error());
  if (!opened) {
    diagnostics.warn("input-skipped", fmt::format("left out: {}", opened.error().message), opened.error().place);
    return {};
  }
  const bool chosen = from.chosen && !opened->is_archive();
  for (;;) {
    auto next = opened->next();
    if (!next) {
      unreadable(name, next.error());
      return {};
    }
    if (!*next) return {};
    Member& member = **next;
    const std::string of = member.name.empty() ? name : fmt::format("{}!{}", name, member.name);
    if (options.instead != nullptr && !member.damage) {
      if (const auto text = options.instead->find(of); text != options.instead->end()) member.text = text->second;
    }
    if (member.damage) {
      unreadable(of, *member.damage);
    } else if (chosen || may_hold_manifests(member.text, of)) {
      SourceText* const source = read_text(of, std::move(member.text), chosen);
      if (source == nullptr || !opened->can_be_read_again || member.stored == Member::Stored::converted) continue;
      source->path = from.path;
      source->marked = member.stored == Member::Stored::marked;
    } else {
      autoscaler_.look_into(member.text);
    }
  }
}

auto Tree::read_text(std::string name, std::string text, bool chosen) -> SourceText* {
  autoscaler_.look_into(text);
  SourceText& source = texts_.emplace_back();
  source.name = std::move(name);
  source.text = std::move(text);
  source.json = looks_like_json(source.text);
  source.ascii = std::all_of(source.text.begin(), source.text.end(), [](char c) { return (c & '\x80') == 0; });
  source.line_starts = line_starts_of(source.text);
  const std::size_t first = manifests_.size();
  std::optional<Failure> failure;
  if (chosen) failure = not_a_dump(source.text, FileId{0});
  if (!failure) {
    if (auto done = parse(source, source.text, source.name, manifests_); !done) failure = std::move(done).error();
  }
  const std::size_t end = manifests_.size();
  if (end > first) ++files_read;
  const bool filled_in = failure && failure->place.line > 0 &&
                         (line_holds_placeholder(source.line(failure->place.line)) ||
                          line_holds_placeholder(source.line(failure->place.line - 1)));
  if (failure && (is_template(source.text) || filled_in)) {
    // Only its rendered output can be checked.
    templates_.push_back(source.name);
  } else if (failure && (chosen || (means_manifests(source.text, source.name) && !is_other_text(*failure)))) {
    broken_.push_back({&source, failure->place.line, failure->place.column, failure->message});
    if (end == first) ++files_read;
  } else if (end == first) {
    texts_.pop_back();
    return nullptr;
  }
  for (std::size_t i = first; i < end; ++i) unwrap(manifests_[i]);
  return &source;
}

// Finds configurations in ConfigMaps, in the values of charts, and anywhere else: as text, or as maps.
void Tree::unwrap(const Manifest& holder, int depth) {
  if (holder.kind == kind::kYunikornQueues || holder.kind == "CustomResourceDefinition") return;
  const Tape& tape = holder.tape;
  for (std::uint32_t at = 1; at < tape.size(); ++at) {
    // A key is followed by its value; the type of the value decides which it is.
    const std::uint32_t key = tape[at - 1].type == EventType::scalar ? at - 1 : Value::kNone;
    if (tape[at].type == EventType::begin_map) {
      unwrap_map(holder, at);
    } else if (tape[at].type == EventType::scalar && tape[at].scalar == ScalarType::string) {
      unwrap_text(Value(holder, at, key), depth);
    }
  }
}

void Tree::unwrap_map(const Manifest& holder, std::uint32_t index) {
  const Value map(holder, index);
  const bool scheduler = map["kind"].is("KubeSchedulerConfiguration") && map["apiVersion"].is_string();
  if (!scheduler) return;
  Manifest& inner = manifests_.emplace_back();
  inner.source = holder.source;
  inner.tape.add(holder.tape, index);
  name_manifest(inner);
  inner.wrapper = &holder.object();
  inner.exact = holder.exact;
  inner.lines_before = holder.lines_before;
  inner.columns_before = holder.columns_before;
  inner.held_by = holder.held_by ? holder.held_by : holder.root();
}

void Tree::unwrap_text(const Value& value, int depth) {
  if (depth == kDeepestText) return;
  const std::string_view text = value.text();
  const bool scheduler = text.find("KubeSchedulerConfiguration") != std::string_view::npos ||
                         text.find("kubescheduler.config.k8s.io/") != std::string_view::npos;
  const bool queues = value.key() == "queues.yaml" || text.starts_with("partitions:") ||
                      text.find("\npartitions:") != std::string_view::npos;
  if (!(scheduler || queues) || !begins_like_mapping(text)) return;
  std::deque<Manifest> found;
  const auto done = parse_within(value, found);
  for (Manifest& each : found) {
    if (is_configuration(each)) {
      manifests_.push_back(std::move(each));
    } else {
      // Other texts are not checked themselves, but may contain a configuration, such as a patch of a machine's
      // configuration.
      unwrap(holders_.emplace_back(std::move(each)), depth + 1);
    }
  }
  if (!done && !is_other_text(done.error()) && !is_placeholder(text)) {
    broken_configurations_.push_back({value, done.error().message});
  }
}

auto Tree::renderables() const -> std::vector<Renderable> {
  std::vector<Renderable> result;
  const Kustomizations kustomizations(manifests_);
  for (const Kustomization& each : kustomizations.all()) {
    if (!each.is_taken_in && !each.is_component) result.push_back({Renderable::By::kustomize, each.folder});
  }
  for (const std::string& chart : charts_) {
    // Charts within a chart are rendered with it.
    const bool inner = std::any_of(charts_.begin(), charts_.end(),
                                   [&](const std::string& other) { return other != chart && is_below(chart, other); });
    if (!inner) result.push_back({Renderable::By::helm, chart});
  }
  return result;
}

void Tree::read_rendered(const Renderable& from, std::string text) {
  const std::string_view file = from.by == Renderable::By::helm ? "Chart.yaml" : "kustomization.yaml";
  const std::string name = fmt::format("{}{}{}!rendered", from.folder, from.folder.empty() ? "" : "/", file);
  read_text(name, std::move(text), false);
  rendered_of_[from.folder] = name;
  if (from.by != Renderable::By::helm) return;
  chart_of_[name] = from.folder;
  // These templates are not skipped: the rendered text is their output.
  std::erase_if(templates_, [&](const std::string& each) { return is_below(each, from.folder); });
}

auto Tree::chart_of(std::string_view text) const -> const std::string* {
  const auto found = chart_of_.find(text);
  return found == chart_of_.end() ? nullptr : &found->second;
}

auto Tree::rendered_of(std::string_view folder) const -> const std::string* {
  const auto found = rendered_of_.find(folder);
  return found == rendered_of_.end() ? nullptr : &found->second;
}

void Tree::finish(const std::vector<NamedScope>& named, bool together) {
  for (const Manifest& manifest : manifests_) {
    const bool known = !is_placeholder(manifest.name);
    names_[kind_of(manifest)].insert(known ? manifest.name : std::string());
  }
  if (together) {
    Scope& all = scopes_.emplace_back(Scope{.kind = Scope::Kind::input, .partial = !broken_.empty()});
    for (const Manifest& manifest : manifests_) all.manifests.push_back(&manifest);
  } else {
    scopes_ = scopes_of(*this, named, rendered_);
    broken_.insert(broken_.end(), rendered_.broken.begin(), rendered_.broken.end());
  }
}

auto Tree::has(std::string_view kind, std::string_view name) const -> bool {
  const auto of = names_.find(kind);
  if (of == names_.end()) return false;
  return of->second.find(name) != of->second.end() || of->second.find("") != of->second.end();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
