#pragma once

#include "lint/fix.h"
#include "lint/tree.h"
#include "report/report.h"

#include <vector>

namespace previct::lint {

struct Rule;

/// What `previct lint` says, and with which settings. `details`: notes and excerpts below each finding, for people at a
/// terminal.
[[nodiscard]] auto lint_report(Findings findings, const Tree& tree, const Settings& settings, bool details) -> Report;

/// What `previct lint --scopes` says: what is applied together.
[[nodiscard]] auto scopes_report(const Tree& tree) -> Report;

/// What `previct lint --fix --dry-run` says: a unified diff.
[[nodiscard]] auto diff_report(const std::vector<FixedFile>& files) -> Report;

/// The catalogue, one line a rule.
[[nodiscard]] auto rules_report(const std::vector<const Rule*>& rules) -> Report;

/// One rule in full, with its two manifests.
[[nodiscard]] auto rule_report(const Rule& rule) -> Report;

}  // namespace previct::lint
