#include "api/configurations.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

constexpr std::array kMembers = {&Configurations::scheduler_config, &Configurations::yunikorn_config,
                                 &Configurations::assumptions, &Configurations::kueue_config};
constexpr std::size_t kNone = kMembers.size();

auto member_of(const FoundObject& found) -> std::size_t {
  const Tape& tape = found.tape;
  const std::uint32_t object = found.index;
  if (found.list != nullptr || tape[object].type != EventType::begin_map) return kNone;
  const std::string_view kind = tape.string(tape.find(object, "kind"));
  if (kind == "KubeSchedulerConfiguration") return 0;
  const std::uint32_t partitions = tape.find(object, "partitions");
  if (kind.empty() && partitions < tape.size() && tape[partitions].type == EventType::begin_list) return 1;
  if (kind == "Configuration" && tape.string(tape.find(object, "apiVersion")).starts_with("config.kueue.x-k8s.io/"))
    return 3;
  return kind == "Assumptions" ? 2 : kNone;
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

auto is_configuration(const FoundObject& found) -> bool {
  return member_of(found) != kNone;
}

void Configurations::replace_by(const Configurations& later) {
  for (const auto member : kMembers) {
    if (later.*member) this->*member = later.*member;
  }
}

auto ConfigurationFinder::take(const FoundObject& found, FileId file) -> Found {
  const std::size_t member = member_of(found);
  if (member == kNone) return Found::no;
  const Tape::Entry& start = found.tape[found.index];
  found_[member].push_back({file, start.line, start.column});
  return found_[member].size() == 1 ? Found::yes : Found::again;
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
                  place,
                  "pass it as a separate file with --scheduler-config, --yunikorn-config, --kueue-config or --assume");
    }
    result.*kMembers[i] = ConfigFile{place.file, document_at(*text, place.line)};
  }
  return result;
}

}  // namespace previct
