#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"
#include "lint/scope.h"
#include "report/finding.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// An entry of `ignore` in .previct.yaml. Empty fields match everything; `object` and `file` may contain `*`.
struct Ignore {
  std::string rule = {};
  std::string object = {};  ///< `PriorityClass low`
  std::string file = {};
  std::string reason = {};
  std::optional<Instant> expires = {};  ///< the ignore has no effect from this time on
  TextRange place = {};
};

/// The settings of a run: from .previct.yaml, overridden by the command line.
struct Settings {
  std::string file;               ///< file that they were read from, for display; empty: none
  std::vector<std::string> only;  ///< ids (`PT004`) or families (`PT`); empty: all
  std::vector<std::string> skip;
  std::map<std::string, Severity> severity;  ///< overrides for single rules
  std::optional<std::string> fail_on;        ///< error, warning, info, never
  std::vector<Ignore> ignores;
  std::vector<NamedScope> scopes;
  std::vector<std::string> known_schedulers;
  std::map<std::string, std::int64_t, std::less<>> thresholds;
};

/// Reads .previct.yaml except for `cluster`, which is for other commands (cli/settings_file.h). Errors: broken YAML,
/// unknown keys or values (with the nearest known one). Errors quote a text of the file only if it is similar to a
/// known word: the file may be a link to anything.
[[nodiscard]] auto read_settings(std::string_view text, const std::string& name, FileId file) -> Result<Settings>;

/// Fails for a word of --only or --skip that matches no rule.
[[nodiscard]] auto check_selection(const std::vector<std::string>& words, std::string_view flag) -> Result<void>;

/// Parses `PT004=error`, the form of --severity, into `settings`.
[[nodiscard]] auto set_severity(std::string_view word, Settings& settings) -> Result<void>;

[[nodiscard]] auto selected(std::string_view rule, const Settings& settings) -> bool;

/// Returns true if `text` matches `pattern`, where `*` matches any text.
[[nodiscard]] auto matches_pattern(std::string_view pattern, std::string_view text) -> bool;

/// A finding that existed when the baseline was written.
struct BaselineEntry {
  std::string rule = {};
  std::string object = {};
  std::string fingerprint = {};
  TextRange place = {};  ///< place of the entry in the baseline
};
[[nodiscard]] auto read_baseline(std::string_view text, const std::string& name, FileId file)
    -> Result<std::vector<BaselineEntry>>;
/// The text of a baseline file with all findings that count.
[[nodiscard]] auto baseline_text(const Findings& findings) -> std::string;

}  // namespace previct::lint
