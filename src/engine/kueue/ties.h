#pragma once

#include "base/split_mix64.h"
#include "engine/kueue/inventory.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::kueue {

/// In which order equal things are processed, where the order of Go's maps decides: heads that are equal for the
/// scheduler, and cohorts with equal shares.
struct TieOrder {
  enum class Kind : std::uint8_t {
    numbered,  ///< one of all orders of all ties; 0: as read
    reversed,
    leading,   ///< as read, but the head of a queue comes first
    trailing,  ///< as read, but the head of a queue comes last
    drawn      ///< pseudo-random
  };
  Kind kind = Kind::numbered;
  std::uint64_t number = 0;  ///< the index of the queue, or the seed

  friend constexpr auto operator<=>(TieOrder, TieOrder) = default;
};
inline constexpr TieOrder kAsRead{};
inline constexpr TieOrder kReversed{TieOrder::Kind::reversed, 0};

/// Resolves the ties of a simulation in one order. Those of one scope are independent of the others. A value type.
class Ties {
 public:
  explicit Ties(TieOrder order) : order_(order) {}

  /// Returns the order of the equal heads of these queues, as indexes.
  [[nodiscard]] auto order_of(std::string_view scope, const std::vector<QueueId>& heads) -> std::vector<std::size_t>;
  /// Returns true if the last of two equal cohorts is taken, as Go's map ends with it.
  [[nodiscard]] auto takes_last_cohort(std::string_view scope) -> bool;

  /// Returns how many orders the ties so far have: of the scope with most, and at most kMany.
  [[nodiscard]] auto orders() const -> std::uint64_t;
  static constexpr std::uint64_t kMany = 1'000'000;

 private:
  struct Scope {
    std::uint64_t rest;  // of the number, in mixed radix
    SplitMix64 random;
    std::uint64_t orders = 1;
  };
  auto scope_of(std::string_view scope, std::uint64_t ways) -> Scope&;

  TieOrder order_;
  std::map<std::string_view, Scope> scopes_;
};

/// Calls `decide` with the orders of ties to try besides kAsRead: all, if they are few. It returns how many orders the
/// ties have in that order, or none to end. Returns true if every possible order was tried.
/// `orders`: of the ties as read. `queues`: those whose head should be the first, and the last of equal ones.
auto each_order(const Inventory& inventory, std::uint64_t orders, const std::vector<QueueId>& queues,
                const std::function<std::optional<std::uint64_t>(TieOrder)>& decide) -> bool;

}  // namespace previct::kueue
