#pragma once

#include "api/objects.h"
#include "input/tape.h"

#include <span>
#include <string_view>

namespace previct {

/// A list that some programs write without its own metadata: a field that holds only the items.
struct RawList {
  std::string_view field;
  std::string_view api_version;
  std::string_view kind;  ///< `PodList`
};

/// Adds the items of those of `lists` that occur in the map at `map`; empty lists and null count as listed, too.
[[nodiscard]] auto add_raw_lists(const Tape& tape, std::uint32_t map, std::span<const RawList> lists, FileId file,
                                 Objects& objects) -> Result<void>;

}  // namespace previct
