#pragma once

#include <string_view>
#include <vector>

namespace previct::cli {

/// A file of completions/, as it is installed.
struct CompletionScript {
  std::string_view shell;  ///< the ending of its name
  std::string_view text;
};

/// By name.
[[nodiscard]] auto completion_scripts() -> const std::vector<CompletionScript>&;

}  // namespace previct::cli
