// Quantities: written ones can be read again, rounding is upwards, and caps are upstream's.

#include "api/quantity.h"

#include "api/field_reader.h"
#include "api/fields.h"
#include "engine/yunikorn/config.h"
#include "fuzz/fuzz.h"

namespace previct::fuzz {

void quantity(std::string_view input) {
  for (const bool vcore : {false, true}) static_cast<void>(yunikorn::parse_amount(input, vcore));
  const auto quantity = Quantity::parse(input);
  if (!quantity) return;
  const auto again = Quantity::parse(format_quantity(*quantity));
  insist(again.has_value(), "a quantity is written as one that cannot be read");
  const bool thousandths = Quantity::of(quantity->value()) == *quantity;
  insist(!thousandths || *again == *quantity, "a quantity is written as another one");
  insist(again->milli() == quantity->milli(), "a quantity is written as one of other thousandths");
}

}  // namespace previct::fuzz
