#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <string_view>

namespace previct {

/// A part of the work: number `index` of `count`, from 1.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// Returns true if a value of --shard is a part of the work (`2/8`) instead of the name of a SchedulingShard.
[[nodiscard]] constexpr auto is_part_of_work(std::string_view shard) -> bool {
  return shard.find('/') != std::string_view::npos;
}

/// Parses `2/8`.
[[nodiscard]] auto read_shard(std::string_view text) -> Result<Shard>;

/// The elements [begin, end) of `size` that belong to a shard. Shards are contiguous, and their sizes differ by at most
/// one.
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] auto slice_of(const Shard& shard, std::size_t size) -> Slice;

}  // namespace previct
