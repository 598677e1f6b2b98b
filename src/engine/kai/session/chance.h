#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace previct::kai {

/// Chooses one order wherever upstream depends on the order in which Go iterates over a map. `seed` selects the order
/// of one decision; 0 is the input order. Decisions with other seeds show whether the order matters.
class MapOrder {
 public:
  explicit MapOrder(std::uint64_t seed = 0) : seed_(seed), state_(seed) {}

  /// Puts items that upstream reads from a map into one of their orders.
  template <class Items>
  void reorder(Items& items) {
    if (seed_ == 0) return;
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

  /// Notes that such an order may matter here.
  void note() { open_ = true; }
  [[nodiscard]] auto is_open() const -> bool { return open_; }
  [[nodiscard]] auto is_input_order() const -> bool { return seed_ == 0; }

 private:
  // splitmix64: produces the same numbers on every machine.
  auto below(std::uint64_t limit) -> std::size_t {
    state_ += 0x9e37'79b9'7f4a'7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d0'49bb'1331'11eb;
    return static_cast<std::size_t>((mixed ^ (mixed >> 31U)) % limit);
  }

  std::uint64_t seed_;
  std::uint64_t state_;
  bool open_ = false;
};

}  // namespace previct::kai
