#pragma once

#include "lint/found.h"
#include "lint/repository.h"

#include <fmt/format.h>  // used by nearly every rule

#include <string_view>
#include <vector>

namespace previct::lint {

/// A possible defect of a manifest. Each rule is one file in src/lint/rules, named `<id>_<name>.cpp`, with one object
/// named `<file>_rule`, which the build finds automatically. fixtures/lint/rules/<ID>.diff has its examples.
struct Rule {
  std::string_view id;          ///< `PT004`: stable, because users write it into their files
  std::string_view name;        ///< `no-seconds`
  Severity severity;            ///< error: certainly broken; warning: does not work as it reads; info: worth knowing
  std::string_view title;       ///< one line
  std::string_view why;         ///< why it matters
  std::string_view how_to_fix;  ///< how to fix it
  std::string_view source;      ///< the upstream code or document
  void (*check)(const Repository& repository, FindingSink& found);
  /// Applied only where the input is a whole cluster (Repository::is_whole()): in a folder of a repository, what it
  /// misses may be elsewhere.
  bool whole_cluster = false;
};

/// When a rule of whole clusters is applied, in a sentence; empty for the other rules.
[[nodiscard]] auto when_applied(const Rule& rule) -> std::string_view;

/// The examples of a rule, which are also its tests.
struct RuleExamples {
  std::string_view id;    ///< of the rule
  std::string_view bad;   ///< a manifest with at least one finding of the rule
  std::string_view good;  ///< the same manifest without such findings
};

/// The examples of all rules, by id.
[[nodiscard]] auto rule_examples() -> const std::vector<RuleExamples>&;

/// The examples of one rule.
[[nodiscard]] auto examples_of(const Rule& rule) -> const RuleExamples&;

/// All rules, by id.
[[nodiscard]] auto rules() -> const std::vector<const Rule*>&;

/// Finds a rule by id, ignoring case; null if there is none.
[[nodiscard]] auto find_rule(std::string_view id) -> const Rule*;

}  // namespace previct::lint
