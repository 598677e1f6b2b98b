#pragma once

#include <cstdint>

namespace previct::test {

/// The work of the program so far, in units that are the same on every machine and in every run: allocated blocks of
/// memory and their bytes. Blocks of base/pool.h are not included.
struct Work {
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] auto work() -> Work;

}  // namespace previct::test
