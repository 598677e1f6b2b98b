#include "api/locate.h"

#include "base/text.h"
#include "input/documents.h"
#include "input/json_source.h"
#include "input/line_scan.h"
#include "input/tape.h"
#include "input/window.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace previct {
namespace {

/// An element of a path: a key, `[index]` or `[key=value]`.
struct Step {
  std::string_view key = {};
  std::string_view value = {};  // for [key=value]
  std::optional<std::uint32_t> index = {};
  bool selects = false;  // true for [key=value]
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

/// The result of a step from the value at `index`: the entry whose place is shown, and the value.
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

/// Records the object at this place, relative to the beginning of `source`. Returns the line of its end; for a block,
/// this is the line after it.
auto record_at(EventSource& source, std::uint32_t line, std::uint32_t column, Tape& tape)
    -> std::optional<std::uint32_t> {
  for (;;) {
    auto event = source.next();
    if (!event || event->type == EventType::end_stream || event->line > line) return {};
    if (event->type != EventType::begin_map || event->line != line || event->column != column) continue;
    tape.clear();
    tape.add(*event);
    while (!tape.complete()) {
      event = source.next();
      if (!event) return {};
      tape.add(*event);
    }
    return event->line;
  }
}

/// Counts line ends, 64 bytes at a time.
auto count_lines(std::string_view text) -> std::uint32_t {
  std::uint32_t count = 0;
  for (; text.size() >= 64; text.remove_prefix(64))
    count += static_cast<std::uint32_t>(std::popcount(marks_at(text.data()).ends));
  return count + static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Reads a text sequentially.
class Walk {
 public:
  explicit Walk(ByteSource& source) : window_(source, kWindow) {}

  /// Moves to the start of a line, unless the position is at or after it. Returns false if there is no such line.
  auto to_line(std::uint32_t line) -> bool {
    while (line_ < line) {
      const std::string_view piece = window_.text().substr(0, kPiece);
      if (piece.empty()) {
        if (!more()) return false;
        continue;
      }
      // Counting line ends is many times faster than finding them one by one.
      const std::uint32_t ends = count_lines(piece);
      if (line_ + ends < line) {
        pass(piece.size());
        line_ += ends;
      } else {
        pass(piece.find('\n') + 1);
        ++line_;
        column_ = 1;
      }
    }
    return true;
  }
  /// Moves to a column of the current line, unless the position is after it.
  auto to_column(std::uint32_t column) -> bool {
    while (column_ < column) {
      if (window_.text().empty() && !more()) return false;
      pass(std::min<std::size_t>(window_.text().size(), column - column_));
    }
    return column_ == column;
  }
  [[nodiscard]] auto column() const -> std::uint32_t { return column_; }
  /// The byte at `offset` from here; 0 after the end.
  [[nodiscard]] auto at(std::size_t offset) -> char {
    while (offset >= window_.text().size()) {
      if (!more()) return '\0';
    }
    return window_.text()[offset];
  }
  /// The available text from here on, without an incomplete character.
  [[nodiscard]] auto text() const -> std::string_view {
    return window_.text().substr(0, valid_utf8_size(window_.text()));
  }
  [[nodiscard]] auto whole() const -> bool { return window_.whole(); }
  [[nodiscard]] auto more() -> bool { return window_.more(); }

 private:
  static constexpr std::size_t kWindow = std::size_t{64} << 10U;
  static constexpr std::size_t kPiece = std::size_t{4} << 10U;

  void pass(std::size_t size) {
    window_.advance(window_.begin() + size);
    column_ += static_cast<std::uint32_t>(size);
  }

  Window window_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

/// An object, and the indexes of the requested fields that belong to it.
struct Wanted {
  Source object;
  std::vector<std::size_t> fields;
};

/// Finds fields in one file.
class FileLocator {
 public:
  FileLocator(const Sources& sources, FileId file, const std::vector<FieldOf>& fields, std::vector<Place>& places)
      : sources_(sources), file_(file), fields_(fields), places_(places) {}

  /// `wanted`: sorted by position. Returns true if all objects were found.
  [[nodiscard]] auto run(std::vector<Wanted> wanted) -> bool {
    return in_pieces(wanted) && (wanted.empty() || in_whole(wanted));
  }

 private:
  /// Reads each object separately; keeps in `wanted` those that cannot be read in this way, because of an anchor before
  /// them.
  auto in_pieces(std::vector<Wanted>& wanted) -> bool {
    const auto source = sources_.open(file_);
    if (!source) return false;
    Walk walk(**source);
    if (!walk.more()) return false;
    json_ = looks_like_json(walk.text());
    std::erase_if(wanted, [&](const Wanted& each) { return in_piece(walk, each); });
    return true;
  }

  auto in_piece(Walk& walk, const Wanted& wanted) -> bool {
    constexpr std::size_t kLongestIndent = 4096;
    const std::uint32_t column = wanted.object.column;
    if (!walk.to_line(wanted.object.line) || column < walk.column()) return false;
    // A flow mapping can be read from its brace on, a block mapping from its line on, because only dashes precede it.
    const std::size_t indent = column - walk.column();
    if ((indent >= kLongestIndent || walk.at(indent) == '{') && !walk.to_column(column)) return false;
    const std::uint32_t columns = walk.column() - 1;
    do {
      const std::string_view text = walk.text();
      const auto end = record_at(*source_of(text), 1, column - columns, tape_);
      // For YAML, the available text may be only the beginning of the object.
      if (!end || !(json_ || walk.whole() || ends_before_last_line(text, *end))) continue;
      take(wanted, wanted.object.line - 1, columns);
      return true;
    } while (walk.more());
    return false;
  }

  auto in_whole(const std::vector<Wanted>& wanted) -> bool {
    const auto text = sources_.text(file_);
    if (!text) return false;
    const auto source = source_of(*text);
    for (const Wanted& each : wanted) {
      // Do not read a source past its end, which is reached only if the file has changed.
      if (!record_at(*source, each.object.line, each.object.column, tape_)) return false;
      take(each, 0, 0);
    }
    return true;
  }

  /// Follows the paths in the recorded object. It was read with its lines shifted by `lines` and, on its first line,
  /// its columns by `columns`.
  void take(const Wanted& wanted, std::uint32_t lines, std::uint32_t columns) {
    for (const std::size_t field : wanted.fields) {
      Found at{0, 0};
      for (const Step& step : steps_of(fields_[field].path)) {
        const auto found = follow(tape_, at.value, step);
        if (!found) break;
        at = *found;
      }
      const Tape::Entry& entry = tape_[at.shown];
      places_[field] = {file_, entry.line + lines, entry.column + (entry.line == 1 ? columns : 0)};
    }
  }

  /// False for a merged mapping, whose end is unknown (line 0).
  static auto ends_before_last_line(std::string_view text, std::uint32_t line) -> bool {
    return line > 0 && line <= count_lines(text);
  }
  [[nodiscard]] auto source_of(std::string_view text) const -> std::unique_ptr<EventSource> {
    return json_ ? json_source(text, file_) : yaml_source(text, file_);
  }

  const Sources& sources_;
  FileId file_;
  const std::vector<FieldOf>& fields_;
  std::vector<Place>& places_;
  bool json_ = false;
  Tape tape_;
};

}  // namespace

auto locate(const Sources& sources, const std::vector<FieldOf>& fields, std::vector<FileId>* missed)
    -> std::vector<Place> {
  std::vector<Place> places;
  std::map<FileId, std::map<Source, std::vector<std::size_t>>> wanted;
  for (const FieldOf& field : fields) {
    if (field.object.column != 0) wanted[field.object.file][field.object].push_back(places.size());
    places.push_back(field.object);
  }
  for (const auto& [file, objects] : wanted) {
    std::vector<Wanted> in_order;
    for (const auto& [object, indices] : objects) in_order.push_back({object, indices});
    const bool all = FileLocator(sources, file, fields, places).run(std::move(in_order));
    if (!all && missed != nullptr) missed->push_back(file);
  }
  return places;
}

auto locate(const Sources& sources, const Source& object, std::string_view path) -> Place {
  return locate(sources, {{object, std::string(path)}}).front();
}

}  // namespace previct
