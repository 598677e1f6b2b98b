#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

enum class Severity : std::uint8_t { info, warning, error };

/// `info`, `warning`, `error`.
[[nodiscard]] auto severity_name(Severity severity) -> std::string_view;
[[nodiscard]] auto severity_of(std::string_view name) -> std::optional<Severity>;

/// A stretch of an input, from its first character up to, and not with, its end.
///
/// Lines and columns are 1-based; columns count Unicode characters, as editors and SARIF do (a base/Place counts
/// bytes). Without a file the rest means nothing; with line 0 the whole file is meant. Paths are as the user wrote
/// them, with `/`; formats make them relative.
struct TextRange {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;
  std::uint32_t end_column = 0;

  friend auto operator<=>(const TextRange&, const TextRange&) = default;
};

/// `classes.yaml:12:3`, as far as the place is known. Not escaped.
[[nodiscard]] auto described(const TextRange& place) -> std::string;

/// A source line with a stretch of it marked, as compilers show it. Nothing but the field in question: of a line
/// that holds more, the rest is left out, so that no value of a neighbour is ever printed.
struct Excerpt {
  std::uint32_t line = 0;
  std::string text = {};   ///< raw
  std::size_t from = 0;    ///< bytes of `text` before the mark
  std::size_t length = 0;  ///< bytes marked
  std::string note = {};   ///< beside the mark; may be empty

  [[nodiscard]] auto empty() const -> bool { return line == 0; }
};

/// Another place that a finding speaks of.
struct RelatedPlace {
  TextRange place = {};
  std::string message = {};
};

/// A change of the input that mends a finding for certain: all its edits, made at once.
struct Fix {
  struct Edit {
    TextRange place = {};  ///< what is replaced; empty if its ends are the same: text is put in
    std::string text = {};
  };
  std::string what = {};  ///< `write "900" instead of "15m"`
  std::vector<Edit> edits = {};
};

/// Why a finding does not count.
struct Suppression {
  bool in_source = false;   ///< an annotation or comment beside the field; false: a file of its own
  std::string reason = {};  ///< the user's words
  TextRange place = {};     ///< of the annotation, comment or entry
};

/// Something in the input that does not do what it says.
struct Finding {
  std::string rule = {};  ///< `PT004`
  Severity severity = Severity::error;
  std::string message = {};  ///< one line, the thing first, without a final stop
  TextRange place = {};      ///< of the very field
  Excerpt excerpt = {};
  std::vector<std::string> notes = {};  ///< lines that say what follows from it, or how to mend it
  std::string object = {};              ///< `PriorityClass low`, `Pod ml/a`; empty: of the file as a whole
  std::string fingerprint = {};         ///< the same while rule, object and value are: lines may move
  std::vector<RelatedPlace> related = {};
  std::vector<Fix> fixes = {};
  std::optional<Suppression> suppression = {};
};

/// What a rule says about itself.
struct RuleText {
  std::string id = {};    ///< `PT004`
  std::string name = {};  ///< `no-seconds`
  Severity severity = Severity::error;
  std::string title = {};   ///< one line
  std::string why = {};     ///< why it hurts
  std::string mend = {};    ///< what to do
  std::string source = {};  ///< where upstream does what the rule says
  std::string bad = {};     ///< a manifest with such a finding
  std::string good = {};    ///< and one without
  std::vector<std::string> tags = {};
};

/// What a linter has to say: findings by file, line, column and rule, and the rules that were applied, by id.
struct Findings {
  std::vector<Finding> items = {};
  std::vector<RuleText> rules = {};
};

/// One case of a test suite.
struct TestCase {
  enum class Status : std::uint8_t { passed, failed, skipped, broken };

  std::string name = {};
  Status status = Status::passed;
  std::string message = {};  ///< of all but a passed one: the first line
  std::string text = {};     ///< and the whole, with line ends
  TextRange place = {};      ///< of the case in its file
};

struct TestSuite {
  std::string name = {};
  std::string file = {};
  std::vector<TestCase> cases = {};
};

}  // namespace previct
