#pragma once

#include "lint/fix.h"
#include "lint/tree.h"
#include "report/report.h"

#include <vector>

namespace previct::lint {

struct Rule;

/// The report of `previct lint`, and the settings used. `details`: notes and excerpts below each finding, for
/// terminals.
[[nodiscard]] auto lint_report(Findings findings, const Tree& tree, const Settings& settings, bool details) -> Report;

/// The report of `previct lint --scopes`: which objects are applied together.
[[nodiscard]] auto scopes_report(const Tree& tree) -> Report;

/// The report of `previct lint --fix --dry-run`: a unified diff.
[[nodiscard]] auto diff_report(const std::vector<FixedFile>& files) -> Report;

/// The catalog, one line per rule.
[[nodiscard]] auto rules_report(const std::vector<const Rule*>& rules) -> Report;

/// One rule in full, with its two manifests.
[[nodiscard]] auto rule_report(const Rule& rule) -> Report;

}  // namespace previct::lint
