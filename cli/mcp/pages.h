#pragma once

#include <string_view>
#include <vector>

namespace previct::cli::mcp {

/// A page of the documentation.
struct DocumentationPage {
  std::string_view name;  ///< of the file, without `.md`: `sequence`; `README`
  std::string_view text;  ///< Markdown
};

/// All pages of this version of the program, except those that it makes itself.
[[nodiscard]] auto pages() -> const std::vector<DocumentationPage>&;

}  // namespace previct::cli::mcp
