#pragma once

#include <cstdint>

namespace previct::test {

/// What the program has done so far, counted in what is the same on every machine and in every run: blocks of memory
/// that it asked for, and their bytes. Blocks of base/pool.h are not among them.
struct Work {
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] auto work() -> Work;

}  // namespace previct::test
