#pragma once

#include <string>

namespace previct::lint {

/// The catalogue as a page of Markdown, docs/rules.md: one heading a rule, whose anchor is the id in small letters.
[[nodiscard]] auto rules_page() -> std::string;

}  // namespace previct::lint
