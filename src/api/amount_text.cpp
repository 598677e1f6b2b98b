#include "api/amount_text.h"

#include <fmt/format.h>

#include <array>

namespace previct {
namespace {

auto bytes_text(std::int64_t bytes) -> std::string {
  constexpr std::array<std::string_view, 7> kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
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
  const bool in_bytes = resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return in_bytes ? bytes_text(amount) : fmt::format("{}", amount);
}

}  // namespace previct
