#pragma once

#include "report/finding.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace previct {

/// JSON with keys in insertion order.
using Json = nlohmann::ordered_json;

/// The meaning of a word, for formats with colors. A tone never adds information to the text. `code` is text to copy: a
/// command, a field.
enum class Tone : std::uint8_t { plain, danger, safe, soon, verdict, dim, code };

/// Text in a report is raw: it may contain anything from an input. Each format escapes it once.
struct Span {
  std::string text;
  Tone tone = Tone::plain;
  std::uint8_t heat = 0;  ///< for tables of numbers, 1 (few) to `kHottest`: pages color the cell; 0: no color
  bool hint = false;      ///< names the flag that shows what is folded; formats that show it omit the hint
};
inline constexpr std::uint8_t kHottest = 5;

/// A line of running text; formats wrap it.
struct Line {
  std::vector<Span> spans;
  std::string full{};  ///< the whole text of a shortened line, for formats that can fold (html)
};

/// `+ 4 more pods (--show all lists them)`
[[nodiscard]] inline auto folded_line(std::string what, Tone tone = Tone::plain,
                                      std::string hint = " (--show all lists them)") -> Line {
  return {{{std::move(what), tone}, {.text = std::move(hint), .tone = tone, .hint = true}}};
}

struct Column {
  std::string head;            ///< upper case, as in kubectl
  bool numeric = false;        ///< right aligned
  bool only_wide = false;      ///< shown with -o wide
  bool optional = false;       ///< may be dropped, last one first, on a narrow terminal
  bool only_terminal = false;  ///< a picture, only shown on terminals
  bool unless_empty = false;   ///< not in the table if it is empty in all rows
};

/// Cells are never truncated. Each row has as many cells as there are columns: report/rows.h makes both from one
/// description of each column.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Span>> rows;
  std::vector<Line> footer;   ///< lines below the table about what is left out
  bool only_in_full = false;  ///< not part of Report::brief
  std::vector<Table> full{};  ///< at most one: the table without folded rows, for formats that can fold (html)
};

/// Returns `make(show_all)`, with its full form if a format shows that and it has more rows or other columns.
template <class Make>
[[nodiscard]] auto with_full(bool show_all, bool keeps_full, const Make& make) -> Table {
  Table table = make(show_all);
  if (show_all || !keeps_full) return table;
  Table full = make(true);
  if (full.rows.size() != table.rows.size() || full.columns.size() != table.columns.size())
    table.full.push_back(std::move(full));
  return table;
}

/// A part with a heading and indented text (`key: value` lines, remarks).
struct Paragraph {
  std::string heading;  ///< may be empty
  std::vector<Line> lines;
  bool broken = false;        ///< indented lines are wrapped too
  bool only_in_full = false;  ///< not part of Report::brief
};

/// Bars on one scale, for formats that draw; the others omit them. A picture only repeats the text and tables.
struct Picture {
  static constexpr std::uint32_t kScale = 10'000;  ///< the right end of the scale; the left end is 0

  struct Part {
    std::uint32_t from = 0;  ///< `[from, to)` on the scale
    std::uint32_t to = 0;
    std::string name;  ///< for example, the name of a pod
    std::string size;  ///< meaning of the length: `3500m`, `until 23:21:24`
    Tone tone = Tone::plain;
  };
  struct Mark {
    std::uint32_t at = 0;
    std::string text;
  };
  struct Row {
    std::string label;
    std::vector<Part> parts;    ///< from left to right
    std::vector<Mark> marks{};  ///< marks of this row only
    std::uint32_t depth = 0;    ///< depth in a tree
  };
  /// The meaning of a color in the picture.
  struct Meaning {
    Tone tone = Tone::plain;
    std::string text;
  };
  std::string title;
  std::vector<Row> rows;
  std::vector<Mark> marks;            ///< marks of the scale, from left to right
  std::vector<Meaning> legend{};      ///< in the order of the bars
  std::string folded_title{};         ///< title of the folded names: `12 pods: forever`
  std::vector<std::string> folded{};  ///< names without a bar of their own
};

using Block = std::variant<Line, Table, Paragraph, Excerpt, Picture>;

/// The output of a command, independent of the format.
struct Report {
  std::vector<Block> blocks;       ///< for people: text, wide, md, html
  Json data;                       ///< for programs: json, yaml
  std::vector<std::string> names;  ///< for -o name: one raw name per line
  std::vector<Table> evidence{};   ///< in full, for formats without limited space; rows begin with the name of a pod
  /// The short form of `blocks` for terminals; empty: brief_of() creates it.
  std::vector<Block> brief{};
  /// Where the report comes from, for formats that are stored separately from the question: the command, the inputs and
  /// their digests.
  std::vector<Line> origin{};
  /// For sarif, github and junit. Absent: the command has no findings; empty: it has found nothing.
  std::optional<Findings> findings = std::nullopt;
  /// For junit, for commands that run test cases.
  std::optional<std::vector<TestSuite>> tests = std::nullopt;
};

}  // namespace previct
