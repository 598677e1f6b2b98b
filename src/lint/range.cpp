#include "lint/range.h"

#include "api/meta.h"
#include "base/contains.h"
#include "input/yaml_scalar.h"

#include <algorithm>

namespace previct::lint {
namespace {

constexpr std::size_t kNone = std::string::npos;

// The offset after the closing quote of a quoted scalar, or the end of the text.
auto quoted_end(std::string_view text, std::size_t begin, bool json) -> std::size_t {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && (json || quote == '"')) {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
        ++i;
        continue;
      }
      return i + 1;
    }
  }
  return text.size();
}

// The offset after anchors and tags (`&name`, `!!str`).
auto past_properties(std::string_view text, std::size_t at) -> std::size_t {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \t\r\n", at), text.size());
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }
  return at;
}

auto means(std::string_view written, std::string_view meaning) -> bool {
  if (written == meaning) return true;
  std::string scratch;
  return resolve_plain(written, scratch).text == meaning;
}

auto is_blank(char c) -> bool {
  return c == ' ' || c == '\t';
}

// The end of a plain scalar is only marked by what follows, which depends on the surrounding style. Therefore: the
// shortest text that could end here and has the same meaning. Of a block scalar, this is the header.
auto plain_end(std::string_view text, std::size_t begin, std::string_view meaning, bool is_key) -> std::size_t {
  const std::size_t line_end = std::min(text.find_first_of("\r\n", begin), text.size());
  const auto trimmed = [&](std::size_t end) {
    while (end > begin && is_blank(text[end - 1])) --end;
    return end;
  };
  for (std::size_t i = begin + 1; i < line_end; ++i) {
    const bool colon = text[i] == ':' && (i + 1 == line_end || is_blank(text[i + 1]));
    const bool comment = text[i] == '#' && is_blank(text[i - 1]);
    const bool flow = text[i] == ',' || text[i] == ']' || text[i] == '}';
    if (!(colon && is_key) && !comment && !flow) continue;
    const std::size_t end = trimmed(i);
    if (means(text.substr(begin, end - begin), meaning)) return end;
    if (comment) return end;
  }
  return trimmed(line_end);
}

// The offset and length of one tape entry in the source.
struct Stretch {
  std::size_t begin = kNone;
  std::size_t length = 0;
};

auto stretch_of(const Manifest& manifest, std::uint32_t index, bool is_key) -> Stretch {
  const Tape::Entry& entry = manifest.tape[index];
  const SourceText& source = *manifest.source;
  const std::size_t begin = source.offset(entry.line + manifest.lines_before, entry.column + manifest.columns_before);
  if (begin == kNone) return {};
  if (entry.type != EventType::scalar) return {begin, 1};
  auto& [last_begin, last_length] = source.last_scalar;
  if (last_begin != begin) {
    last_length = scalar_length(source.text, begin, manifest.tape.text(entry), is_key, source.json);
    last_begin = begin;
  }
  return {begin, last_length};
}

auto stretch_of(const Value& value, Part part) -> Stretch {
  const Manifest& manifest = value.manifest();
  const bool has_key = value.key_index() != Value::kNone;
  const bool key_only = has_key && (part == Part::key || !value.is_scalar());
  if (key_only) return stretch_of(manifest, value.key_index(), true);
  const Stretch of_value = stretch_of(manifest, value.index(), false);
  if (part != Part::field || !has_key) return of_value;
  const Stretch of_key = stretch_of(manifest, value.key_index(), true);
  // The value comes from an anchor elsewhere.
  if (of_key.begin == kNone || of_value.begin == kNone || of_value.begin < of_key.begin) return of_value;
  return {of_key.begin, of_value.begin + of_value.length - of_key.begin};
}

auto line_of(const SourceText& source, std::size_t offset) -> std::uint32_t {
  const auto after = std::upper_bound(source.line_starts.begin(), source.line_starts.end(), offset);
  return static_cast<std::uint32_t>(after - source.line_starts.begin());
}

auto column_of(const SourceText& source, std::uint32_t line, std::size_t offset) -> std::uint32_t {
  const std::size_t begin = source.line_starts[line - 1];
  if (source.ascii) return static_cast<std::uint32_t>(offset - begin) + 1;
  return character_count(std::string_view(source.text).substr(begin, offset - begin)) + 1;
}

// The value to show: itself, or the wrapping object's value if its places are not those of the source.
auto shown(const Value& value) -> Value {
  Value at = as_written(value);
  while (!at.manifest().exact) at = as_written(at.manifest().held_by);
  return at;
}

}  // namespace

auto as_written(const Value& value) -> Value {
  const std::vector<Manifest::Origin>& origins = value.manifest().origins;
  if (value.index() >= origins.size() || origins[value.index()].manifest == nullptr) return value;
  const Manifest::Origin& of = origins[value.index()];
  const bool with_key = value.key_index() < origins.size() && origins[value.key_index()].manifest == of.manifest;
  return {*of.manifest, of.index, with_key ? origins[value.key_index()].index : Value::kNone};
}

