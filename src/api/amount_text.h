#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// How much of a resource, as people write it: `3500m`, `2` for cpu (`amount` in thousandths), `6Gi` for what is
/// counted in bytes (exact, in the largest binary unit that divides it), else the number.
[[nodiscard]] auto amount_text(std::string_view resource, std::int64_t amount) -> std::string;

/// The same for the eye: `62.6Gi`, `3.5` cores. Three digits of what is counted in bytes, unless the exact text is
/// short.
[[nodiscard]] auto readable_amount(std::string_view resource, std::int64_t amount) -> std::string;

/// Amounts of one resource that are compared: exact if each is short or two of them would read the same, else readable.
[[nodiscard]] auto readable_amounts(std::string_view resource, const std::vector<std::int64_t>& amounts)
    -> std::vector<std::string>;

}  // namespace previct
