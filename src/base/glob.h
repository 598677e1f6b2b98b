#pragma once

#include <string_view>

namespace previct {

/// Returns true if the pattern matches the whole text. `*` matches any characters, also none, and `?` a single byte. No
/// character has another meaning.
[[nodiscard]] auto matches_glob(std::string_view pattern, std::string_view text) -> bool;

}  // namespace previct
