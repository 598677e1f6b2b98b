#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace previct::cli {

/// Returns an environment variable; null if it is not set.
using Environment = auto(*)(const char* name) -> const char*;

/// The properties of an output stream that affect the layout of a report. stdout and stderr are examined separately.
struct Terminal {
  bool is_terminal = false;
  std::size_t width = 0;  ///< columns; 0: no limit, as for everything that is not a terminal
  bool color = false;
  bool utf8 = true;  ///< files and pipes always accept UTF-8, a terminal if its locale says so
};

/// `color`: auto, always or never.
[[nodiscard]] auto wants_color(std::string_view color, bool is_terminal, Environment environment) -> bool;

[[nodiscard]] auto terminal_of(int descriptor, std::string_view color, Environment environment) -> Terminal;

}  // namespace previct::cli
