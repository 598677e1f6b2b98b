#pragma once

#include "input/cursor.h"
#include "input/handover.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace previct {

/// Walks JSON of any layout without recording it. It has the same grammar and results as json_source(), which also
/// reads what stops this cursor: duplicate keys, keys with escapes, syntax errors.
///
/// Skipped values are checked like values that are read. The texts that it returns are views of the input, or of a
/// buffer that the next scalar reuses.
class JsonCursor : public PatternReader<JsonCursor> {
 public:
  /// Moves to the value at `at` in a text that ends at `end` and is followed by kScanPadding zero bytes. `whole`: no
  /// more text follows `end`. `lines`: line ends before `at`. `column`: the column of `at`, if known.
  void enter(const char* at, const char* end, bool whole, std::uint32_t lines, std::size_t column = 0);

  [[nodiscard]] auto stop() const -> Stop { return stop_; }
  [[nodiscard]] auto stopped() const -> bool { return stop_ != Stop::no; }
  /// The position after the last value and the blanks that follow it.
  [[nodiscard]] auto at() const -> const char* { return at_; }
  [[nodiscard]] auto lines() const -> std::uint32_t { return lines_; }
  /// The beginning of the current line if it is after the position where the cursor entered; otherwise null.
  [[nodiscard]] auto line_begin() const -> const char* { return line_begin_; }

  /// Skips blanks, and `c` if it follows. Returns true if it does.
  [[nodiscard]] auto take(char c) -> bool;
  /// Skips the rest of a map. The cursor must be after a value of the map.
  void pass_rest_of_map();
  /// Ends the walk through the open maps and lists before their end.
  void leave() { stop_ = Stop::unknown; }
  [[nodiscard]] auto item_ended() const -> bool { return true; }
  /// The text at the cursor, as written; stops at escapes.
  [[nodiscard]] auto simple_text() -> std::string_view;

  // --- The interface for FieldReader.

  [[nodiscard]] auto is_null() const -> bool { return *at_ == 'n'; }
  [[nodiscard]] auto may_be_string() const -> bool { return *at_ == '"'; }
  [[nodiscard]] auto may_be_list() const -> bool { return *at_ == '['; }
  void skip();
  void skip_string();
  [[nodiscard]] auto peek() -> Scalar;
  void accept() {}
  [[nodiscard]] auto present() -> bool;

  template <class Visit>
  void each_entry(Visit visit) {
    if (!enter_container('{')) return unknown();
    if (take('}')) return;
    OpenKeys::Map keys(open_keys_);
    do {
      skip_blanks();
      const std::string_view key = simple_text();
      if (stopped() || !take(':')) return unknown();
      if (!keys.add(key)) return unknown(FallbackReason::repeated_key);
      skip_blanks();
      key_ = key;
      visit(key);
      if (stopped()) return;
    } while (take(','));
    if (!take('}')) unknown();
  }

  template <class Visit>
  void each_element(Visit visit) {
    if (!enter_container('[')) return unknown();
    if (take(']')) return;
    do {
      skip_blanks();
      visit();
      if (stopped()) return;
    } while (take(','));
    if (!take(']')) unknown();
  }

  /// Stops: at the end of the available text if more follows, or at something that this cursor does not read.
  void unknown(FallbackReason why = FallbackReason::syntax) {
    if (stop_ != Stop::no) return;
    stop_ = at_ >= end_ && !whole_ ? Stop::more : Stop::unknown;
    why_ = why;
  }
  /// The reason of the stop.
  [[nodiscard]] auto why() const -> FallbackReason { return why_; }

  // --- The interface for Repeating.

  void enter_object(const Here& here);
  [[nodiscard]] auto here() const -> Here { return {at_, lines_}; }
  /// A hash of the lines that open maps and lists; 0 for an object on one line.
  [[nodiscard]] auto shape() -> std::uint32_t;

 private:
  friend class PatternReader<JsonCursor>;

  [[nodiscard]] auto end() const -> const char* { return end_; }
  [[nodiscard]] auto key_at(std::string_view key, const Here& origin) const -> Part;
  [[nodiscard]] static auto scalar_text(const char* value, const char* behind) -> std::string_view {
    return {value + 1, static_cast<std::size_t>(behind - value - 2)};
  }
  [[nodiscard]] auto element_at(const Here& origin) const -> Part;
  [[nodiscard]] auto resume(const Part& part, const Here& here) -> std::string_view;
  [[nodiscard]] auto finish(const Here& here, const Here& begin) -> bool;
  void start_again() { stop_ = Stop::no; }
  [[nodiscard]] static auto one_scalar(const Part& /*part*/, char first) -> bool { return first == '"'; }
  [[nodiscard]] auto simple_end(const char* value, bool text) const -> const char*;
  [[nodiscard]] auto enter_scalar(const char* value, const char* /*behind*/) -> bool {
    at_ = value;
    return true;
  }
  [[nodiscard]] static auto ends_word(const char* at) -> bool { return *at == '"'; }
  void out_of_text() {
    if (stop_ == Stop::no) stop_ = whole_ ? Stop::unknown : Stop::more;
  }
  static constexpr std::size_t kMaxDepth = 256;

  struct Mark {
    const char* begin;
    std::uint32_t lines;
  };
  [[nodiscard]] auto begin_repeat() const -> Mark { return {at_, lines_}; }
  [[nodiscard]] auto repeated(const Mark& mark) const -> RepeatedText;
  [[nodiscard]] auto pass_same(const RepeatedText& last) -> bool;

  void skip_blanks() {
    if (static_cast<unsigned char>(*at_) <= ' ') skip_more_blanks();
  }
  void skip_more_blanks();
  [[nodiscard]] auto enter_container(char open) -> bool;
  // Moves past the closing quote; returns true if the text has escapes. Stops at characters that are not allowed.
  auto pass_text() -> bool;
  void pass_number();
  void pass_word();
  void pass_container();
  [[nodiscard]] auto unescaped(std::string_view text) -> std::string_view;

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool whole_ = false;
  Stop stop_ = Stop::no;
  FallbackReason why_ = FallbackReason::syntax;
  std::uint32_t lines_ = 0;
  std::size_t column_ = 0;
  const char* line_begin_ = nullptr;
  const char* value_end_ = nullptr;  // end of the last value, without the blanks after it
  std::string_view key_;             // the last key that was read
  OpenKeys open_keys_;
  std::string scratch_;
};

}  // namespace previct
