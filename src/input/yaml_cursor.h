#pragma once

#include "input/cursor.h"
#include "input/handover.h"
#include "input/line_scan.h"
#include "input/tape.h"
#include "input/yaml_styles.h"
#include "input/yaml_text.h"

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {
// NOLINTBEGIN(misc-no-recursion): as deep as the described types; a recorded value as the reader lets through

/// Walks YAML as kubectl prints it, line by line, without recording it: block style, one key or element on each line,
/// indentation by blanks, plain, quoted and literal scalars, comments. A scalar of another kind, a map or list in flow
/// style, and anything else in an unread value is passed to yaml_source(), that value alone. Everything else that is
/// not of this form, or deserves a warning, stops the cursor: tabs, anchors, tags, complex keys, duplicate keys,
/// characters that YAML treats as line ends.
///
/// The cursor never reads anything differently from yaml_source(), and accepts nothing, even in skipped values, that
/// yaml_source() would refuse: every line is checked in the same way, whether its value is read or not.
///
/// The texts that it returns are views of the input, or of a buffer that the next scalar reuses.
/// Source: go.yaml.in/yaml/v2 v2.4.3 emitterc.go, as used by kubectl v1.35; libyaml 0.2.5 scanner.c for what is legal.
class YamlCursor : public PatternReader<YamlCursor> {
 public:
  /// Moves to the line at `at` in a text that ends at `end` and is followed by kScanPadding zero bytes. `whole`: no
  /// more text follows `end`. `line`: number of the line, 1-based. `base`: column of the dashes of the items.
  void enter(const char* at, const char* end, bool whole, std::uint32_t line, int base = 0);

  [[nodiscard]] auto stop() const -> Stop { return stop_; }
  [[nodiscard]] auto stopped() const -> bool { return stop_ != Stop::no; }
  /// The beginning and the number of the current line.
  [[nodiscard]] auto at() const -> const char* { return line_begin_; }
  [[nodiscard]] auto line() const -> std::uint32_t { return line_; }
  /// 0-based; -1 at the end of the text.
  [[nodiscard]] auto column() const -> int { return column_; }
  [[nodiscard]] auto at_element() const -> bool { return dash_; }

  /// Ends the walk through the open maps and lists before their end.
  void leave() { unknown(); }
  /// Returns true on the line of the next item, or of what follows the last one.
  [[nodiscard]] auto item_ended() const -> bool { return column_ <= base_; }
  /// The reason of the stop.
  [[nodiscard]] auto why() const -> FallbackReason { return why_; }
  /// The number of values of the item that the general reader read, by reason.
  struct Values {
    std::size_t flow = 0;
    std::size_t scalars = 0;
    std::size_t others = 0;
  };
  [[nodiscard]] auto values() const -> const Values& { return values_; }

  /// Moves from the dash of a list to the value after it.
  void enter_element();

  // --- The interface for FieldReader.

  [[nodiscard]] auto is_null() -> bool;
  // Other types of values are not distinguished here.
  [[nodiscard]] auto may_be_string() const -> bool { return true; }
  [[nodiscard]] auto may_be_list() const -> bool { return true; }
  void skip() {
    if (alone_) return unknown();
    if (is_recorded_) return skip_recorded();
    const Value value = value_at_hand();
    skip_as_usual();
    if (stop_ == Stop::unknown) [[unlikely]]
      skip_generally(value);
  }
  void skip_string();
  [[nodiscard]] auto peek() -> Scalar;
  void accept() {}
  [[nodiscard]] auto present() -> bool;

  template <class Visit>
  void each_entry(Visit visit) {
    if (is_recorded_ || begins_flow('{')) [[unlikely]]
      return each_recorded(EventType::begin_map, visit);
    if (!enter_map()) return;
    const int column = column_;
    OpenKeys::Map keys(open_keys_);
    do {
      const std::string_view key = wanted_key();
      if (stopped() || !keys.add(key)) return unknown(FallbackReason::repeated_key);
      visit(key);
      if (stopped()) return;
    } while (column_ == column && !dash_);
    if (column_ >= column) unknown();
  }

  template <class Visit>
  void each_element(Visit visit) {
    if (is_recorded_ || begins_flow('[')) [[unlikely]]
      return each_recorded(EventType::begin_list, [&](std::string_view) { visit(); });
    if (!enter_list()) return;
    const int column = column_;
    do {
      enter_element();
      if (stopped()) return;
      visit();
      if (stopped()) return;
    } while (dash_ && column_ == column);
    if (column_ > column) unknown();
  }

  void unknown(FallbackReason why = FallbackReason::syntax) {
    if (stop_ != Stop::no) return;
    stop_ = Stop::unknown;
    why_ = why;
  }

  // --- The interface for Repeating.

  /// Moves to an object, which must be an element of a list.
  void enter_object(const Here& here);
  [[nodiscard]] auto here() const -> Here { return {line_begin_, line_}; }
  /// A hash of the lines that open maps and lists.
  [[nodiscard]] auto shape() -> std::uint32_t;

 private:
  friend class PatternReader<YamlCursor>;

  [[nodiscard]] auto end() const -> const char* { return end_; }
  [[nodiscard]] auto key_at(std::string_view key, const Here& origin) const -> Part;
  [[nodiscard]] auto element_at(const Here& origin) const -> Part { return key_at({}, origin); }
  [[nodiscard]] auto resume(const Part& part, const Here& here) -> std::string_view;
  [[nodiscard]] auto finish(const Here& here, const Here& begin) -> bool;
  void start_again() {
    stop_ = Stop::no;
    alone_ = is_recorded_ = false;
  }
  [[nodiscard]] static auto scalar_text(const char* value, const char* behind) -> std::string_view {
    const std::string_view text(value, static_cast<std::size_t>(behind - 1 - value));
    return *value == '"' ? text.substr(1, text.size() - 2) : text;
  }
  [[nodiscard]] auto enter_scalar(const char* value, const char* behind) -> bool;
  [[nodiscard]] static auto one_scalar(const Part& part, char /*first*/) -> bool {
    return part.end_lines == part.begin_lines + 1;
  }
  [[nodiscard]] auto simple_end(const char* value, bool text) const -> const char*;
  [[nodiscard]] static auto ends_word(const char* at) -> bool {
    return *at == '\n' || *at == '"' || *at == ' ' || *at == '}' || *at == '\'' || *at == ')';
  }
  void out_of_text() {
    if (stop_ == Stop::no) stop_ = whole_ ? Stop::unknown : Stop::more;
  }

  static constexpr int kMaxColumn = 60;
  static constexpr std::ptrdiff_t kMaxKey = 512;
  static constexpr std::size_t kMaxText = std::size_t{8} << 20U;

  /// The start of lines that may be kept.
  struct Mark {
    const char* begin;
    std::uint32_t line;
    int parent;
  };
  [[nodiscard]] auto begin_repeat() const -> Mark { return {line_end_ + 1, line_, parent_}; }
  [[nodiscard]] auto repeated(const Mark& mark) const -> RepeatedText;
  /// If the lines after the current one equal `last` and the value ends there, skips them and returns true.
  [[nodiscard]] auto pass_same(const RepeatedText& last) -> bool;

  void load(const char* at);
  void load_long(const char* at);
  /// Continues after an empty line or a comment.
  void load_behind(const char* line_end);
  void load_end();
  void next() {
    ++line_;
    load(line_end_ + 1);
  }

  [[nodiscard]] auto enter_map() -> bool;
  [[nodiscard]] auto enter_list() -> bool;
  /// Returns true if the lines after a line that ends with a colon hold its value.
  [[nodiscard]] auto is_nested() -> bool;

  // Reads the key at the token, and moves to its value.
  auto key() -> std::string_view;
  auto plain_key() -> std::string_view;
  auto other_key() -> std::string_view;
  auto long_key() -> std::string_view;
  auto quoted_key() -> std::string_view;
  auto escaped_key() -> std::string_view;
  void begin_value(const char* colon);
  /// Skips from a blank after a key or a dash to the value; to the end of the line if there is only a comment.
  void pass_blanks();
  void pass_blanks_of_element();
  [[nodiscard]] auto at_key() -> bool;
  auto wanted_key() -> std::string_view;

  // These move past a scalar that begins at `value`, in a collection of this column.
  void pass_scalar(const char* value, int column);
  void pass_special(const char* value, int column);
  void pass_plain(const char* value, int column);
  void pass_continued(int column, std::string* out);
  [[nodiscard]] auto pass_quoted(const char* value, int column, std::string* out) -> const char*;
  void pass_block_text(const char* value, int column, std::string* out);
  /// The position after a quoted scalar that is the rest of the line and needs no closer look; otherwise null.
  [[nodiscard]] auto simple_quoted_end(const char* value) const -> const char*;
  void move_to(const yaml_text::Lines& lines);
  /// Returns true if the rest of the line is only a plain scalar.
  [[nodiscard]] auto is_plain(const char* value) const -> bool;
  [[nodiscard]] auto usual_scalar() -> Scalar;
  [[nodiscard]] auto special_scalar(const char* value) -> Scalar;

  // --- Values that yaml_source() reads.

  /// The start of a value, and the collection that contains it.
  struct Value {
    const char* line_begin;
    const char* begin;
    std::uint32_t line;
    int parent;
    bool under_key;
    bool nested;  ///< it is on the lines after the key
  };
  [[nodiscard]] auto value_at_hand() const -> Value {
    return {line_begin_, value_, line_, parent_, under_key_, value_ == line_end_};
  }
  void skip_as_usual();
  void skip_generally(const Value& value);
  [[nodiscard]] auto read_generally(const Value& value) -> Scalar;
  /// The position after the lines that belong to the value. Null, and the cursor stops, if they are not all available.
  [[nodiscard]] auto end_of(const Value& value) -> const char*;
  /// The value as the only one of a text, in a collection of the same column.
  [[nodiscard]] static auto text_of(const Value& value, const char* end) -> std::string;
  /// Moves to the position after the value.
  void leave(const Value& value, const char* end);

  // --- A map or a list in flow style, which is recorded and then walked.

  /// Returns true if the value begins with this `{` or `[` and is not empty.
  [[nodiscard]] auto begins_flow(char bracket) const -> bool {
    return *value_ == bracket && value_ != line_end_ && !alone_ && line_end_ - value_ != 2;
  }
  [[nodiscard]] auto record_value(const Value& value, const char* end) -> bool;
  void skip_recorded() { recorded_at_ = recorded_[recorded_at_].next; }
  template <class Visit>
  void each_recorded(EventType type, Visit visit) {
    const bool outermost = !is_recorded_;
    const Value value = value_at_hand();
    const char* const end = outermost ? end_of(value) : nullptr;
    if (outermost && (end == nullptr || !record_value(value, end))) return unknown();
    const Tape::Entry& entered = recorded_[recorded_at_];
    if (entered.type != type) return unknown(FallbackReason::other_type);
    const bool recording = pause_recording();
    is_recorded_ = true;
    const bool map = type == EventType::begin_map;
    const std::uint32_t last = entered.next;
    OpenKeys::Map keys(open_keys_);
    for (++recorded_at_; recorded_at_ < last;) {
      const std::string_view key = map ? recorded_.text(recorded_[recorded_at_++]) : std::string_view();
      if (map && !keys.add(key)) return unknown(FallbackReason::repeated_key);
      visit(key);
      if (stopped()) return;
    }
    if (!outermost) return;
    is_recorded_ = false;
    go_on_recording(recording);
    ++values_.flow;
    leave(value, end);
  }

  [[nodiscard]] auto resolved(std::string_view text) -> Scalar;
  /// The plain scalar from `value` to the end of the line, in a collection of this column, without trailing blanks and
  /// comment. Empty, and the cursor stops, if it is not a plain scalar.
  [[nodiscard]] auto plain_text(const char* value, int column) -> std::string_view;
  /// Returns true if only blanks and a comment follow from `at` to the end of the line.
  [[nodiscard]] auto ends_line(const char* at) const -> bool;
  void skip_block(bool nested);

  const char* end_ = nullptr;
  bool whole_ = false;
  Stop stop_ = Stop::no;
  FallbackReason why_ = FallbackReason::syntax;
  int base_ = 0;
  Values values_;

  // The current line.
  std::uint32_t line_ = 0;
  const char* line_begin_ = nullptr;
  const char* line_end_ = nullptr;
  const char* token_ = nullptr;  // position after the blanks and the dashes that were entered
  const char* colon_ = nullptr;  // the first colon that separates; null if there is none
  int column_ = 0;               // column of the token
  bool colons_ = false;          // there are more colons that separate
  bool odd_ = false;             // see Marks
  bool dash_ = false;            // the token is `- `
  bool gap_ = false;             // empty lines or comments precede it

  // The next value: [value_, line_end_), or the lines that follow if that range is empty.
  const char* value_ = nullptr;
  int parent_ = 0;             // column of the keys or dashes of the enclosing collection
  bool under_key_ = false;     // a list may begin in the same column
  bool value_colons_ = false;  // it contains a colon that separates
  bool alone_ = false;         // there is only one scalar, `scalar_`
  Scalar scalar_;

  // The value in flow style that is being walked.
  bool is_recorded_ = false;
  Tape recorded_;
  std::uint32_t recorded_at_ = 0;

  OpenKeys open_keys_;
  std::deque<std::string> key_texts_;  // keys that are not written literally
  std::string scratch_;
  std::string resolved_;
};

// --- Executed for every line.

inline void YamlCursor::load(const char* at) {
  gap_ = false;
  line_begin_ = at;
  if (at >= end_) [[unlikely]]
    return load_end();
  const Marks marks = marks_at(at);
  if (marks.ends == 0) [[unlikely]]
    return load_long(at);
  const auto size = static_cast<unsigned>(std::countr_zero(marks.ends));
  const auto indent = static_cast<unsigned>(std::countr_zero(~marks.blanks));
  line_end_ = at + size;
  if (indent == size || at[indent] == '#') [[unlikely]]
    return load_behind(line_end_);
  if (indent > kMaxColumn) [[unlikely]]
    return unknown();
  const std::uint64_t within = (std::uint64_t{1} << size) - 1;
  const std::uint64_t colons = marks.colons & ((marks.blanks | marks.ends) >> 1U) & within;
  token_ = at + indent;
  column_ = static_cast<int>(indent);
  colon_ = colons == 0 ? nullptr : at + std::countr_zero(colons);
  colons_ = (colons & (colons - 1)) != 0;
  odd_ = (marks.odd & within) != 0;
  dash_ = token_[0] == '-' && token_[1] == ' ';
}

inline auto YamlCursor::key() -> std::string_view {
  using namespace yaml_text;
  if ((class_of(*token_) & kKey) == 0) [[unlikely]]
    return other_key();
  return plain_key();
}

inline auto YamlCursor::plain_key() -> std::string_view {
  using namespace yaml_text;
  if (colon_ == nullptr || colon_[-1] == ' ' || colon_ - token_ > kMaxKey || (odd_ && !clean(token_, colon_, true)))
      [[unlikely]] {
    unknown();
    return {};
  }
  value_ = colon_ + 1;
  if (value_ != line_end_) {
    ++value_;
    if (*value_ == ' ' || *value_ == '#' || value_ == line_end_) [[unlikely]]
      pass_blanks();
  }
  value_colons_ = colons_;
  return {token_, static_cast<std::size_t>(colon_ - token_)};
}

inline auto YamlCursor::is_plain(const char* value) const -> bool {
  return !value_colons_ && line_end_[-1] != ' ' && (!odd_ || yaml_text::clean(value, line_end_, true));
}

inline void YamlCursor::pass_plain(const char* value, int column) {
  if (!is_plain(value) && plain_text(value, column).empty()) [[unlikely]]
    return;
  next();
  if (column_ > column) [[unlikely]]
    pass_continued(column, nullptr);
}

inline void YamlCursor::pass_scalar(const char* value, int column) {
  using namespace yaml_text;
  if ((class_of(*value) & kPlain) == 0) return pass_special(value, column);
  pass_plain(value, column);
}

inline void YamlCursor::enter_element() {
  parent_ = column_;
  token_ += 2;
  column_ += 2;
  if (*token_ == ' ' || *token_ == '\n') [[unlikely]]
    pass_blanks_of_element();
  dash_ = token_[0] == '-' && token_[1] == ' ';
  under_key_ = false;
  value_ = token_;
  value_colons_ = colon_ != nullptr;
}

inline void YamlCursor::skip_as_usual() {
  if (value_ == line_end_) {
    // The hash uses two characters of the key and its position, which distinguish most keys.
    const char* const colon = value_ - 1;
    const auto key = static_cast<unsigned>(colon[-1]) * 7 + static_cast<unsigned>(colon[-2]) * 3 +
                     static_cast<unsigned>(colon - line_begin_);
    return skip_repeated(key, [this] { skip_block(true); });
  }
  if (!under_key_) return skip_block(false);
  const int column = parent_;
  pass_scalar(value_, column);
  if (column_ > column) unknown();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct
