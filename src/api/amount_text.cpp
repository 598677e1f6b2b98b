#include "api/amount_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace previct {
namespace {

constexpr std::array<std::string_view, 7> kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

auto in_bytes(std::string_view resource) -> bool {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

auto bytes_text(std::int64_t bytes) -> std::string {
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

}  // namespace

auto amount_text(std::string_view resource, std::int64_t amount) -> std::string {
  if (resource == "cpu" && amount % 1000 != 0) return fmt::format("{}m", amount);
  if (resource == "cpu") return fmt::format("{}", amount / 1000);
  return in_bytes(resource) ? bytes_text(amount) : fmt::format("{}", amount);
}

auto readable_amount(std::string_view resource, std::int64_t amount) -> std::string {
  constexpr std::size_t kShort = 5;
  std::string exact = amount_text(resource, amount);
  if (resource == "cpu") return fmt::format("{:g}", static_cast<double>(amount) / 1000);
  if (!in_bytes(resource) || exact.size() <= kShort) return exact;
  double value = static_cast<double>(amount);
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && std::abs(value) >= 1024; ++unit) value /= 1024;
  // For 1,000 to 1,023, the format with three digits would use an exponent.
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}{}", value, kUnits[unit])
                                 : fmt::format("{:.3g}{}", value, kUnits[unit]);
}

auto readable_amounts(std::string_view resource, const std::vector<std::int64_t>& amounts) -> std::vector<std::string> {
  std::vector<std::string> exact;
  std::vector<std::string> readable;
  for (const std::int64_t amount : amounts) {
    exact.push_back(amount_text(resource, amount));
    readable.push_back(readable_amount(resource, amount));
  }
  constexpr std::size_t kShort = 7;  // `45824Mi`
  const bool short_enough = std::none_of(exact.begin(), exact.end(), [](const std::string& text) {
    return text.size() > kShort || (text.size() > kShort - 1 && text.ends_with("Ki"));
  });
  bool alike = false;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) alike = alike || (amounts[i] != amounts[j] && readable[i] == readable[j]);
  }
  return !in_bytes(resource) || short_enough || alike ? exact : readable;
}

}  // namespace previct
