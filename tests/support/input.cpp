#include "support/input.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "input/json_source.h"
#include "input/yaml_source.h"

namespace previct::test {
namespace {

class AddToObjects final : public ObjectSink {
 public:
  explicit AddToObjects(Objects& objects) : objects_(objects) {}
  auto take(const FoundObject& found) -> Result<void> override {
    return add_object(found.tape, found.index, FileId{0}, found.list, objects_);
  }
  void take_list(const EnclosingList& list) override { add_list(list, objects_); }

 private:
  Objects& objects_;
};

}  // namespace

auto fixture(const std::string& name) -> std::string {
  std::ifstream file(std::string(PREVICT_SOURCE_DIR "/fixtures/") + name, std::ios::binary);
  INFO(name);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

auto read_text(std::string_view text, Objects& objects) -> Result<std::size_t> {
  if (auto failure = not_a_dump(text, FileId{0})) return tl::unexpected(*failure);
  const auto source = looks_like_json(text) ? json_source(text, FileId{0}) : yaml_source(text, FileId{0});
  AddToObjects sink(objects);
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
      case EventType::end_document:
        line += '.';
        break;
      case EventType::end_stream:
        return line;
      case EventType::scalar:
        constexpr std::string_view kTypes = "nbifs";
        line += fmt::format("{}:{}", kTypes[static_cast<std::size_t>(event->scalar)], event->text);
        break;
    }
  }
}

auto yaml_events(std::string_view text) -> std::string { return event_line(*yaml_source(text, FileId{0})); }
auto json_events(std::string_view text) -> std::string { return event_line(*json_source(text, FileId{0})); }

}  // namespace previct::test
