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

/// What is granted, used or requested of a resource: CPU in milli-CPU, everything else in units. The largest value
/// stands for no limit at all: it absorbs what is added to it or taken from it. Other sums stay within the range.
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

/// A quota; what is beyond the range is unlimited.
[[nodiscard]] auto quota_amount(std::string_view resource, Quantity quantity) -> Amount;

/// What one pod requests, at most INT64_MAX.
[[nodiscard]] auto request_amount(std::string_view resource, Quantity quantity) -> Amount;

/// `amount` of each of `count` pods.
[[nodiscard]] auto times(Amount amount, std::int64_t count) -> Amount;

/// As Kueue prints it: `1500m`, `2Gi`. Source: pkg/resources/resource_formatter.go.
[[nodiscard]] auto amount_text(std::string_view resource, Amount amount) -> std::string;
/// The same of a request, of which the largest value is no sign of anything.
[[nodiscard]] auto request_text(std::string_view resource, Amount amount) -> std::string;

/// One resource of one flavor: what quota is counted in.
using FlavorResource = Id<struct FlavorResourceTag>;

/// Their names, in the order of first use.
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

/// What is requested, or used, of each; no two entries of one.
struct Request {
  FlavorResource of;
  Amount amount;
};
using Requests = std::vector<Request>;
void add(Requests& requests, FlavorResource of, Amount amount);
[[nodiscard]] auto amount_of(const Requests& requests, FlavorResource of) -> Amount;

}  // namespace previct::kueue
