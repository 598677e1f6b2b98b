#include "api/configurations.h"

#include "api/kind_info.h"
#include "api/kueue_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
namespace {

auto kind_of(const Tape& tape, std::uint32_t object) -> std::string_view {
  return tape.string(tape.find(object, "kind"));
}

constexpr std::array kConfigurationKinds = {
    ConfigurationKind{&Configurations::scheduler_config, kinds::scheduler_configurations.name, "scheduler-config",
                      [](const Tape& tape, std::uint32_t object) {
                        return kind_of(tape, object) == kinds::scheduler_configurations.name;
                      }},
    ConfigurationKind{&Configurations::yunikorn_config, "YuniKorn queue configuration", "yunikorn-config",
                      [](const Tape& tape, std::uint32_t object) {
                        const std::uint32_t partitions = tape.find(object, "partitions");
                        return kind_of(tape, object).empty() && partitions < tape.size() &&
                               tape[partitions].type == EventType::begin_list;
                      }},
    ConfigurationKind{&Configurations::kueue_config, "Kueue configuration", "kueue-config",
                      [](const Tape& tape, std::uint32_t object) {
                        return kind_of(tape, object) == "Configuration" &&
                               tape.string(tape.find(object, "apiVersion")).starts_with(kueue::kConfigGroup);
                      }},
    ConfigurationKind{&Configurations::assumptions, "Assumptions", "assume",
                      [](const Tape& tape, std::uint32_t object) { return kind_of(tape, object) == "Assumptions"; }},
};
constexpr std::size_t kNone = kConfigurationKinds.size();

auto place_among_kinds(const FoundObject& found) -> std::size_t {
  if (found.list != nullptr || found.tape[found.index].type != EventType::begin_map) return kNone;
  const auto* const kind =
      std::find_if(kConfigurationKinds.begin(), kConfigurationKinds.end(),
                   [&](const ConfigurationKind& each) { return each.recognizes(found.tape, found.index); });
  return static_cast<std::size_t>(kind - kConfigurationKinds.begin());
}

// The document of a text that holds `line`.
auto document_at(std::string_view text, std::uint32_t line) -> std::string {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line && at != std::string_view::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  if (at == std::string_view::npos) return std::string(text);
  std::size_t end = at;
  // The next document begins with a `---` mark, or as the next of JSON lines.
  const auto begins = [&](std::size_t line_start) {
    return text.substr(line_start).starts_with("---") || text.substr(line_start).starts_with("{");
  };
  while (end < text.size() && (end == at || !begins(end))) {
    const std::size_t next = text.find('\n', end);
    end = next == std::string_view::npos ? text.size() : next + 1;
  }
  return std::string(line - 1, '\n') + std::string(text.substr(at, end - at));
}

}  // namespace

auto configuration_kinds() -> std::span<const ConfigurationKind> {
  return kConfigurationKinds;
}

auto is_configuration(const FoundObject& found) -> bool {
  return place_among_kinds(found) != kNone;
}

void Configurations::replace_by(const Configurations& later) {
  for (const ConfigurationKind& kind : kConfigurationKinds) {
    if (later.*kind.member) this->*kind.member = later.*kind.member;
  }
}

auto Configurations::empty() const -> bool {
  return std::none_of(kConfigurationKinds.begin(), kConfigurationKinds.end(),
                      [&](const ConfigurationKind& kind) { return this->*kind.member; });
}

auto ConfigurationFinder::take(const FoundObject& found, FileId file) -> Found {
  const std::size_t kind = place_among_kinds(found);
  if (kind == kNone) return Found::no;
  const Tape::Entry& start = found.tape[found.index];
  found_[kind].push_back({file, start.line, start.column});
  return found_[kind].size() == 1 ? Found::yes : Found::again;
}

void ConfigurationFinder::forget(FileId file) {
  for (auto& places : found_) std::erase_if(places, [&](const Place& place) { return place.file == file; });
}

auto ConfigurationFinder::read(const Sources& sources) const -> Result<Configurations> {
  Configurations result;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].size() != 1) continue;
    const Place& place = found_[i].front();
    const auto text = sources.text(place.file);
    if (!text) {
      return fail(fmt::format("the configuration in this input could not be read again: {}", text.error().message),
                  place, fmt::format("pass it as a separate file with --{}", kConfigurationKinds[i].flag));
    }
    result.*kConfigurationKinds[i].member = ConfigFile{place.file, document_at(*text, place.line)};
  }
  return result;
}

}  // namespace previct
