#pragma once

#include "base/split_mix64.h"

#include <cstdint>

namespace previct::kai {

/// Chooses one order wherever upstream depends on the order in which Go iterates over a map. `seed` selects the order
/// of one decision; 0 is the input order. Decisions with other seeds show whether the order matters.
class MapOrder {
 public:
  explicit MapOrder(std::uint64_t seed = 0) : seed_(seed), random_(seed) {}

  /// Puts items that upstream reads from a map into one of their orders.
  template <class Items>
  void reorder(Items& items) {
    if (seed_ != 0) random_.shuffle(items);
  }

  /// Notes that such an order may matter here.
  void note() { open_ = true; }
  [[nodiscard]] auto is_open() const -> bool { return open_; }
  [[nodiscard]] auto is_input_order() const -> bool { return seed_ == 0; }

 private:
  std::uint64_t seed_;
  SplitMix64 random_;
  bool open_ = false;
};

}  // namespace previct::kai
