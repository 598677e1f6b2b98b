#pragma once

#include "api/meta.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {
class Snapshot;
}

/// Amounts of resources as YuniKorn's core calculates with them.
namespace previct::yunikorn {

/// A resource type of one question, numbered by its TypeNames.
using TypeId = std::uint32_t;

/// Amounts by type, saturating at the int64 range. An absent type differs from a type with amount 0: many rules only
/// consider the types that both sides, or one particular side, contain. Entries are sorted by type id.
/// `vcore` counts thousandths of a cpu; every other type counts its own unit.
/// Source: apache/yunikorn-core 1.9 pkg/common/resources; each function names its counterpart.
class Resources {
 public:
  struct Entry {
    TypeId type = 0;
    std::int64_t amount = 0;
    friend auto operator==(const Entry&, const Entry&) -> bool = default;
  };

  Resources() = default;
  Resources(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) set(entry.type, entry.amount);
  }

  [[nodiscard]] auto get(TypeId type) const -> std::optional<std::int64_t>;
  /// 0 if absent.
  [[nodiscard]] auto amount(TypeId type) const -> std::int64_t { return get(type).value_or(0); }
  [[nodiscard]] auto has(TypeId type) const -> bool { return get(type).has_value(); }
  void set(TypeId type, std::int64_t amount);
  /// Adds to one type; an absent type is added.
  void add(TypeId type, std::int64_t amount);

  /// Adds or subtracts amount by amount; types that only `other` has are added. (AddTo, SubFrom)
  auto operator+=(const Resources& other) -> Resources&;
  auto operator-=(const Resources& other) -> Resources&;

  [[nodiscard]] auto empty() const -> bool { return entries_.empty(); }
  [[nodiscard]] auto size() const -> std::size_t { return entries_.size(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  /// Exactly the same types with the same amounts; see `equal` for YuniKorn's own equality.
  friend auto operator==(const Resources&, const Resources&) -> bool = default;

 private:
  std::vector<Entry> entries_;
};

/// Unset differs, for some rules, from "set, but without any type" (Go's nil).
using MaybeResources = std::optional<Resources>;

[[nodiscard]] auto saturating_add(std::int64_t a, std::int64_t b) -> std::int64_t;
[[nodiscard]] auto saturating_subtract(std::int64_t a, std::int64_t b) -> std::int64_t;

[[nodiscard]] auto operator+(Resources a, const Resources& b) -> Resources;
[[nodiscard]] auto operator-(Resources a, const Resources& b) -> Resources;

/// Returns true if `room` is enough for every type of `need`. Absent and negative amounts count as 0. (FitIn)
[[nodiscard]] auto fits(const Resources& room, const Resources& need) -> bool;
/// Like `fits`, but a type that `room` does not contain is not limited. (FitInMaxUndef)
[[nodiscard]] auto fits_where_limited(const Resources& room, const Resources& need) -> bool;
/// Like `fits_where_limited`, but negative amounts in `room` are not raised to 0. (FitInActual)
[[nodiscard]] auto fits_exactly_where_limited(const Resources& room, const Resources& need) -> bool;

/// Returns true if a >= b for every type of either side; absent counts as 0. (StrictlyGreaterThanOrEquals)
[[nodiscard]] auto at_least(const Resources& a, const Resources& b) -> bool;
/// Returns true if no amount is negative and at least one is positive. (StrictlyGreaterThanZero)
[[nodiscard]] auto positive(const Resources& a) -> bool;
/// Returns true if they have a type in common, whatever the amounts. (MatchAny)
[[nodiscard]] auto share_a_type(const Resources& a, const Resources& b) -> bool;
/// Returns true if, over the types that both have, no amount of `a` is smaller and some amount differs. If they have no
/// type in common: true if both are non-empty. If `b` is empty: true if all amounts of `a` are positive.
/// (StrictlyGreaterThanOnlyExisting)
[[nodiscard]] auto greater_in_common(const Resources& a, const Resources& b) -> bool;
/// Like `greater_in_common`, but true also if all amounts are equal. (StrictlyGreaterThanOrEqualsOnlyExisting)
[[nodiscard]] auto at_least_in_common(const Resources& a, const Resources& b) -> bool;
/// Returns true if the amounts are the same; absent counts as 0. (Equals on two that are set)
[[nodiscard]] auto equal(const Resources& a, const Resources& b) -> bool;

/// Returns base - taken for the types of `base` only; unset stays unset. (SubOnlyExisting)
[[nodiscard]] auto less_in_common(MaybeResources base, const Resources& taken) -> MaybeResources;
/// Returns the smaller amount of each type of either; for a type that only one has, its amount. (ComponentWiseMin)
[[nodiscard]] auto smaller_of_each(MaybeResources a, const MaybeResources& b) -> MaybeResources;
/// Returns the smaller amount of each type of either; absent counts as 0. (ComponentWiseMin before 1.6)
[[nodiscard]] auto smaller_or_zero(const Resources& a, const Resources& b) -> Resources;
/// Returns the smaller amount of each type of `a`; an unset `b` limits nothing. (ComponentWiseMinOnlyExisting)
[[nodiscard]] auto smaller_in_common(MaybeResources a, const MaybeResources& b) -> MaybeResources;
/// Returns `a` plus the types that only `b` has. (MergeIfNotPresent)
[[nodiscard]] auto merged(Resources a, const Resources& b) -> Resources;
/// Returns a - b, where no amount of a type of `b` falls below 0. (SubEliminateNegative)
[[nodiscard]] auto less_down_to_zero(Resources a, const Resources& b) -> Resources;
/// Removes the types whose amount is 0. (Prune)
[[nodiscard]] auto without_zeros(const Resources& a) -> Resources;

/// The resource types of one question: `cpu` of the API is YuniKorn's `vcore`.
class TypeNames {
 public:
  explicit TypeNames(const Snapshot& cluster);

  [[nodiscard]] auto id(std::string_view name) -> TypeId;
  /// Returns none if no such type is known.
  [[nodiscard]] auto find(std::string_view name) const -> std::optional<TypeId>;
  [[nodiscard]] auto name(TypeId type) const -> std::string_view { return names_[type]; }

  /// Converts a list of the API to YuniKorn's units: cpu in thousandths, everything else whole, rounded up.
  /// Source: apache/yunikorn-k8shim pkg/common/resource.go getResource.
  [[nodiscard]] auto read(const ResourceList& list) -> Resources;

  /// Returns true if pod-level requests may contain this type: cpu, memory, huge pages.
  [[nodiscard]] auto pod_level(TypeId type) const -> bool;
  /// Returns true if this is the restart policy of a sidecar.
  [[nodiscard]] auto is_always(Symbol restart_policy) const -> bool;

  /// Returns the entries by name, for display.
  [[nodiscard]] auto by_name(const Resources& resources) const
      -> std::vector<std::pair<std::string_view, std::int64_t>>;

  /// `vcore` and `pods`, known to every question.
  static constexpr TypeId kVcore = 0;
  static constexpr TypeId kPods = 1;

 private:
  static constexpr TypeId kUnknown = UINT32_MAX;

  const Snapshot& cluster_;
  std::vector<std::string> names_;
  std::vector<TypeId> by_symbol_;  // by the symbol of the API's name; kUnknown: not seen yet
};

}  // namespace previct::yunikorn
