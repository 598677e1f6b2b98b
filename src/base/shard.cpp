#include "base/shard.h"

#include "base/go.h"

#include <fmt/format.h>

namespace previct {

auto read_shard(std::string_view text) -> Result<Shard> {
  const std::size_t slash = text.find('/');
  const auto index = go::parse_int(text.substr(0, slash), 32);
  const auto count = slash == std::string_view::npos ? std::nullopt : go::parse_int(text.substr(slash + 1), 32);
  if (!index || !count || *count < 1 || *index < 1 || *index > *count) {
    return fail(fmt::format("--shard \"{}\": expected I/N, such as 2/8, with I from 1 to N", text));
  }
  return Shard{static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)};
}

auto slice_of(const Shard& shard, std::size_t size) -> Slice {
  return {size * (shard.index - 1) / shard.count, size * shard.index / shard.count};
}

}  // namespace previct
