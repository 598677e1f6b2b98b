#pragma once

#include <string>

namespace previct {

/// Every reason that an engine can give and everything that an answer may not know, in words, as a page of Markdown:
/// docs/words.md, for those who read all of them in one sitting.
[[nodiscard]] auto words_page() -> std::string;

}  // namespace previct
