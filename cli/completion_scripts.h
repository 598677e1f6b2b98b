#pragma once

#include <string_view>
#include <vector>

namespace previct::cli {

/// A file of completions/, for installation.
struct CompletionScript {
  std::string_view shell;  ///< file name extension
  std::string_view text;
};

/// All scripts, by name.
[[nodiscard]] auto completion_scripts() -> const std::vector<CompletionScript>&;

}  // namespace previct::cli
