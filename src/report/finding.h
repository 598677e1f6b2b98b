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

/// A range of an input; the end is exclusive.
///
/// Lines and columns are 1-based; columns count Unicode characters, as editors and SARIF do (a base/Place counts
/// bytes). Without a file the other fields are meaningless; line 0 means the whole file. Paths are as the user wrote
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

/// A source line with a marked range, as compilers show it. Shows only the field in question: the rest of the line is
/// left out, so that values of other fields are never printed.
struct Excerpt {
  std::uint32_t line = 0;
  std::string text = {};   ///< raw
  std::size_t from = 0;    ///< bytes of `text` before the mark
  std::size_t length = 0;  ///< bytes marked
  std::string note = {};   ///< text next to the mark; may be empty

  [[nodiscard]] auto empty() const -> bool { return line == 0; }
};

/// Another place that a finding refers to.
struct RelatedPlace {
  TextRange place = {};
  std::string message = {};
};

/// A safe fix of a finding: all of its edits are applied together.
struct Fix {
  struct Edit {
    TextRange place = {};  ///< replaced range; an empty range inserts text
    std::string text = {};
  };
  std::string what = {};  ///< `write "900" instead of "15m"`
  std::vector<Edit> edits = {};
  bool hidden = false;  ///< the edits may contain a secret, and are not shown
};

/// Why a finding does not count.
struct Suppression {
  bool in_source = false;   ///< an annotation or comment in the source; false: an entry in another file
  std::string reason = {};  ///< as the user wrote it
  TextRange place = {};     ///< of the annotation, comment or entry
};

/// A defect in the input, or something that does not work as it reads.
struct Finding {
  std::string rule = {};  ///< `PT004`
  Severity severity = Severity::error;
  std::string message = {};  ///< one line, subject first, without a final period
  TextRange place = {};      ///< place of the field
  Excerpt excerpt = {};
  std::vector<std::string> notes = {};  ///< lines about consequences, or about how to fix it
  std::string object = {};              ///< `PriorityClass low`, `Pod ml/a`; empty: the file as a whole
  std::string fingerprint = {};         ///< depends only on rule, object and value: stable if lines move
  std::vector<RelatedPlace> related = {};
  std::vector<Fix> fixes = {};
  std::optional<Suppression> suppression = {};
};

/// The documentation of a rule.
struct RuleText {
  std::string id = {};    ///< `PT004`
  std::string name = {};  ///< `no-seconds`
  Severity severity = Severity::error;
  std::string title = {};       ///< one line
  std::string why = {};         ///< why it matters
  std::string how_to_fix = {};  ///< how to fix it
  std::string source = {};      ///< the upstream code or document
  std::string bad = {};         ///< a manifest with such a finding
  std::string good = {};        ///< a manifest without it
  std::vector<std::string> tags = {};
};

/// The result of a linter: findings by file, line, column and rule, and the applied rules by id.
struct Findings {
  std::vector<Finding> items = {};
  std::vector<RuleText> rules = {};
};

/// One case of a test suite.
struct TestCase {
  enum class Status : std::uint8_t { passed, failed, skipped, broken };

  std::string name = {};
  Status status = Status::passed;
  std::string message = {};  ///< unless passed: the first line
  std::string text = {};     ///< unless passed: the whole message, with line ends
  TextRange place = {};      ///< place of the case in its file
};

struct TestSuite {
  std::string name = {};
  std::string file = {};
  std::vector<TestCase> cases = {};
};

}  // namespace previct
