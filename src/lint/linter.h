#pragma once

#include "lint/settings.h"
#include "lint/tree.h"

namespace previct::lint {

/// Applies the rules that `settings` selects to every scope of the tree, each finding told once however many scopes an
/// object is in; leaves out what placeholders seem to be wrong; and marks as suppressed what an annotation, a comment,
/// the settings or the baseline ignore:
///
///     metadata: {annotations: {previct/ignore: "PT011: agents are static pods here"}}   the object
///     value: 8000  # previct:ignore PC012 burst capacity                                  its line
///     # previct:ignore PC012 burst capacity                                               the next line, or the object
///                                                                                         that begins there
///
/// An ignore without a reason, of no known rule, or that ignores nothing is a finding of the family LI. Findings come
/// by file, line, column and rule.
[[nodiscard]] auto lint(const Tree& tree, const Settings& settings, const std::vector<BaselineEntry>& baseline)
    -> Findings;

/// What a rule says about itself.
struct Rule;
[[nodiscard]] auto text_of(const Rule& rule) -> RuleText;

}  // namespace previct::lint
