#pragma once

#include <string>

namespace previct {

/// Returns every reason that an engine can give, and everything that an answer may not know, as a Markdown page:
/// docs/words.md, for reading all of them at once.
[[nodiscard]] auto words_page() -> std::string;

}  // namespace previct
