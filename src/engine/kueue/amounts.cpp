#include "engine/kueue/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kueue {
namespace {

constexpr __int128 kNanosOfMilli = 1'000'000;
constexpr __int128 kNanosOfUnit = 1'000'000'000;

auto rounded_up(__int128 nanos, __int128 unit) -> __int128 {
  return nanos / unit + (nanos % unit > 0 ? 1 : 0);
}

auto within_range(__int128 value) -> Amount {
  if (value > INT64_MAX) return {INT64_MAX};
  if (value < INT64_MIN) return {INT64_MIN};
  return {static_cast<std::int64_t>(value)};
}

auto unit_of(std::string_view resource) -> __int128 {
  return resource == "cpu" ? kNanosOfMilli : kNanosOfUnit;
}

auto is_binary(std::string_view resource) -> bool {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

struct Suffix {
  std::string_view text;
  std::int64_t size;
};

auto decimal_text(std::int64_t value, bool milli) -> std::string {
  if (value == 0) return "0";
  constexpr std::array kSuffixes = {Suffix{"E", 1'000'000'000'000'000'000},
                                    Suffix{"P", 1'000'000'000'000'000},
                                    Suffix{"T", 1'000'000'000'000},
                                    Suffix{"G", 1'000'000'000},
                                    Suffix{"M", 1'000'000},
                                    Suffix{"k", 1'000},
                                    Suffix{"", 1}};
  if (milli && value % 1000 != 0) return fmt::format("{}m", value);
  const std::int64_t whole = milli ? value / 1000 : value;
  const auto* const suffix =
      std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& each) { return whole % each.size == 0; });
  return fmt::format("{}{}", whole / suffix->size, suffix->text);
}

auto binary_text(std::int64_t value) -> std::string {
  constexpr std::array kSuffixes = {Suffix{"Ei", std::int64_t{1} << 60U}, Suffix{"Pi", std::int64_t{1} << 50U},
                                    Suffix{"Ti", std::int64_t{1} << 40U}, Suffix{"Gi", std::int64_t{1} << 30U},
                                    Suffix{"Mi", std::int64_t{1} << 20U}, Suffix{"Ki", std::int64_t{1} << 10U}};
  for (const Suffix& suffix : kSuffixes) {
    if (value != 0 && value % suffix.size == 0) return fmt::format("{}{}", value / suffix.size, suffix.text);
  }
  return fmt::format("{}", value);
}

auto key_of(Symbol flavor, Symbol resource) -> std::uint64_t {
  return (std::uint64_t{flavor.index} << 32U) | resource.index;
}

}  // namespace

auto operator+(Amount a, Amount b) -> Amount {
  if (a.is_unlimited() || b.is_unlimited()) return Amount::unlimited();
  return within_range(static_cast<__int128>(a.value) + b.value);
}

auto operator-(Amount a, Amount b) -> Amount {
  if (a.is_unlimited()) return b.is_unlimited() ? kNothing : a;
  if (b.is_unlimited()) return {INT64_MIN};
  return within_range(static_cast<__int128>(a.value) - b.value);
}

auto quota_amount(std::string_view resource, Quantity quantity) -> Amount {
  const __int128 most = resource == "cpu" ? static_cast<__int128>(INT64_MAX / 1000) * kNanosOfUnit
                                          : static_cast<__int128>(INT64_MAX) * kNanosOfUnit;
  if (quantity.nanos() >= most) return Amount::unlimited();
  return within_range(rounded_up(quantity.nanos(), unit_of(resource)));
}

auto request_amount(std::string_view resource, Quantity quantity) -> Amount {
  return within_range(rounded_up(quantity.nanos(), unit_of(resource)));
}

auto times(Amount amount, std::int64_t count) -> Amount {
  return within_range(static_cast<__int128>(amount.value) * count);
}

auto request_text(std::string_view resource, Amount amount) -> std::string {
  return is_binary(resource) ? binary_text(amount.value) : decimal_text(amount.value, resource == "cpu");
}

auto amount_text(std::string_view resource, Amount amount) -> std::string {
  return amount.is_unlimited() ? fmt::format("{}", amount.value) : request_text(resource, amount);
}

auto FlavorResources::intern(Symbol flavor, Symbol resource) -> FlavorResource {
  const auto [at, added] =
      ids_.try_emplace(key_of(flavor, resource), FlavorResource{static_cast<std::uint32_t>(names_.size())});
  if (added) names_.push_back({flavor, resource});
  return at->second;
}

auto FlavorResources::find(Symbol flavor, Symbol resource) const -> FlavorResource {
  const auto found = ids_.find(key_of(flavor, resource));
  return found == ids_.end() ? FlavorResource{} : found->second;
}

void add(Requests& requests, FlavorResource of, Amount amount) {
  const auto same = std::find_if(requests.begin(), requests.end(), [&](const Request& each) { return each.of == of; });
  if (same == requests.end()) {
    requests.push_back({of, amount});
  } else {
    same->amount = same->amount + amount;
  }
}

auto amount_of(const Requests& requests, FlavorResource of) -> Amount {
  const auto same = std::find_if(requests.begin(), requests.end(), [&](const Request& each) { return each.of == of; });
  return same == requests.end() ? kNothing : same->amount;
}

}  // namespace previct::kueue
