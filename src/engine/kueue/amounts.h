#pragma once

#include "api/quantity.h"
#include "base/id.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace previct::kueue {

/// An amount of a resource that is granted, used or requested: CPU in milli-CPU, everything else in units. The largest
/// value means no limit: adding to it or subtracting from it does not change it. Other sums saturate.
/// Source: kubernetes-sigs/kueue v0.19.0 pkg/resources/amount.go.
struct Amount {
  std::int64_t value = 0;

  [[nodiscard]] static constexpr auto unlimited() -> Amount { return {INT64_MAX}; }
  [[nodiscard]] constexpr auto is_unlimited() const -> bool { return value == INT64_MAX; }
  friend constexpr auto operator<=>(Amount, Amount) = default;
  friend auto operator+(Amount a, Amount b) -> Amount;
  friend auto operator-(Amount a, Amount b) -> Amount;
};
inline constexpr Amount kNothing{};

/// Returns a quota; a value beyond the range is unlimited.
[[nodiscard]] auto quota_amount(std::string_view resource, Quantity quantity) -> Amount;

/// Returns the request of one pod, at most INT64_MAX.
[[nodiscard]] auto request_amount(std::string_view resource, Quantity quantity) -> Amount;

/// Returns `amount` for each of `count` pods.
[[nodiscard]] auto times(Amount amount, std::int64_t count) -> Amount;

/// Formats an amount like Kueue: `1500m`, `2Gi`. Source: pkg/resources/resource_formatter.go.
[[nodiscard]] auto amount_text(std::string_view resource, Amount amount) -> std::string;
/// The same for a request, whose largest value has no special meaning.
[[nodiscard]] auto request_text(std::string_view resource, Amount amount) -> std::string;

/// One resource of one flavor: the unit in which quota is counted.
using FlavorResource = Id<struct FlavorResourceTag>;

/// The names of all FlavorResources, in the order of first use.
class FlavorResources {
 public:
  struct Names {
    Symbol flavor;
    Symbol resource;
  };

  auto intern(Symbol flavor, Symbol resource) -> FlavorResource;
  [[nodiscard]] auto find(Symbol flavor, Symbol resource) const -> FlavorResource;
  [[nodiscard]] auto operator[](FlavorResource id) const -> const Names& { return names_[id.index]; }
  [[nodiscard]] auto size() const -> std::size_t { return names_.size(); }

 private:
  std::vector<Names> names_;
  std::unordered_map<std::uint64_t, FlavorResource> ids_;
};

/// The amount that is requested, or used, of a FlavorResource; a list has at most one entry for each.
struct Request {
  FlavorResource of;
  Amount amount;
};
using Requests = std::vector<Request>;
void add(Requests& requests, FlavorResource of, Amount amount);
[[nodiscard]] auto amount_of(const Requests& requests, FlavorResource of) -> Amount;

}  // namespace previct::kueue
