#pragma once

#include "engine/yunikorn/partition_context.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace previct::yunikorn {

/// A fixed sequence of numbers that look random (SplitMix64): the same question gets the same answer.
/// Number 0 does not shuffle at all.
class Random {
 public:
  explicit Random(std::uint64_t number) : shuffles_(number != 0), state_(number * 0x9E37'79B9'7F4A'7C15U) {}

  template <class T>
  void shuffle(std::vector<T>& items) {
    if (!shuffles_) return;
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[next() % i]);
  }

 private:
  auto next() -> std::uint64_t {
    std::uint64_t z = (state_ += 0x9E37'79B9'7F4A'7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return z ^ (z >> 31U);
  }

  bool shuffles_;
  std::uint64_t state_;
};

/// One order in which the scheduler could meet its candidates: it walks Go maps, of queues, of the
/// applications in them and of their pods, twice.
struct EligibleOrder {
  std::vector<const Allocation*> first;   ///< when candidates are collected
  std::vector<const Allocation*> second;  ///< when additional victims are looked for: queues come anew
};

/// Draws orders. They are tried out rather than enumerated, as there are far too many.
class Orders {
 public:
  /// `eligible` must outlive this object.
  explicit Orders(const std::vector<Allocation>& eligible);

  /// How many are worth drawing: one if no two candidates are told apart by nothing but their order, else fewer the
  /// more candidates there are, to bound the time.
  [[nodiscard]] auto count() const -> std::size_t;
  /// Are there so few that drawing them meets them all?
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
