#pragma once

#include <string>

namespace previct::lint {

/// The catalog as a Markdown page, docs/rules.md: one heading per rule, with the lower-case id as anchor.
[[nodiscard]] auto rules_page() -> std::string;

}  // namespace previct::lint
