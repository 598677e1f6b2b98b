#pragma once

#include <string>
#include <string_view>

namespace previct {

/// Encodes bytes as base64 (standard alphabet, padded, on one line).
[[nodiscard]] auto encode_base64(std::string_view bytes) -> std::string;

/// Decodes base64 (standard alphabet, padded; line ends are ignored). Returns false if the text is not base64.
[[nodiscard]] auto decode_base64(std::string_view text, std::string& out) -> bool;

}  // namespace previct
