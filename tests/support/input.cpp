#include "support/input.h"

#include "api/store_sink.h"
#include "input/json_source.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace previct::test {
auto fixture(const std::string& name) -> std::string {
  std::ifstream file(std::string(PREVICT_SOURCE_DIR "/fixtures/") + name, std::ios::binary);
  // No assertion of Catch2, because the fuzz targets are linked without it.
  if (!file) throw std::runtime_error("fixtures/" + name + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

auto read_text(std::string_view text, Objects& objects) -> Result<std::size_t> {
  if (auto failure = not_a_dump(text, FileId{0})) return tl::unexpected(*failure);
  const auto source = looks_like_json(text) ? json_source(text, FileId{0}) : yaml_source(text, FileId{0});
  StoreSink sink(FileId{0}, objects);
  return read_documents(*source, FileId{0}, sink);
}

auto event_line(EventSource& source) -> std::string {
  std::string line;
  std::string containers;
  for (;;) {
    const auto event = source.next();
    if (!event) {
      const Failure& failure = event.error();
      return fmt::format("{}:{}: {}", failure.place.line, failure.place.column, failure.message);
    }
    if (!line.empty() && event->type != EventType::end_stream) line += ' ';
    switch (event->type) {
      case EventType::begin_map:
        containers += '}';
        line += '{';
        break;
      case EventType::begin_list:
        containers += ']';
        line += '[';
        break;
      case EventType::end:
        line += containers.back();
        containers.pop_back();
        break;
      case EventType::end_document: line += '.'; break;
      case EventType::end_stream: return line;
      case EventType::scalar:
        constexpr std::string_view kTypes = "nbifs";
        line += fmt::format("{}:{}", kTypes[static_cast<std::size_t>(event->scalar)], event->text);
        break;
    }
  }
}

auto yaml_events(std::string_view text) -> std::string {
  return event_line(*yaml_source(text, FileId{0}));
}
auto json_events(std::string_view text) -> std::string {
  return event_line(*json_source(text, FileId{0}));
}

namespace {

// A number out of range stays text instead of causing a parse error.
auto json_scalar(const Event& event) -> nlohmann::json {
  if (event.scalar == ScalarType::string) return std::string(event.text);
  auto value = nlohmann::json::parse(event.text, nullptr, false);
  return value.is_discarded() ? nlohmann::json(std::string(event.text)) : value;
}

auto json_value(EventSource& source, const Event& first) -> nlohmann::json {
  if (first.type == EventType::scalar) return json_scalar(first);
  const bool map = first.type == EventType::begin_map;
  nlohmann::json value = map ? nlohmann::json::object() : nlohmann::json::array();
  for (;;) {
    const Event event = source.next().value();
    if (event.type == EventType::end) return value;
    if (map) {
      const std::string key(event.text);
      value[key] = json_value(source, source.next().value());
    } else {
      value.push_back(json_value(source, event));
    }
  }
}

}  // namespace

auto json_of(EventSource& source) -> std::optional<nlohmann::json> {
  try {
    return json_value(source, source.next().value());
  } catch (const tl::bad_expected_access<Failure>&) {
    return {};
  }
}

}  // namespace previct::test
