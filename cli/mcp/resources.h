#pragma once

#include "report/report.h"

#include <optional>
#include <string>

namespace previct::cli::mcp {

/// What a client can read beside the answers, in Markdown: the rules of lint and the reasons of verdicts
/// (`previct://rules`, `previct://rules/PT004`, `previct://words`), the words of answers (`previct://glossary`), the
/// manual of each command (`previct://commands/explain`), and the documentation (`previct://docs/sequence`).

/// The result of resources/list.
[[nodiscard]] auto resource_list() -> Json;
/// The result of resources/templates/list.
[[nodiscard]] auto resource_templates() -> Json;
/// None if there is no such resource.
[[nodiscard]] auto resource_text(const std::string& uri) -> std::optional<std::string>;

}  // namespace previct::cli::mcp
