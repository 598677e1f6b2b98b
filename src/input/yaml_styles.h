#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Scalars of YAML in the styles that may extend over several lines, for all of our readers.
/// Source: libyaml 0.2.5 scanner.c yaml_parser_scan_flow_scalar, yaml_parser_scan_block_scalar.
namespace previct::yaml_text {

/// The largest scalar, in bytes as written.
inline constexpr std::ptrdiff_t kMostBytes = std::ptrdiff_t{8} << 20U;

/// A line, and the text after it.
struct Lines {
  const char* begin = nullptr;     ///< of the line
  const char* line_end = nullptr;  ///< the line feed of the line
  const char* end = nullptr;       ///< of the available text
  bool whole = true;               ///< no more text follows `end`
  std::uint32_t passed = 0;        ///< number of line ends before the line, from where the scalar begins
  bool cut = false;                ///< the scalar may continue after `end`

  /// Moves to the next line. Returns false if there is none.
  [[nodiscard]] auto next() -> bool;
};

/// Passes the quoted scalar whose opening quote is at `at`, on the current line, whose characters were checked. All
/// other lines must be indented further than `column`. Appends the text to `out`, which may be null. Returns the
/// position after the closing quote; null if libyaml refuses the scalar, or if it is cut.
[[nodiscard]] auto pass_quoted(const char* at, Lines& lines, int column, std::string* out) -> const char*;

/// Passes the literal or folded scalar whose `|` or `>` is at `at`, in a collection of this column, up to its last
/// line. Appends the text to `out`, which may be null. Returns false if libyaml refuses the scalar, if blanks make it
/// ambiguous, or if it is cut.
[[nodiscard]] auto pass_block_text(const char* at, Lines& lines, int column, std::string* out) -> bool;

}  // namespace previct::yaml_text
