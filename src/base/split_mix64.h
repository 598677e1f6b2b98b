#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace previct {

/// SplitMix64: pseudo-random numbers of 64 bits that are the same on every machine and in every standard library.
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014; constants:
/// https://prng.di.unimi.it/splitmix64.c, Vigna 2015.
class SplitMix64 {
 public:
  constexpr explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr auto next() -> std::uint64_t {
    state_ += kGamma;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d0'49bb'1331'11ebU;
    return mixed ^ (mixed >> 31U);
  }

  /// Puts the items in a pseudo-random order (Fisher, Yates). The same seed gives the same order: answers depend on
  /// it, so the choice of an index must not change.
  template <class Items>
  constexpr void shuffle(Items& items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[static_cast<std::size_t>(next() % left)]);
  }

  static constexpr std::uint64_t kGamma = 0x9e37'79b9'7f4a'7c15U;  ///< added to the state for each number

 private:
  std::uint64_t state_;
};

}  // namespace previct
