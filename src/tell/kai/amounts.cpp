#include "tell/kai/amounts.h"

#include <fmt/format.h>

#include <array>

namespace previct::kai {

auto resource_word(std::size_t resource) -> std::string_view {
  constexpr std::array<std::string_view, kShared> kWords = {"cpu", "memory", "gpu"};
  return resource < kWords.size() ? kWords[resource] : std::string_view();
}

auto amount_words(double value, std::size_t resource) -> std::string {
  constexpr double kGi = 1024.0 * 1024 * 1024;
  constexpr double kMilli = 1000;
  if (value == kUnlimited) return "-";
  if (resource == kCpu) return fmt::format("{:g}", value / kMilli);
  if (resource == kMemory) return fmt::format("{:.4g}Gi", value / kGi);
  return fmt::format("{:g}", value);
}

}  // namespace previct::kai
