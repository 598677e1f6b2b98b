#pragma once

#include "report/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// How a reader wants to see a report. What it says never depends on this.
struct Style {
  std::size_t width = 0;  ///< columns of the terminal; 0: no limit, one record a line
  bool color = false;     ///< 16-colour ANSI, by Tone
  bool utf8 = true;       ///< false: characters beyond ASCII are written as escapes
  bool heads = true;      ///< heads of tables
  bool pictures = false;  ///< columns that are drawn, not written (a terminal that knows UTF-8)
  bool brief = false;     ///< what fits a screen, instead of everything
  bool excerpts = false;  ///< lines of the input under what is said about them (a terminal, or on request)
};

/// One way of writing a Report: one file in src/report/formats, holding one object named `<file>_format`,
/// which the build finds by itself.
struct Format {
  std::string_view name;    ///< as in `-o name`
  std::string_view ending;  ///< of files that hold it: `json`
  std::string_view what;    ///< one line for the help
  auto(*render)(const Report& report, const Style& style) -> std::string;
  bool judgements = false;  ///< it writes findings and results of tests, and nothing else
  bool documents = false;   ///< it writes Report::data
  bool origin = false;      ///< it writes Report::origin
};

/// All formats, in order of their names.
[[nodiscard]] auto formats() -> const std::vector<const Format*>&;

/// Null if there is none of that name.
[[nodiscard]] auto find_format(std::string_view name) -> const Format*;

}  // namespace previct
