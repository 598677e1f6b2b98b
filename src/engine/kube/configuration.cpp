#include "engine/kube/configuration.h"

#include "api/decode.h"
#include "api/kind_info.h"
#include "api/upstream.h"
#include "base/text.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace previct::kube {
// NOLINTBEGIN(misc-no-recursion): the reader limits the depth (kMaxDepth)
namespace {

constexpr std::string_view kKind = kinds::scheduler_configurations.name;
constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";

/// A version of the configuration, the first minor release that reads it and the first that no longer does; 0: all do.
/// v1beta3 means the same as v1; earlier versions had other defaults.
/// Source: pkg/scheduler/apis/config/scheme, v1.12 to v1.36.
struct ConfigVersion {
  std::string_view name;
  int since = 0;
  int gone = 0;
};
constexpr std::array kVersions = {ConfigVersion{"v1", 25, 0},        ConfigVersion{"v1beta3", 23, 29},
                                  ConfigVersion{"v1beta2", 22, 28},  ConfigVersion{"v1beta1", 19, 23},
                                  ConfigVersion{"v1alpha2", 18, 19}, ConfigVersion{"v1alpha1", 12, 19}};

auto text_of(const Tape& tape, std::uint32_t map, std::string_view key) -> std::string_view {
  return tape.string(tape.find(map, key));
}

/// Finds the configurations in a text, and what else it contains.
class Finder {
 public:
  explicit Finder(FileId file) : file_(file), first_{file, 0, 0} {}

  [[nodiscard]] auto search(std::string_view text, std::uint32_t line_offset) -> Result<void> {
    const auto source = yaml_source(text, file_);
    while (true) {
      const Result<Event> event = source->next();
      if (!event) return broken(event.error(), line_offset);
      if (event->type == EventType::end_stream) return {};
      if (event->type == EventType::end_document) continue;
      Tape tape;
      if (const Result<void> recorded = record(*source, *event, tape); !recorded)
        return broken(recorded.error(), line_offset);
      if (event->type == EventType::scalar && event->scalar == ScalarType::null) continue;
      ++documents_;
      PREVICT_CHECK(look_at(tape, 0, line_offset));
    }
  }

  [[nodiscard]] auto found() -> Result<ReadConfiguration> {
    if (found_.size() == 1) return std::move(found_.front());
    if (found_.size() > 1) {
      return fail(
          fmt::format("two documents are a {}: this one and the one at line {}", kKind, found_[0].place(0).line),
          found_[1].place(0), "give the scheduler's own alone");
    }
    if (documents_ > 1) return fail(fmt::format("none of the {} documents is a {}", documents_, kKind), first_);
    if (config_map_) return fail(fmt::format("this ConfigMap has no {}", kKind), first_);
    if (documents_ == 0) return fail(fmt::format("empty: no {} in it", kKind), first_);
    if (!is_object_) return fail(fmt::format("expected a {}", kKind), first_);
    return fail(fmt::format("expected kind {}, found \"{}\"", kKind, kind_), first_);
  }

 private:
  // The scheduler reads one document only, so errors after a configuration do not matter.
  [[nodiscard]] auto broken(Failure failure, std::uint32_t line_offset) const -> Result<void> {
    if (!found_.empty()) return {};
    if (failure.place.line > 0) failure.place.line += line_offset;
    return tl::unexpected(std::move(failure));
  }

  auto look_at(const Tape& tape, std::uint32_t index, std::uint32_t line_offset) -> Result<void> {
    if (first_.line == 0) first_ = {file_, tape[index].line + line_offset, tape[index].column};
    if (tape[index].type != EventType::begin_map) return {};
    is_object_ = true;
    const std::string_view kind = text_of(tape, index, "kind");
    if (kind_.empty()) kind_ = kind;
    if (kind == kKind) {
      ReadConfiguration& configuration = found_.emplace_back();
      configuration.file = file_;
      configuration.line_offset = line_offset;
      configuration.tape.add(tape, index);
      return {};
    }
    if (kind == "ConfigMap" && line_offset == 0) return look_into_config_map(tape, index);
    return kind.ends_with("List") ? look_into_list(tape, index, line_offset) : Result<void>();
  }

  auto look_into_list(const Tape& tape, std::uint32_t index, std::uint32_t line_offset) -> Result<void> {
    const std::uint32_t items = tape.find(index, "items");
    if (items >= tape.size() || tape[items].type != EventType::begin_list) return {};
    for (std::uint32_t item = items + 1; item < tape[items].next; item = tape[item].next) {
      PREVICT_CHECK(look_at(tape, item, line_offset));
    }
    return {};
  }

  // Reads only keys whose text mentions the kind: other keys may hold a policy or a kubeconfig.
  auto look_into_config_map(const Tape& tape, std::uint32_t index) -> Result<void> {
    config_map_ = true;
    const std::uint32_t data = tape.find(index, "data");
    if (data >= tape.size() || tape[data].type != EventType::begin_map) return {};
    for (std::uint32_t key = data + 1; key < tape[data].next; key = tape[key + 1].next) {
      const std::string text(tape.text(tape[key + 1]));
      if (text.find(kKind) == std::string::npos) continue;
      const std::size_t documents = documents_;
      PREVICT_CHECK(search(text, tape[key + 1].line));
      documents_ = documents;
    }
    return {};
  }

