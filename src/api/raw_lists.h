#pragma once

#include "api/objects.h"
#include "input/tape.h"

#include <span>
#include <string_view>

namespace previct {

/// A list as some programs write it into a file of their own: a field that holds the items alone.
struct RawList {
  std::string_view field;
  std::string_view api_version;
  std::string_view kind;  ///< `PodList`
};

/// Adds the items of those of `lists` that the map at `map` has, also the empty ones and null: each counts as listed.
[[nodiscard]] auto add_raw_lists(const Tape& tape, std::uint32_t map, std::span<const RawList> lists, FileId file,
                                 Objects& objects) -> Result<void>;

}  // namespace previct
