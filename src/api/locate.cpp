#include "api/locate.h"

#include "input/documents.h"
#include "input/json_source.h"
#include "input/tape.h"
#include "input/yaml_source.h"

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct {
namespace {

/// One part of a path: a key, `[index]` or `[key=value]`.
struct Step {
  std::string_view key = {};
  std::string_view value = {};  // of a [key=value]
  std::optional<std::uint32_t> index = {};
  bool selects = false;  // [key=value]
};

auto bracket_step(std::string_view inside) -> Step {
  if (inside.size() >= 2 && inside.front() == '"') return {.key = inside.substr(1, inside.size() - 2)};
  if (const std::size_t equals = inside.find('='); equals != std::string_view::npos) {
    return {.key = inside.substr(0, equals), .value = inside.substr(equals + 1), .selects = true};
  }
  std::uint32_t index = 0;
  std::from_chars(inside.data(), inside.data() + inside.size(), index);
  return {.index = index};
}

auto steps_of(std::string_view path) -> std::vector<Step> {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '.') {
      path.remove_prefix(1);
    } else if (path.front() == '[') {
      const bool quoted = path.substr(1, 1) == "\"";
      const std::size_t end = quoted ? path.find("\"]", 2) : path.find(']');
      if (end == std::string_view::npos) return steps;
      const std::size_t closing = quoted ? end + 1 : end;
      steps.push_back(bracket_step(path.substr(1, closing - 1)));
      path.remove_prefix(closing + 1);
    } else {
      const std::string_view key = path.substr(0, path.find_first_of(".["));
      steps.push_back({.key = key});
      path.remove_prefix(key.size());
    }
  }
  return steps;
}

auto has_field(const Tape& tape, std::uint32_t map, const Step& step) -> bool {
  const std::uint32_t field = tape.find(map, step.key);
  return field < tape.size() && tape[field].type == EventType::scalar && tape.text(tape[field]) == step.value;
}

/// Where a step leads from the value at `index`: the entry that names the place, and the value.
struct Found {
  std::uint32_t shown;
  std::uint32_t value;
};

auto follow(const Tape& tape, std::uint32_t index, const Step& step) -> std::optional<Found> {
  if (!step.index && !step.selects) {
    const std::uint32_t value = tape.find(index, step.key);
    if (value == tape.size()) return {};
    return Found{value - 1, value};
  }
  if (tape[index].type != EventType::begin_list) return {};
  std::uint32_t position = 0;
  for (std::uint32_t item = index + 1; item < tape[index].next; item = tape[item].next, ++position) {
    if (step.selects ? has_field(tape, item, step) : position == *step.index) return Found{item, item};
  }
  return {};
}

/// Records the object that begins at this place, counted from where `source` begins.
auto record_at(EventSource& source, std::uint32_t line, std::uint32_t column, Tape& tape) -> bool {
  for (;;) {
    const auto event = source.next();
    if (!event || event->type == EventType::end_stream || event->line > line) return false;
    if (event->type != EventType::begin_map || event->line != line || event->column != column) continue;
    return record(source, *event, tape).has_value();
  }
}

/// An object read again, and what to add to its lines and to the columns of its first line.
struct Reread {
  Tape tape;
  std::uint32_t lines = 0;
  std::uint32_t columns = 0;
};

auto reread(std::string_view text, const Source& object) -> std::optional<Reread> {
  std::size_t line_start = 0;
  for (std::uint32_t line = 1; line < object.line; ++line) {
    line_start = text.find('\n', line_start) + 1;
    if (line_start == 0) return {};
  }
  const std::size_t offset = line_start + object.column - 1;
  if (object.column == 0 || offset >= text.size()) return {};
  const bool json = looks_like_json(text);
  // A flow mapping can be read from its brace on, a block mapping from its line on: only dashes precede it.
  const std::size_t from = text[offset] == '{' ? offset : line_start;
  const auto source_of = [&](std::string_view part) {
    return json ? json_source(part, object.file) : yaml_source(part, object.file);
  };
  Reread result{{}, object.line - 1, static_cast<std::uint32_t>(from - line_start)};
  if (record_at(*source_of(text.substr(from)), 1, object.column - result.columns, result.tape)) return result;
  result = {};
  if (record_at(*source_of(text), object.line, object.column, result.tape)) return result;
  return {};
}

}  // namespace

auto locate(const Sources& sources, const Source& object, std::string_view path) -> Place {
  const auto text = sources.text(object.file);
  if (!text) return object;
  const auto read = reread(*text, object);
  if (!read) return object;
  std::uint32_t value = 0;
  std::uint32_t shown = 0;
  for (const Step& step : steps_of(path)) {
    const auto found = follow(read->tape, value, step);
    if (!found) break;
    shown = found->shown;
    value = found->value;
  }
  const Tape::Entry& entry = read->tape[shown];
  return {object.file, entry.line + read->lines, entry.column + (entry.line == 1 ? read->columns : 0)};
}

}  // namespace previct
