#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <variant>
#include <vector>

namespace previct {

/// Keys keep the order in which they were set.
using Json = nlohmann::ordered_json;

/// What a word means, for formats that have colours. A tone never carries what the words do not say.
enum class Tone : std::uint8_t { plain, goes, safe, soon, verdict, dim };

/// Text of a report is raw: it may hold anything an input held. Each format escapes it, once.
struct Span {
  std::string text;
  Tone tone = Tone::plain;
};

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
  std::vector<Line> footer;  ///< lines below that sum up what is left out
};

/// A part with a heading and an indented text (`key: value` lines, remarks).
struct Paragraph {
  std::string heading;  ///< may be empty
  std::vector<Line> lines;
};

using Block = std::variant<Line, Table, Paragraph>;

/// What a command has to say, independent of any format.
struct Report {
  std::vector<Block> blocks;       ///< for people: text, wide, md, html
  Json data;                       ///< for programs: json, yaml
  std::vector<std::string> names;  ///< for -o name: one raw name a line
};

}  // namespace previct
