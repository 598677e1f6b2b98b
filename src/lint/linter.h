#pragma once

#include "lint/found.h"
#include "lint/settings.h"
#include "lint/tree.h"

namespace previct::lint {

/// Sets the fingerprints of findings from their rule, object and text; equal findings are numbered.
void set_fingerprints(std::deque<FindingSink::Item>& items);

/// Applies the rules that `settings` selects to every scope of the tree. Each finding is reported once however many
/// scopes contain its object. Drops findings about placeholders, and marks findings as suppressed that an annotation, a
/// comment, the settings or the baseline ignore:
///
///     metadata: {annotations: {previct/ignore: "PT011: agents are static pods here"}}   the object
///     value: 8000  # previct:ignore PC012 burst capacity                                  its line
///     # previct:ignore PC012 burst capacity                                               the next line, or the object
///                                                                                         that begins there
///
/// An ignore without a reason, with an unknown rule, or without a matching finding is a finding of the family LI.
/// Findings are ordered by file, line, column and rule.
[[nodiscard]] auto lint(const Tree& tree, const Settings& settings, const std::vector<BaselineEntry>& baseline)
    -> Findings;

/// The documentation of a rule.
struct Rule;
[[nodiscard]] auto text_of(const Rule& rule) -> RuleText;

}  // namespace previct::lint
