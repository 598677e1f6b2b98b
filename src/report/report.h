#pragma once

#include "report/finding.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace previct {

/// Keys keep the order in which they were set.
using Json = nlohmann::ordered_json;

/// What a word means, for formats that have colours. A tone never carries what the words do not say. `code` is to be
/// copied as it is: a command, a field.
enum class Tone : std::uint8_t { plain, goes, safe, soon, verdict, dim, code };

/// Text of a report is raw: it may hold anything an input held. Each format escapes it, once.
struct Span {
  std::string text;
  Tone tone = Tone::plain;
  std::uint8_t heat = 0;  ///< in a table of numbers, 1 (few) to `kHottest`: pages colour the cell; 0: none of them
};
inline constexpr std::uint8_t kHottest = 5;

/// A line of running text; formats break it to their width.
struct Line {
  std::vector<Span> spans;
};

struct Column {
  std::string head;            ///< upper case, as kubectl's
  bool numeric = false;        ///< right aligned
  bool only_wide = false;      ///< shown with -o wide
  bool optional = false;       ///< may be left out, last first, on a narrow terminal
  bool only_terminal = false;  ///< a picture, left out where no terminal shows it
};

/// Cells are never cut. `rows` have as many cells as there are columns.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Span>> rows;
  std::vector<Line> footer;   ///< lines below that sum up what is left out
  bool only_in_full = false;  ///< left out of Report::brief
};

/// A part with a heading and an indented text (`key: value` lines, remarks).
struct Paragraph {
  std::string heading;  ///< may be empty
  std::vector<Line> lines;
  bool broken = false;        ///< also lines that are set in are broken to the width
  bool only_in_full = false;  ///< left out of Report::brief
};

/// Bars on one scale, for formats that draw; the others leave it out. A picture only repeats what the words and tables
/// say.
struct Picture {
  static constexpr std::uint32_t kScale = 10'000;  ///< the right end of the scale; the left end is 0

  struct Part {
    std::uint32_t from = 0;  ///< `[from, to)` on the scale
    std::uint32_t to = 0;
    std::string name;  ///< of a pod, say
    std::string size;  ///< what the length means: `3500m`, `until 23:21:24`
    Tone tone = Tone::plain;
  };
  struct Mark {
    std::uint32_t at = 0;
    std::string text;
  };
  struct Row {
    std::string label;
    std::vector<Part> parts;    ///< left to right
    std::vector<Mark> marks{};  ///< of this row alone
    std::uint32_t depth = 0;    ///< in a tree
  };
  /// What a colour of the picture means.
  struct Meaning {
    Tone tone = Tone::plain;
    std::string text;
  };
  std::string title;
  std::vector<Row> rows;
  std::vector<Mark> marks;            ///< of the scale, left to right
  std::vector<Meaning> legend{};      ///< in the order of the bars
  std::string folded_title{};         ///< what the folded ones have in common: `12 pods: forever`
  std::vector<std::string> folded{};  ///< names that need no bar of their own
};

using Block = std::variant<Line, Table, Paragraph, Excerpt, Picture>;

/// What a command has to say, independent of any format.
struct Report {
  std::vector<Block> blocks;       ///< for people: text, wide, md, html
  Json data;                       ///< for programs: json, yaml
  std::vector<std::string> names;  ///< for -o name: one raw name a line
  std::vector<Table> evidence{};   ///< in full, for formats that have the room; rows begin with the name of a pod
  /// What a terminal shows of `blocks` unless the whole is asked for; empty: brief_of() makes it.
  std::vector<Block> brief{};
  /// What it was made from, for formats that are kept apart from the question: the command, the inputs and their
  /// digests.
  std::vector<Line> origin{};
  /// For sarif, github and junit. Absent: the command does not judge; empty: it does, and found nothing.
  std::optional<Findings> findings = std::nullopt;
  /// For junit, of commands that run cases.
  std::optional<std::vector<TestSuite>> tests = std::nullopt;
};

}  // namespace previct
