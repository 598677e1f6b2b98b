#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The amount of a resource in the usual notation: `3500m` or `2` for cpu (`amount` in thousandths), `6Gi` for
/// resources in bytes (exact, in the largest binary unit that divides the amount), otherwise the number.
[[nodiscard]] auto amount_text(std::string_view resource, std::int64_t amount) -> std::string;

/// As amount_text(), but easy to read: `62.6Gi`, `3.5` cores. Amounts in bytes have three digits unless the exact text
/// is short.
[[nodiscard]] auto readable_amount(std::string_view resource, std::int64_t amount) -> std::string;

/// Amounts of one resource for comparison: exact if each text is short or if two different amounts would look the same,
/// otherwise readable.
[[nodiscard]] auto readable_amounts(std::string_view resource, const std::vector<std::int64_t>& amounts)
    -> std::vector<std::string>;

}  // namespace previct
