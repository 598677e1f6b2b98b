#pragma once

#include "base/split_mix64.h"
#include "engine/yunikorn/partition_context.h"

#include <cstdint>
#include <vector>

namespace previct::yunikorn {

/// A fixed pseudo-random sequence of orders, so that the same question gets the same answer.
/// Number 0 does not shuffle at all.
class Random {
 public:
  explicit Random(std::uint64_t number) : shuffles_(number != 0), random_(number * SplitMix64::kGamma) {}

  template <class T>
  void shuffle(std::vector<T>& items) {
    if (shuffles_) random_.shuffle(items);
  }

 private:
  bool shuffles_;
  SplitMix64 random_;
};

/// One order in which the scheduler could see its candidates: it iterates twice over Go maps of queues, of their
/// applications and of the applications' pods.
struct EligibleOrder {
  std::vector<const Allocation*> first;   ///< when candidates are collected
  std::vector<const Allocation*> second;  ///< when additional victims are searched: queues are in a new order
};

/// Draws orders at random, because there are far too many to enumerate.
class Orders {
 public:
  /// `eligible` must outlive this object.
  explicit Orders(const std::vector<Allocation>& eligible);

  /// Returns how many orders to draw: one if no result can depend on the order of candidates; otherwise fewer the more
  /// candidates there are, to limit the time.
  [[nodiscard]] auto count() const -> std::size_t;
  /// Returns true if there are so few orders that drawing covers all of them.
  [[nodiscard]] auto few() const -> bool { return arrangements_ <= kFew; }
  [[nodiscard]] auto draw(Random& random) const -> EligibleOrder;

 private:
  using AppPods = std::vector<const Allocation*>;
  using QueuePods = std::vector<AppPods>;

  static constexpr std::size_t kFew = 8;

  std::size_t size_ = 0;
  std::size_t arrangements_ = 1;  // of candidates of one class and age; not counted beyond kFew
  std::vector<QueuePods> queues_;
};

}  // namespace previct::yunikorn
