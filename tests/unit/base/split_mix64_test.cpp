#include "base/split_mix64.h"

#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

namespace previct {
namespace {

// The values for this seed that https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64 gives.
TEST_CASE("SplitMix64: the numbers are those that are published for a seed", "[base][random]") {
  SplitMix64 random(1234567);
  for (const std::uint64_t number :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    CHECK(random.next() == number);
}

// By hand from the numbers above, whose remainders by 5, 4, 3 and 2 are 2, 1, 0 and 1: positions 4 and 2 are swapped,
// then 3 and 1, then 2 and 0; 1 stays.
TEST_CASE("SplitMix64: a shuffle swaps each item, from the last one on, with one up to it", "[base][random]") {
  std::vector<int> items(5);
  std::iota(items.begin(), items.end(), 0);
  SplitMix64(1234567).shuffle(items);
  CHECK(items == std::vector{4, 3, 0, 1, 2});
  std::vector<int> none;
  SplitMix64(1234567).shuffle(none);
  CHECK(none.empty());
}

}  // namespace
}  // namespace previct
