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

/// An entry of `ignore` in .previct.yaml. Empty fields say nothing; `object` and `file` may hold `*`.
struct Ignore {
  std::string rule = {};
  std::string object = {};  ///< `PriorityClass low`
  std::string file = {};
  std::string reason = {};
  std::optional<Instant> expires = {};  ///< from then on it is a finding again
  TextRange place = {};
};

/// What a run is asked to do: from .previct.yaml, with the command line over it.
struct Settings {
  std::string file;               ///< that they were read from, as the answer names it; empty: none
  std::vector<std::string> only;  ///< ids (`PT004`) or families (`PT`); empty: all
  std::vector<std::string> skip;
  std::map<std::string, Severity> severity;  ///< of single rules, in place of their own
  std::optional<std::string> fail_on;        ///< error, warning, info, never
  std::vector<Ignore> ignores;
  std::vector<NamedScope> scopes;
  std::vector<std::string> known_schedulers;
  std::map<std::string, std::int64_t, std::less<>> thresholds;
};

/// Reads .previct.yaml but for `cluster`, which is about other commands (cli/settings_file.h). Errors: broken YAML,
/// keys or values that are not known (with the nearest that is). What stands in the file is not repeated in them,
/// unless it is nearly a word that is known: the file may be a link to anything.
[[nodiscard]] auto read_settings(std::string_view text, const std::string& name, FileId file) -> Result<Settings>;

/// Fails for a word of --only or --skip that no rule answers to.
[[nodiscard]] auto check_selection(const std::vector<std::string>& words, std::string_view flag) -> Result<void>;

/// `PT004=error`, as --severity takes it, into `settings`.
[[nodiscard]] auto set_severity(std::string_view word, Settings& settings) -> Result<void>;

[[nodiscard]] auto selected(std::string_view rule, const Settings& settings) -> bool;

/// Does `text` look like `pattern`, where `*` stands for any text?
[[nodiscard]] auto matches_pattern(std::string_view pattern, std::string_view text) -> bool;

/// One finding that was there when a team began.
struct BaselineEntry {
  std::string rule = {};
  std::string object = {};
  std::string fingerprint = {};
  TextRange place = {};  ///< of the entry
};
[[nodiscard]] auto read_baseline(std::string_view text, const std::string& name, FileId file)
    -> Result<std::vector<BaselineEntry>>;
/// A baseline of all findings that count, as text of a file.
[[nodiscard]] auto baseline_text(const Findings& findings) -> std::string;

}  // namespace previct::lint
