#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace previct::kai {

/// What upstream leaves to the order in which Go walks a map. A decision goes by one of the orders; `seed` says which,
/// and 0 is the order that things come in anyway. Decisions of other seeds show whether the order matters.
class Chance {
 public:
  explicit Chance(std::uint64_t seed = 0) : seed_(seed), state_(seed) {}

  /// Puts items that come out of a map into one of their orders.
  template <class Items>
  void reorder(Items& items) {
    if (seed_ == 0) return;
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

  /// Such an order may matter here.
  void note() { open_ = true; }
  [[nodiscard]] auto is_open() const -> bool { return open_; }
  [[nodiscard]] auto is_base() const -> bool { return seed_ == 0; }

 private:
  // splitmix64: the same numbers on every machine.
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
