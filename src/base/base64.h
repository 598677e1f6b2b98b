#pragma once

#include <string>
#include <string_view>

namespace previct {

/// The bytes of a text in base64 (standard alphabet, padded; line ends are ignored). False if it is none.
[[nodiscard]] auto decode_base64(std::string_view text, std::string& out) -> bool;

}  // namespace previct
