#include "engine/yunikorn/setup.h"

#include "input/tape.h"
#include "input/yaml_source.h"

namespace previct::yunikorn {
namespace {

/// The settings of both ConfigMaps, those of yunikorn-configs over those of yunikorn-defaults.
auto settings_of(const Snapshot& cluster) -> YunikornSettings {
  YunikornSettings result;
  for (const std::string_view name : {"yunikorn-defaults", "yunikorn-configs"}) {
    for (const ConfigMap& map : cluster.objects().config_maps) {
      if (cluster.text(map.meta.name) != name) continue;
      if (map.data.queues.place.line != 0) result.queues = map.data.queues;
      if (map.data.generate_unique_app_id) result.generate_unique_app_id = map.data.generate_unique_app_id;
      break;
    }
  }
  return result;
}

/// The line of a text, counted from 1, without its end; empty if there is none.
auto line_of(std::string_view text, std::uint32_t number) -> std::string_view {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// Where `place`, counted within an embedded text, stands in the user's file. A text that is no literal block
/// is one value there: its own place is all that can be said.
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

}  // namespace

auto read_queues(std::string_view text, FileId file) -> Result<Config> {
  const auto source = yaml_source(text, file, ScalarText::written);
  PREVICT_TRY(const Event first, source->next());
  if (first.type == EventType::end_document || first.type == EventType::end_stream) return built_in_config();
  Tape tape;
  PREVICT_CHECK(record(*source, first, tape));
  PREVICT_TRY(Config config, read_config(tape, 0, file));
  PREVICT_CHECK(check(config));
  return config;
}

auto read_setup(const Snapshot& cluster, const Question& question) -> Result<Setup> {
  Setup setup;
  const YunikornSettings settings = settings_of(cluster);
  setup.unique_app_ids = cluster.text(settings.generate_unique_app_id) == "true";
  if (question.yunikorn_config) {
    setup.origin = Setup::Origin::file;
    PREVICT_TRY(setup.config, read_queues(question.yunikorn_config->bytes, question.yunikorn_config->file));
  } else if (!settings.queues.text.empty()) {
    setup.origin = Setup::Origin::config_map;
    auto config = read_queues(settings.queues.text, settings.queues.place.file);
    if (!config) {
      Failure failure = std::move(config).error();
      failure.message = "queues.yaml: " + failure.message;
      failure.place = place_in_file(cluster.objects().sources, settings.queues, failure.place);
      return tl::unexpected(std::move(failure));
    }
    setup.config = *std::move(config);
  } else {
    setup.config = built_in_config();
  }
  if (question.assumptions) {
    PREVICT_TRY(setup.assumptions, read_assumptions(*question.assumptions));
  }
  return setup;
}

}  // namespace previct::yunikorn
