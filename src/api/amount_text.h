#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace previct {

/// How much of a resource, as people write it: `3500m`, `2` for cpu (`amount` in thousandths), `6Gi` for what is
/// counted in bytes (exact, in the largest binary unit that divides it), else the number.
[[nodiscard]] auto amount_text(std::string_view resource, std::int64_t amount) -> std::string;

}  // namespace previct
