#pragma once

#include "input/events.h"
#include "input/yaml_source.h"
#include "input/yaml_styles.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Produces the events of the YAML that most tools write, several times as fast as libyaml: maps and lists in block and
/// flow style, scalars in all styles, comments, documents in sequence.
///
/// It gives up at anything else: anchors, aliases, tags, merge keys, complex keys, omitted values in flow style, tabs
/// and line ends other than the line feed, and whatever libyaml would refuse. Its events up to there equal those of
/// libyaml, so that the caller can continue with libyaml.
/// Source: libyaml 0.2.5 scanner.c, parser.c.
class QuickYaml {
 public:
  /// `text` must end with a line feed; otherwise the reader gives up immediately.
  QuickYaml(std::string_view text, ScalarText texts);

  /// Returns false if it has given up.
  [[nodiscard]] auto next(Event& event) -> bool;

 private:
  enum class Step : std::uint8_t { document, line, key, value, flow, over };
  enum class Kind : std::uint8_t {
    map,
    list,
    list_of_key,
    flow_map,
    flow_list
  };                                                        // list_of_key: in the same column as
                                                            // its key
  enum class Expect : std::uint8_t { first, value, more };  // in flow style

  struct Level {
    Kind kind;
    Expect expect;
    int column;
  };

  static constexpr int kMostLevels = 200;
  static constexpr int kMaxColumn = 10'000;
  static constexpr std::ptrdiff_t kMaxKey = 512;
  static constexpr std::size_t kMaxText = std::size_t{8} << 20U;

  // --- Lines.

  /// Moves to the next line, from `at` on, that holds more than blanks and a comment.
  [[nodiscard]] auto load(const char* at) -> bool;
  /// Loads the line that begins at `at`, whatever it holds. Returns false if it has invalid characters.
  [[nodiscard]] auto load_text(const char* at) -> bool;
  /// Returns true if only blanks and a comment follow from `at` to the end of the line.
  [[nodiscard]] auto ends_line(const char* at) const -> bool;
  [[nodiscard]] auto next_line() -> bool {
    ++line_;
    return load(line_end_ + 1);
  }
  [[nodiscard]] auto is_dash() const -> bool { return token_[0] == '-' && (token_[1] == ' ' || token_[1] == '\n'); }
  /// Returns true if the token is a key with a value after it; finds its text and the colon.
  [[nodiscard]] auto is_key() -> bool;

  // --- Steps. They return false if the reader gives up.

  auto document(Event& event) -> bool;
  auto line(Event& event) -> bool;
  auto key(Event& event) -> bool;
  auto set_key(Event& event) -> bool;
  auto value(Event& event) -> bool;
  /// Reads the node that begins at the token, in a collection of column `parent`.
  auto node(Event& event, int parent) -> bool;
  auto scalar(Event& event, int parent) -> bool;
  auto plain(Event& event, int parent) -> bool;
  /// Makes `part` the text of a plain scalar; with `more`, appends it after a blank.
  void take(std::string_view part, bool more);
  auto quoted(const char* at) -> const char*;
  auto block_text(int parent) -> bool;
  void move_to(const yaml_text::Lines& lines);
  auto flow(Event& event) -> bool;
  auto flow_key(Event& event) -> bool;
  auto flow_node(Event& event) -> bool;
  auto flow_plain() -> const char*;
  auto flow_blanks() -> bool;
  /// Returns true if the brackets from `at` to the end of the line match, so that the ends of flow collections are
  /// certain, and none of them is a key. `before`: the last character before `at` that is not blank.
  [[nodiscard]] auto brackets_match(const char* at, char before) const -> bool;

  void place(Event& event, const char* at) const {
    event.line = line_;
    event.column = static_cast<std::uint32_t>(at - line_begin_ + 1);
  }
  auto open(Event& event, Kind kind, int column) -> bool;
  void close(Event& event, const char* at);
  void resolve(Event& event, std::string_view text);

  const char* begin_;
  const char* end_;
  ScalarText texts_;
  Step step_ = Step::document;
  std::vector<Level> levels_;
  bool began_ = false;  // a document has begun

  // The current line.
  std::uint32_t line_ = 1;
  const char* line_begin_ = nullptr;
  const char* line_end_ = nullptr;
  const char* token_ = nullptr;
  const char* last_colon_ = nullptr;  // the last colon that separates; null if there is none
  int column_ = 0;                    // column of the token; -1 where a document ends
  bool odd_ = false;                  // see Marks
  bool gap_ = false;                  // other lines precede it

  const char* at_ = nullptr;  // position after a colon or a dash; in flow style: the next character
  bool under_key_ = false;
  std::string_view key_;
  const char* colon_ = nullptr;  // position after the key
  bool key_is_plain_ = false;
  std::string_view text_;  // the last scalar that was read
  std::string scratch_;
  std::string resolved_;
};

}  // namespace previct
