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
  /// Also accepts `v1.2`: a leading v, missing parts and leading zeros.
  /// Source: k8s.io/apiserver: pkg/cel/library/semverlib.go normalizeAndParse.
  [[nodiscard]] static auto parse_loosely(std::string_view text) -> std::optional<Version>;
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
  domain_capacities,
  optional,             ///< of `any`
  optional_quantity,    ///< of `quantity`
  optional_attributes,  ///< of `domain_attributes`
  optional_capacities   ///< of `domain_capacities`
};

struct Value {
  Type type = Type::boolean;
  bool truth = false;
  std::int64_t number = 0;
  std::string text{};  ///< also the domain of domain_attributes and domain_capacities
  Quantity quantity{};
  /// The quantity is an integer that upstream holds as one: it has fewer than 19 digits, and no part of it was written
  /// as a fraction (`1000m`).
  bool as_integer = false;
  bool summed = false;  ///< a quantity that add() or sub() returned
  std::shared_ptr<const Version> version{};
  std::vector<Value> list{};  ///< the elements of a list, or the value of an optional one

  [[nodiscard]] static auto of(bool truth) -> Value { return {.type = Type::boolean, .truth = truth}; }
  [[nodiscard]] static auto of(std::int64_t number) -> Value { return {.type = Type::integer, .number = number}; }
  [[nodiscard]] static auto of(std::string text) -> Value { return {.type = Type::text, .text = std::move(text)}; }
  /// A quantity as the API server writes it.
  [[nodiscard]] static auto of(Quantity quantity) -> Value;
  [[nodiscard]] static auto of(Version version) -> Value {
    return {.type = Type::version, .version = std::make_shared<const Version>(std::move(version))};
  }
};

/// Returns a quantity as an expression writes it; nothing if it is malformed.
/// Source: k8s.io/apimachinery: pkg/api/resource/quantity.go ParseQuantity; amount.go int64Amount.AsInt64.
[[nodiscard]] auto parse_quantity(std::string_view text) -> std::optional<Value>;
/// Returns the sum, or the difference.
/// Source: k8s.io/apimachinery: pkg/api/resource/quantity.go Quantity.Add, Sub.
[[nodiscard]] auto sum(const Value& a, const Value& b, bool add) -> Value;

/// `a == b`. Values of different types are unequal, but nothing is returned, for an error, if a quantity or a version
/// is compared with something else, or a quantity with a sum: only `a` may be one. Source: k8s.io/apiserver:
/// pkg/cel/quantity.go Quantity.Equal, pkg/cel/semver.go Semver.Equal; pkg/cel/library/quantity.go quantityAdd, which
/// returns a pointer.
[[nodiscard]] auto equal(const Value& a, const Value& b) -> std::optional<bool>;

/// Returns a negative number, 0 or a positive number; nothing if both do not have the same ordered type.
[[nodiscard]] auto ordered(const Value& a, const Value& b) -> std::optional<int>;

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices::cel