auto character_count(std::string_view text) -> std::uint32_t {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), begins));
}

auto scalar_length(std::string_view text, std::size_t begin, std::string_view meaning, bool is_key, bool json)
    -> std::size_t {
  const std::size_t at = json ? begin : past_properties(text, begin);
  if (at >= text.size()) return text.size() - begin;
  if (text[at] == '"' || (text[at] == '\'' && !json)) return quoted_end(text, at, json) - begin;
  if (json) return std::min(text.find_first_of(" \t\r\n,:]}", at), text.size()) - begin;
  return plain_end(text, at, meaning, is_key) - begin;
}

auto range_of(const Value& value, Part part) -> TextRange {
  const Value at = shown(value);
  const SourceText& source = *at.manifest().source;
  const Stretch stretch = stretch_of(at, part);
  if (stretch.begin == kNone) return {.file = source.name};
  return range_between(source, stretch.begin, stretch.begin + stretch.length);
}

auto range_between(const SourceText& source, std::size_t begin, std::size_t end) -> TextRange {
  TextRange range{.file = source.name};
  range.line = line_of(source, begin);
  range.column = column_of(source, range.line, begin);
  range.end_line = line_of(source, end);
  range.end_column = column_of(source, range.end_line, end);
  return range;
}

auto offset_at(const SourceText& source, std::uint32_t line, std::uint32_t column) -> std::size_t {
  if (source.ascii) return source.offset(line, column);
  std::size_t at = source.offset(line, 1);
  if (at == std::string::npos) return at;
  const auto continues = [&] { return (static_cast<unsigned char>(source.text[at]) & 0xc0U) == 0x80; };
  for (std::uint32_t i = 1; i < column && at < source.text.size(); ++i) {
    do {
      ++at;
    } while (at < source.text.size() && continues());
  }
  return at;
}

// The keys on the way from the object to the value, outermost first; empty for elements of lists.
static auto keys_to(const Value& value) -> std::vector<std::string_view> {
  std::vector<std::string_view> keys;
  Value at = value.manifest().root();
  while (at.index() != value.index()) {
    Value next;
    for (const Value& child : at) {
      if (child.index() > value.index()) break;
      next = child;
    }
    if (!next) break;
    keys.push_back(next.key());
    at = next;
  }
  return keys;
}

auto is_private(const Value& value) -> bool {
  const Value at = shown(value);
  const std::string_view kind = at.manifest().object().kind;
  if (kind == "Secret") return true;
  if (contains({"true", "false"}, at.text())) return false;
  const std::vector<std::string_view> keys = keys_to(at);
  if (kind == "ConfigMap" && !keys.empty() && contains({"data", "binaryData"}, keys.front())) return true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (contains({"args", "command"}, keys[i]) || (keys[i] == "env" && keys.back() == "value")) return true;
    if (keys[i] != "annotations" || i + 1 == keys.size()) continue;
    return !annotation_matters(keys[i + 1]) || !annotation_is_read(keys[i + 1]);
  }
  return false;
}

auto excerpt_of(const Value& value, Part part) -> Excerpt {
  constexpr std::size_t kLongest = 200;
  const Value at = shown(value);
  const SourceText& source = *at.manifest().source;
  const Stretch marked = stretch_of(at, part);
  if (marked.begin == kNone) return {};
  const std::uint32_t line = line_of(source, marked.begin);
  const std::size_t line_begin = source.line_starts[line - 1];
  const std::size_t line_end = line_begin + source.line(line).size();
  const bool only_key = is_private(value) || (part == Part::key && at.key_index() != Value::kNone);
  if (only_key && at.key_index() == Value::kNone) return {};
  // The whole field is shown if it is on the line of the part.
  Stretch field = stretch_of(at, Part::field);
  if (field.begin == kNone || field.begin < line_begin || field.begin > marked.begin ||
      field.begin + field.length < marked.begin + marked.length) {
    field = marked;
  }
  const std::string_view before = std::string_view(source.text).substr(line_begin, field.begin - line_begin);
  const bool alone = before.size() < kLongest && before.find_first_not_of(" -\t") == std::string_view::npos;
  const std::size_t begin = alone ? line_begin : field.begin;
  const Stretch key = only_key ? stretch_of(at.manifest(), at.key_index(), true) : field;
  if (only_key && key.begin != marked.begin) return {};
  const std::size_t end = std::min({key.begin + key.length, line_end, begin + kLongest});
  const std::size_t mark = std::min(marked.begin, end);
  return {.line = line,
          .text = source.text.substr(begin, end - begin),
          .from = mark - begin,
          .length = std::min(marked.begin + marked.length, end) - mark};
}

}  // namespace previct::lint
