#pragma once

#include "api/quantity.h"

#include <cstdint>
#include <string_view>

namespace previct {

/// Converts to the unit in which an amount is changed: milli-CPU, bytes, devices.
inline auto in_units(std::string_view resource, Quantity quantity) -> std::int64_t {
  return resource == "cpu" ? quantity.milli() : quantity.value();
}

inline auto of_units(std::string_view resource, std::int64_t amount) -> Quantity {
  constexpr std::int64_t kNanosPerMilli = 1'000'000;
  return resource == "cpu" ? Quantity::of_nanos(static_cast<__int128>(amount) * kNanosPerMilli) : Quantity::of(amount);
}

}  // namespace previct
