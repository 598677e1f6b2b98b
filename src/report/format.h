#pragma once

#include "report/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// How a report is displayed. The content never depends on it.
struct Style {
  std::size_t width = 0;  ///< columns of the terminal; 0: no limit, one record per line
  bool color = false;     ///< 16-color ANSI, by Tone
  bool utf8 = true;       ///< false: characters beyond ASCII are written as escapes
  bool heads = true;      ///< show heads of tables
  bool pictures = false;  ///< show columns that are drawn (on a terminal with UTF-8)
  bool brief = false;     ///< show the short form, instead of everything
  bool excerpts = false;  ///< show lines of the input below messages about them (on a terminal, or on request)
};

/// A way to write a Report: one file in src/report/formats with one object named `<file>_format`, which the build finds
/// automatically.
struct Format {
  std::string_view name;    ///< as in `-o name`
  std::string_view ending;  ///< file name extension: `json`
  std::string_view what;    ///< one line for the help
  auto(*render)(const Report& report, const Style& style) -> std::string;
  bool judgements = false;  ///< writes only findings and test results
  bool documents = false;   ///< writes Report::data
  bool blocks = false;      ///< writes Report::blocks
  bool origin = false;      ///< writes Report::origin
};

/// All formats, by name.
[[nodiscard]] auto formats() -> const std::vector<const Format*>&;

/// Returns null if there is no format of that name.
[[nodiscard]] auto find_format(std::string_view name) -> const Format*;

}  // namespace previct
