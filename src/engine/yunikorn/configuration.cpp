#include "engine/yunikorn/configuration.h"

#include "base/contains.h"
#include "base/go.h"
#include "base/instant.h"
#include "base/text.h"
#include "engine/assumptions.h"
#include "engine/yunikorn/odd_properties.h"
#include "input/tape.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace previct::yunikorn {
namespace {

/// The settings of both ConfigMaps by key; yunikorn-configs overrides yunikorn-defaults.
using Settings = std::map<std::string_view, const EmbeddedText*, std::less<>>;

auto settings_in(const Snapshot& cluster, std::string_view ns) -> Settings {
  Settings result;
  for (const std::string_view name : kYunikornConfigMaps) {
    for (const ConfigMap& map : cluster.objects().config_maps) {
      if (cluster.text(map.meta.name) != name || cluster.text(map.meta.ns) != ns) continue;
      for (const auto& [key, value] : map.data) result[cluster.text(key)] = &value;
      break;
    }
  }
  return result;
}

enum class Form { boolean, duration, int32, int64 };

struct TypedSetting {
  std::string_view key;
  Form form;
};

constexpr std::array<TypedSetting, 12> kTyped = {{
    {"service.schedulingInterval", Form::duration},
    {"service.volumeBindTimeout", Form::duration},
    {"service.eventChannelCapacity", Form::int32},
    {"service.dispatchTimeout", Form::duration},
    {"service.disableGangScheduling", Form::boolean},
    {"service.enableConfigHotRefresh", Form::boolean},
    {"service.placeholderRunAsUser", Form::int64},
    {"service.placeholderRunAsGroup", Form::int64},
    {"service.placeholderFsGroup", Form::int64},
    {"kubernetes.qps", Form::int32},
    {"kubernetes.burst", Form::int32},
    {"admissionController.filtering.generateUniqueAppId", Form::boolean},
}};

/// Returns the expected form of a value as text; empty if the value has that form.
auto wrong_form(std::string_view text, Form form) -> std::string_view {
  switch (form) {
    case Form::boolean: return go::parse_bool(text) ? "" : "true or false";
    case Form::duration: return parse_go_duration(text) ? "" : "a duration such as 10s";
    case Form::int32: return go::parse_int(text, 32) ? "" : "a 32-bit integer";
    case Form::int64: return go::parse_int(text, 64) ? "" : "an integer";
  }
  return "";
}

/// A single unreadable value prevents the scheduler from starting.
/// Source: apache/yunikorn-k8shim 1.9 pkg/conf/schedulerconf.go parseConfig; pkg/cmd/shim/main.go.
auto check_settings(const Settings& settings) -> Result<void> {
  for (const auto& [key, form] : kTyped) {
    const auto found = settings.find(key);
    if (found == settings.end()) continue;
    const std::string_view want = wrong_form(found->second->text, form);
    if (want.empty()) continue;
    return fail(fmt::format("{}: \"{}\" is not {}", key, found->second->text, want), found->second->place,
                "YuniKorn does not start with it, and a running YuniKorn keeps its previous settings");
  }
  return {};
}

auto is_on(const Settings& settings, std::string_view key) -> bool {
  const auto found = settings.find(key);
  return found != settings.end() && go::parse_bool(found->second->text).value_or(false);
}

/// The file of queues; null or empty if it does not exist, even if there are other files.
struct QueueFile {
  std::string name;
  const EmbeddedText* text = nullptr;
};

auto queue_file(const Settings& settings) -> QueueFile {
  const auto group = settings.find("service.policyGroup");
  QueueFile file{(group == settings.end() ? "queues" : group->second->text) + ".yaml"};
  const auto found = settings.find(file.name);
  if (found != settings.end()) file.text = found->second;
  return file;
}

/// The ConfigMaps that the scheduler reads, and what is not known about them.
struct ReadMaps {
  Settings settings;
  std::vector<Gap> gaps;
};

/// `queues_given`: the queues come from elsewhere, so that only the other settings matter.
auto read_maps(const Snapshot& cluster, bool queues_given) -> ReadMaps {
  std::set<std::string_view> held;
  for (const ConfigMap& map : cluster.objects().config_maps) {
    if (contains(kYunikornConfigMaps, cluster.text(map.meta.name))) held.insert(cluster.text(map.meta.ns));
  }
  if (held.empty()) return {};
  const std::set<std::string_view> runs_in = scheduler_namespaces(cluster);
  std::set<std::string_view> possible;
  std::set_intersection(held.begin(), held.end(), runs_in.begin(), runs_in.end(),
                        std::inserter(possible, possible.end()));
  if (possible.empty() && runs_in.size() == 1) {
    if (queues_given) return {};
    const std::vector<std::string> names(held.begin(), held.end());
    const std::string others = fmt::format("namespace{} {}", names.size() == 1 ? "" : "s", joined(names, " and "));
    return {{}, {{GapRule::yunikorn_config_maps_elsewhere, {std::string(*runs_in.begin()), others}, true}}};
  }
  if (possible.empty()) possible = held;
  ReadMaps read{settings_in(cluster, *possible.begin()), {}};
  const auto text = [&](const Settings& settings) {
    std::map<std::string_view, std::string_view> values;
    for (const auto& [key, value] : settings) values[key] = value->text;
    if (queues_given) values.erase(queue_file(settings).name);
    return values;
  };
  for (const std::string_view other : possible) {
    if (text(settings_in(cluster, other)) == text(read.settings)) continue;
    read.gaps = {{GapRule::yunikorn_config_maps_differ, {std::string(*possible.begin()), std::string(other)}, true}};
    break;
  }
  return read;
}

/// Returns the given line (counted from 1) of a text, without its end; empty if there is none.
auto line_of(std::string_view text, std::uint32_t number) -> std::string_view {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// Converts `place`, which is relative to an embedded text, to a place in the user's file. A text that is not a literal
/// block is a single value there, so only the place of that value is known.
auto place_in_file(const Sources& sources, const EmbeddedText& embedded, Place place) -> Place {
  const auto file = sources.text(embedded.place.file);
  if (!file || place.line == 0) return embedded.place;
  const std::string_view head = line_of(*file, embedded.place.line);
  if (embedded.place.column == 0 || embedded.place.column > head.size()) return embedded.place;
  if (head[embedded.place.column - 1] != '|') return embedded.place;
  for (std::uint32_t below = 1;; ++below) {
    const std::string_view line = line_of(*file, embedded.place.line + below);
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent != std::string_view::npos) {
      return {embedded.place.file, embedded.place.line + place.line, place.column + static_cast<std::uint32_t>(indent)};
    }
    if (line.empty() && below > place.line) return embedded.place;
  }
}

/// Applies the ConfigMaps' settings of the design document; an assumptions file takes precedence.
auto set_design(const Settings& settings, DesignSettings& design) -> Result<void> {
  for (const auto& [key, value] : settings) {
    if (design.origins.contains(key)) continue;
    PREVICT_CHECK(yunikorn::set_design(key, value->text, "the ConfigMap", value->place, design));
  }
  return {};
}

}  // namespace