  FileId file_;
  std::vector<ReadConfiguration> found_;
  std::size_t documents_ = 0;
  Place first_;  // of the first document
  std::string kind_;
  bool is_object_ = false;
  bool config_map_ = false;
};

// Upstream's strict decoding refuses a duplicate key at any level.
auto check_keys(const ReadConfiguration& c) -> Result<void> {
  for (std::uint32_t map = 0; map < c.tape.size(); ++map) {
    if (c.tape[map].type != EventType::begin_map) continue;
    std::set<std::string_view> seen;
    for (std::uint32_t key = map + 1; key < c.tape[map].next; key = c.tape[key + 1].next) {
      if (seen.insert(c.tape.text(c.tape[key])).second) continue;
      return fail(fmt::format("key \"{}\" already set in map", c.tape.text(c.tape[key])), c.place(key));
    }
  }
  return {};
}

auto check_version(const ReadConfiguration& c) -> Result<void> {
  const std::string_view version = text_of(c.tape, 0, "apiVersion");
  const std::string_view name = version.starts_with(kGroup) ? version.substr(kGroup.size()) : std::string_view();
  const auto known =
      std::find_if(kVersions.begin(), kVersions.end(), [&](const ConfigVersion& v) { return v.name == name; });
  const int meant = c.release.meant();
  const bool read = known != kVersions.end() && (known->gone == 0 || meant < known->gone);
  if (read && known->name.starts_with("v1beta") && known->name != "v1beta3") {
    return fail(fmt::format("apiVersion \"{}\" is not modeled: its defaults are not those of v1", version),
                c.place(c.tape.find(0, "apiVersion")), fmt::format("use {}v1", kGroup));
  }
  if (read) return {};
  const std::string until =
      known == kVersions.end() ? "" : fmt::format("; releases before {} did", release_name(known->gone));
  return fail(
      fmt::format("apiVersion \"{}\" is not one that kube-scheduler {} reads{}", version, release_name(meant), until),
      c.place(c.tape.find(0, "apiVersion")), fmt::format("use {}v1", kGroup));
}

auto decode(ReadConfiguration& found, const Snapshot& cluster, Diagnostics& diagnostics) -> Result<void> {
  PREVICT_CHECK(check_version(found));
  PREVICT_CHECK(check_keys(found));
  Decoder decoder(found.tape, found.file, cluster.symbols(), diagnostics);
  decoder.strict();
  if (Result<void> decoded = decoder.decode(0, found.config); !decoded) {
    Failure failure = std::move(decoded).error();
    if (failure.place.line > 0) failure.place.line += found.line_offset;
    return tl::unexpected(std::move(failure));
  }
  return {};
}

}  // namespace

auto ReadConfiguration::place(std::uint32_t index) const -> Place {
  if (index >= tape.size()) index = 0;
  if (tape.size() == 0) return {file, 0, 0};
  return {file, tape[index].line + line_offset, tape[index].column};
}

auto ReadConfiguration::place_of(std::string_view path) const -> Place {
  std::uint32_t at = 0;
  while (!path.empty()) {
    const bool element = path.front() == '[';
    const std::size_t end = element ? path.find(']') : path.find_first_of(".[");
    const std::string_view step = path.substr(element ? 1 : 0, element ? end - 1 : end);
    path.remove_prefix(end == std::string_view::npos ? path.size() : element ? end + 1 : end);
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    std::uint32_t next = tape.size();
    if (element && at < tape.size() && tape[at].type == EventType::begin_list) {
      std::size_t count = 0;
      std::from_chars(step.data(), step.data() + step.size(), count);
      next = at + 1;
      while (count-- > 0 && next < tape[at].next) next = tape[next].next;
      if (next >= tape[at].next) next = tape.size();
    } else if (!element) {
      next = tape.find(at, step);
    }
    if (next >= tape.size()) break;
    at = next;
  }
  return place(at);
}

auto read_configuration(const Snapshot& cluster, const Release& release, const ConfigFile& file,
                        Diagnostics& diagnostics) -> Result<ReadConfiguration> {
  Finder finder(file.file);
  PREVICT_CHECK(finder.search(file.bytes, 0));
  PREVICT_TRY(ReadConfiguration found, finder.found());
  found.release = release;
  PREVICT_CHECK(decode(found, cluster, diagnostics));
  return found;
}

auto scheduler_names_in(const ConfigFile& file) -> std::vector<std::string> {
  Finder finder(file.file);
  if (!finder.search(file.bytes, 0)) return {};
  const Result<ReadConfiguration> found = finder.found();
  if (!found) return {};
  const Tape& tape = found->tape;
  std::vector<std::string> names;
  const std::uint32_t profiles = tape.find(0, "profiles");
  if (profiles < tape.size() && tape[profiles].type == EventType::begin_list) {
    for (std::uint32_t i = profiles + 1; i < tape[profiles].next; i = tape[i].next) {
      if (tape[i].type == EventType::begin_map) names.emplace_back(text_of(tape, i, "schedulerName"));
    }
  }
  if (names.empty()) names.emplace_back();
  for (std::string& name : names) {
    if (name.empty()) name = upstream::kDefaultScheduler;
  }
  return names;
}

auto decode_configuration(const Snapshot& cluster, const Release& release, const Tape& tape, FileId file,
                          Diagnostics& diagnostics) -> Result<ReadConfiguration> {
  ReadConfiguration found;
  found.file = file;
  found.release = release;
  found.tape.add(tape, 0);
  PREVICT_CHECK(decode(found, cluster, diagnostics));
  return found;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube
