#include "api/fields.h"

#include <array>

namespace previct {

auto format_quantity(Quantity quantity) -> std::string {
  struct Unit {
    std::int64_t size;
    std::string_view suffix;
  };
  constexpr std::array kBinaryUnits = {Unit{std::int64_t{1} << 40U, "Ti"}, Unit{std::int64_t{1} << 30U, "Gi"},
                                       Unit{std::int64_t{1} << 20U, "Mi"}};
  const std::int64_t whole = quantity.value();
  if (Quantity::of(whole) != quantity) return fmt::format("{}m", quantity.milli());
  for (const Unit& unit : kBinaryUnits) {
    if (whole != 0 && whole % unit.size == 0) return fmt::format("{}{}", whole / unit.size, unit.suffix);
  }
  return fmt::format("{}", whole);
}

}  // namespace previct
