// Values that the cursor does not handle: yaml_source() reads each of them alone.

#include "input/yaml_cursor.h"
#include "input/yaml_source.h"

#include <algorithm>

namespace previct {

using namespace yaml_text;

auto YamlCursor::end_of(const Value& value) -> const char* {
  const auto column = static_cast<std::ptrdiff_t>(value.parent);
  const char* line_end = find(value.begin, end_, '\n');
  bool first = true;
  for (;;) {
    const char* const line = line_end + 1;
    if (line >= end_) {
      if (whole_ && line == end_) return end_;
      out_of_text();
      return nullptr;
    }
    const char* const token = token_at(line);
    line_end = find(token, end_, '\n');
    if (line_end == end_) {
      out_of_text();
      return nullptr;
    }
    if (token == line_end) continue;  // a line of blanks may belong to the value
    const bool dash = token[0] == '-' && (token[1] == ' ' || token[1] == '\n');
    // A list may begin in the column of its key; then all of its elements do.
    const bool element = value.nested && value.under_key && token - line == column && dash;
    if (token - line <= column && !element && !(first && *token == '#')) return line;
    if (static_cast<std::size_t>(line_end - value.line_begin) > kMaxText) {
      unknown();
      return nullptr;
    }
    first = first && *token == '#';
  }
}

// Returns an empty text if the meaning may depend on the rest of the document. All columns stay as they are, because a
// map may begin on the line of a dash.
auto YamlCursor::text_of(const Value& value, const char* end) -> std::string {
  constexpr std::array<std::string_view, 4> kNever = {" &", " *", "<<", "\n%"};
  const std::string_view bytes(value.begin, static_cast<std::size_t>(end - value.begin));
  const bool alone = std::none_of(kNever.begin(), kNever.end(),
                                  [&](std::string_view never) { return bytes.find(never) != std::string_view::npos; });
  if (!alone || bytes.starts_with('&') || bytes.starts_with('*')) return {};
  std::string text(static_cast<std::size_t>(value.parent), ' ');
  text += value.under_key ? (value.nested ? "k:" : "k: ") : "-";
  if (!value.under_key) text.resize(static_cast<std::size_t>(value.begin - value.line_begin), ' ');
  text.append(value.begin, end);
  return text;
}

void YamlCursor::leave(const Value& value, const char* end) {
  stop_ = Stop::no;
  line_ = value.line + static_cast<std::uint32_t>(std::count(value.line_begin, end, '\n'));
  load(end);
  if (column_ > value.parent) unknown();
}

// Records the value alone: in the only collection of a text, possibly after a key.
auto YamlCursor::record_value(const Value& value, const char* end) -> bool {
  const std::string text = text_of(value, end);
  if (text.empty()) return false;
  const auto source = yaml_source(text, FileId{});
  for (std::size_t before = value.under_key ? 2 : 1; before > 0; --before) {
    if (!source->next()) return false;
  }
  recorded_.clear();
  recorded_at_ = 0;
  // The collections that enclose the value count for its depth, too.
  for (std::size_t depth = 0; !recorded_.complete() && depth < kMaxDepth / 2;) {
    const auto event = source->next();
    if (!event || (event->type == EventType::end && depth == 0) || event->type > EventType::scalar) return false;
    if (event->type == EventType::begin_map || event->type == EventType::begin_list) ++depth;
    if (event->type == EventType::end) --depth;
    recorded_.add(*event);
  }
  if (!recorded_.complete()) return false;
  for (const EventType type : {EventType::end, EventType::end_document, EventType::end_stream}) {
    const auto event = source->next();
    if (!event || event->type != type) return false;
  }
  return true;
}

void YamlCursor::skip_generally(const Value& value) {
  stop_ = Stop::no;
  const char* const end = end_of(value);
  if (end == nullptr) return;
  if (!record_value(value, end)) return unknown();
  const bool flow = *value.begin == '{' || *value.begin == '[';
  ++(flow ? values_.flow : value.nested ? values_.others : values_.scalars);
  leave(value, end);
}

auto YamlCursor::read_generally(const Value& value) -> Scalar {
  stop_ = Stop::no;
  const char* const end = end_of(value);
  if (end == nullptr) return {};
  if (!record_value(value, end) || recorded_[0].type != EventType::scalar) {
    unknown();
    return {};
  }
  ++values_.scalars;
  leave(value, end);
  return stopped() ? Scalar{} : Scalar{recorded_[0].scalar, recorded_.text(recorded_[0])};
}

// For an unread value, it is enough to know which columns have an open map or list.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
void YamlCursor::skip_block(bool nested) {
  const int base = parent_;
  const bool under_key = under_key_;
  std::uint64_t maps = 0;
  std::uint64_t lists = 0;
  int opened = nested ? base : -1;  // column of a key whose value follows
  bool inside = !nested;            // at the value of an element
  if (nested) next();
  while (!stopped()) {
    int column = column_;
    const bool mine = inside || column > base || (column == base && under_key && dash_ && nested);
    if (!mine) return;
    std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(column);
    maps &= bit * 2 - 1;
    lists &= bit * 2 - 1;
    if (dash_) {
      if (!inside && (lists & bit) == 0 && (opened < 0 || column < opened)) return unknown();
      lists |= bit;
      while (dash_) {
        lists |= bit;
        enter_element();
        if (stopped() || column_ > kMaxColumn) return unknown();
        bit = std::uint64_t{1} << static_cast<unsigned>(column_);
      }
      column = column_;
      inside = true;
    }
    if (inside) {
      if (!at_key()) {
        opened = -1;
        inside = false;
        const int parent = parent_;
        pass_scalar(token_, parent);
        if (column_ > parent) return unknown();
        continue;
      }
      maps |= bit;
      inside = false;
    } else if ((maps & bit) != 0) {
      lists &= ~bit;
    } else if (opened >= 0 && column > opened) {
      maps |= bit;
    } else {
      return unknown();
    }
    const std::string_view text = key();
    const bool null_key = (text == "~" || (text.size() == 4 && (text == "null" || text == "Null" || text == "NULL"))) &&
                          *token_ != '"' && *token_ != '\'';
    if (stopped() || null_key) return unknown();
    if (value_ == line_end_) {
      opened = column;
      next();
    } else {
      opened = -1;
      pass_scalar(value_, column);
      if (column_ > column) return unknown();
    }
  }
}

}  // namespace previct
