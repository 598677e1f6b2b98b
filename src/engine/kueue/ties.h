#pragma once

#include "base/split_mix64.h"
#include "engine/kueue/inventory.h"

#include <compare>
#include <cstddef>
#include <cstdint>
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

/// Which orders of ties are tried besides kAsRead: all, if they are few.
class OtherOrders {
 public:
  /// `orders`: of the ties as read. `queues`: those whose head should be the first, and the last of equal ones.
  OtherOrders(const Inventory& inventory, std::uint64_t orders, std::vector<QueueId> queues);

  /// Returns the next order; none: no more are tried.
  [[nodiscard]] auto next() -> std::optional<TieOrder>;
  /// Notes how many orders the ties have in the order returned last.
  void note(std::uint64_t orders);
  /// Returns true if every possible order was tried.
  [[nodiscard]] auto tried_all() const -> bool { return orders_ <= tried_ && all_; }

 private:
  std::uint64_t orders_;
  std::uint64_t most_;
  bool all_;                 // the numbered orders are tried
  std::uint64_t tried_ = 1;  // with kAsRead
  std::vector<TieOrder> some_{};
};

}  // namespace previct::kueue
