#pragma once

#include "api/objects.h"
#include "input/pieces.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct {

/// read_fast() by several threads: the text is cut where items of its list seem to begin, about `parts` times the same
/// size, and what the parts hold is joined as if one had read it. A part counts only if the one before it ended exactly
/// there, between two items of the same list; so a cut at the wrong place, where the text merely looks so, is noticed.
///
/// None also if the text cannot be cut: then `objects` may hold a part of it, as with read_fast().
[[nodiscard]] auto read_fast_in_parts(const PiecewiseText& text, unsigned parts, FileId file, Objects& objects)
    -> std::optional<std::size_t>;

/// The same with cuts at the first item that begins at or behind each of these places, which ascend.
[[nodiscard]] auto read_fast_in_parts(const PiecewiseText& text, const std::vector<std::uint64_t>& cuts, FileId file,
                                      Objects& objects) -> std::optional<std::size_t>;

}  // namespace previct
