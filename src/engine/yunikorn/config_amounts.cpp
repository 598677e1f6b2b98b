#include "engine/yunikorn/config_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {

auto amounts(const std::optional<TextMap>& texts) -> Result<Amounts> {
  Amounts result;
  for (const auto& [key, value] : texts.value_or(TextMap())) {
    const bool vcore = key.value == "vcore";
    const auto amount = parse_amount(value.value, vcore);
    if (!amount) {
      return fail(fmt::format("{}: \"{}\" is not a quantity", key.value, value.value), value.place,
                  vcore ? "whole cores (10) or thousandths (500m)"
                        : "an integer, optionally with a suffix k, M, G, T, P, E or Ki … Ei");
    }
    result[key.value] = *amount;
  }
  return result;
}

auto over(const Amounts& limit, const Amounts& need) -> const std::string* {
  for (const auto& [type, amount] : need) {
    const auto found = limit.find(type);
    if (found != limit.end() && amount > std::max<std::int64_t>(0, found->second)) return &found->first;
  }
  return nullptr;
}

auto all_zero(const Amounts& amounts) -> bool {
  return std::all_of(amounts.begin(), amounts.end(), [](const auto& entry) { return entry.second == 0; });
}

auto any_positive(const Amounts& amounts) -> bool {
  return std::any_of(amounts.begin(), amounts.end(), [](const auto& entry) { return entry.second > 0; });
}

void lower_to(Amounts& limit, const Amounts& other) {
  for (const auto& [type, amount] : other) {
    const auto [at, added] = limit.try_emplace(type, amount);
    if (!added) at->second = std::min(at->second, amount);
  }
}

auto place_of(const std::optional<TextMap>& texts, const std::string& type, Place otherwise) -> Place {
  for (const auto& [key, value] : texts.value_or(TextMap())) {
    if (key.value == type) return value.place;
  }
  return otherwise;
}

}  // namespace previct::yunikorn
