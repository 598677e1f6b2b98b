#pragma once

#include "api/quantity.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::kube::devices::cel {
// NOLINTBEGIN(misc-no-recursion): the parser limits the depth of lists

/// A version as defined by semver.org 2.0.0. Build metadata is ignored in comparisons.
/// Source: github.com/blang/semver/v4: semver.go Parse, Compare.
struct Version {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::int64_t patch = 0;
  std::vector<std::string> before;  ///< pre-release identifiers

  [[nodiscard]] static auto parse(std::string_view text) -> std::optional<Version>;
};
[[nodiscard]] auto compare(const Version& a, const Version& b) -> int;

/// The static type of an expression. `any`: the value of an attribute.
enum class Type : std::uint8_t {
  boolean,
  integer,
  text,
  quantity,
  version,
  any,
  list,
  device,
  attributes,         ///< by domain
  domain_attributes,  ///< by name
  capacities,
  domain_capacities
};

struct Value {
  Type type = Type::boolean;
  bool truth = false;
  std::int64_t number = 0;
  std::string text{};  ///< also the domain of domain_attributes and domain_capacities
  Quantity quantity{};
  std::shared_ptr<const Version> version{};
  std::vector<Value> list{};

  [[nodiscard]] static auto of(bool truth) -> Value { return {.type = Type::boolean, .truth = truth}; }
  [[nodiscard]] static auto of(std::int64_t number) -> Value { return {.type = Type::integer, .number = number}; }
  [[nodiscard]] static auto of(std::string text) -> Value { return {.type = Type::text, .text = std::move(text)}; }
  [[nodiscard]] static auto of(Quantity quantity) -> Value { return {.type = Type::quantity, .quantity = quantity}; }
  [[nodiscard]] static auto of(Version version) -> Value {
    return {.type = Type::version, .version = std::make_shared<const Version>(std::move(version))};
  }
};

/// Values of different types are unequal, which is not an error.
[[nodiscard]] auto equal(const Value& a, const Value& b) -> bool;

/// Returns a negative number, 0 or a positive number; nothing if both do not have the same ordered type.
[[nodiscard]] auto ordered(const Value& a, const Value& b) -> std::optional<int>;

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
