#pragma once

#include "api/described.h"
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

/// What the scalars of .previct.yaml may be.
[[nodiscard]] auto severity_form() -> Form<Severity>;
[[nodiscard]] auto rule_form() -> Form<std::string>;       ///< the ID of a rule, in capitals or not
[[nodiscard]] auto selection_form() -> Form<std::string>;  ///< a rule, or a family of rules
[[nodiscard]] auto any_text_form() -> Form<std::string>;
[[nodiscard]] auto day_form() -> Form<Instant>;

/// An entry of `ignore` in .previct.yaml. Empty fields match everything; `object` and `file` may contain `*`.
struct Ignore {
  std::string rule = {};
  std::string object = {};  ///< `PriorityClass low`
  std::string file = {};
  std::string reason = {};
  std::optional<Instant> expires = {};  ///< the ignore has no effect from this time on
  TextRange place = {};

  template <class Field>
  friend void describe(Field& field, Ignore& self) {
    field("rule", as(self.rule, text_form()), "ID of the rule", Need::required);
    field("object", as(self.object, any_text_form()),
          "such as PriorityClass low; * matches any text; default: any object");
    field("file", as(self.file, any_text_form()), "the path of the file, in the same way");
    field("reason", as(self.reason, any_text_form()),
          "the reason; required, because an ignore without one is itself a finding");
    field("expires", as(self.expires, day_form()), "the day, such as 2026-05-01, from which it is a finding again");
  }
  friend auto finish(Ignore& self, const Place& place) -> std::string;
};

template <class Field>
void describe(Field& field, NamedScope& self) {
  ListOf<As<std::string>> paths = list_of(self.paths, text_form(), "a list of files, folders or patterns");
  paths.least = 1;
  field("name", as(self.name, text_form()), "as --scopes shows it", Need::required);
  field("paths", paths, "files, folders with all below them, or patterns with *", Need::required);
}

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

  template <class Field>
  friend void describe(Field& field, Settings& self) {
    field("cluster",
          ReadElsewhere{R"({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}})"},
          "flags for all commands that follow a scheduler, such as k8s-version: 1.35; not read by lint");
    field("fail-on", as(self.fail_on, word_form({"error", "warning", "info", "never"})),
          "exit with 1 at this severity or above; default: error");
    field("only", list_of(self.only, selection_form(), "a list of rules"),
          "rules (PT004) or families (PT) to apply; all others are skipped");
    field("skip", list_of(self.skip, selection_form(), "a list of rules"), "rules or families to skip");
    const auto severity_of_rule = [&self](const std::string& rule, const Place&) {
      return as(self.severity[rule], severity_form());
    };
    field("severity", MapTo<As<Severity>>{rule_form(), severity_of_rule, "RULE: SEVERITY"},
          "rules, with a severity that replaces their own");
    field("ignore", records(self.ignores), "findings to ignore, each with a rule and a reason");
    field("scopes", records(self.scopes), "files that you apply together; previct compares them with each other");
    field("known-schedulers", list_of(self.known_schedulers, text_form()),
          "names of schedulers that run, though no configuration in the input has them");
    const auto threshold = [&self](const char* key) {
      return As<std::int64_t>{integer_form(),
                              [&self, key](std::int64_t value, const Place&) { self.thresholds[key] = value; }};
    };
    field("thresholds", group([&](auto& thresholds) {
            thresholds("expendable-priority", threshold("expendable-priority"),
                       "the priority below which cluster-autoscaler does nothing for a pod; -10 without it");
            thresholds("grace-period-seconds", threshold("grace-period-seconds"),
                       "how long a preemptor may have to wait for a victim to end; 300 without it");
          }),
          "numbers that rules go by");
  }
};

/// Reads .previct.yaml strictly (api/strict_reader.h), except for `cluster`, which is for other commands
/// (cli/settings_file.h). Errors quote a text of the file only if it is similar to a known word: the file may be a link
/// to anything.
[[nodiscard]] auto read_settings(std::string_view text, const std::string& name, FileId file) -> Result<Settings>;

/// Fails for a word of --only or --skip that matches no rule.
[[nodiscard]] auto check_selection(const std::vector<std::string>& words, std::string_view flag) -> Result<void>;

/// Parses `PT004=error`, the form of --severity, into `settings`.
[[nodiscard]] auto set_severity(std::string_view word, Settings& settings) -> Result<void>;

[[nodiscard]] auto selected(std::string_view rule, const Settings& settings) -> bool;

/// A finding that existed when the baseline was written.
struct BaselineEntry {
  std::string rule = {};
  std::string object = {};
  std::string fingerprint = {};
  TextRange place = {};  ///< place of the entry in the baseline
};
[[nodiscard]] auto read_baseline(std::string_view text, const std::string& name, FileId file)
    -> Result<std::vector<BaselineEntry>>;
/// The fingerprint of the finding that an entry of the baseline matches nothing any more.
[[nodiscard]] auto gone(const BaselineEntry& entry) -> std::string;
/// The text of a baseline file with all findings that count, and without the entries that match nothing any more.
[[nodiscard]] auto baseline_text(const Findings& findings) -> std::string;

}  // namespace previct::lint