auto read_queues(std::string_view text, FileId file) -> Result<Config> {
  const auto source = yaml_source(text, file, ScalarText::written);
  PREVICT_TRY(const Event first, source->next());
  if (first.type == EventType::end_document || first.type == EventType::end_stream) {
    if (text.empty()) return built_in_config();
    Config nothing;  // a file with only comments and blank lines is an empty configuration
    stand_in_for_default(nothing);
    return nothing;
  }
  Tape tape;
  PREVICT_CHECK(record(*source, first, tape));
  PREVICT_TRY(Config config, read_config(tape, 0, file));
  PREVICT_CHECK(check(config));
  stand_in_for_default(config);
  return config;
}

auto read_setup(const Snapshot& cluster, const Question& question) -> Result<Setup> {
  Setup setup;
  PREVICT_TRY(setup.running, running_release(cluster, question.yunikorn_version));
  setup.core.release = setup.running.release;
  ReadMaps maps = read_maps(cluster, question.yunikorn_config.has_value());
  const Settings& settings = maps.settings;
  setup.gaps = std::move(maps.gaps);
  PREVICT_CHECK(check_settings(settings));
  setup.core.unique_app_ids = is_on(settings, "admissionController.filtering.generateUniqueAppId");
  setup.core.gangs_off = is_on(settings, "service.disableGangScheduling");
  const QueueFile file = queue_file(settings);
  if (question.yunikorn_config) {
    setup.origin = Setup::Origin::file;
    PREVICT_TRY(setup.config, read_queues(question.yunikorn_config->bytes, question.yunikorn_config->file));
  } else if (file.text != nullptr && !file.text->text.empty()) {
    setup.origin = Setup::Origin::config_map;
    auto config = read_queues(file.text->text, file.text->place.file);
    if (!config) {
      Failure failure = std::move(config).error();
      failure.message = file.name + ": " + failure.message;
      failure.place = place_in_file(cluster.objects().sources, *file.text, failure.place);
      return tl::unexpected(std::move(failure));
    }
    setup.config = *std::move(config);
  } else {
    setup.config = built_in_config();
  }
  if (question.assumptions) {
    PREVICT_CHECK(read_assumptions(*question.assumptions, "yunikorn", setup.assumptions));
  }
  if (question.yunikorn_mode != "release") PREVICT_CHECK(set_design(settings, setup.assumptions.design));
  for (const auto& [key, value] : question.settings) {
    PREVICT_CHECK(yunikorn::set_design(key, value, "--vary", {}, setup.assumptions.design));
  }
  return setup;
}

void warn_of_properties(const Snapshot& cluster, const Question& question) {
  const auto warn = [&](const Result<Config>& config, const auto& place_of) {
    const PartitionConfig* const partition = config ? config->default_partition() : nullptr;
    if (partition == nullptr) return;
    if (partition->absent) {
      cluster.diagnostics().warn("no-default-partition",
                                 "no partition is named default: YuniKorn starts with this configuration, but accepts "
                                 "no node and no application",
                                 place_of(partition->place));
    }
    for (OddProperty& odd : odd_properties(*partition)) {
      cluster.diagnostics().warn("odd-property", std::move(odd.words), place_of(odd.place));
    }
  };
  if (question.yunikorn_config) {
    const auto& file = *question.yunikorn_config;
    return warn(read_queues(file.bytes, file.file), [](Place place) { return place; });
  }
  const QueueFile file = queue_file(read_maps(cluster, false).settings);
  if (file.text == nullptr || file.text->text.empty()) return;
  warn(read_queues(file.text->text, file.text->place.file),
       [&](Place place) { return place_in_file(cluster.objects().sources, *file.text, place); });
}

}  // namespace previct::yunikorn
