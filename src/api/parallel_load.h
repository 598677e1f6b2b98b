#pragma once

#include "api/fast_load.h"
#include "api/objects.h"
#include "input/pieces.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct {

/// Where the parts of a text begin, with its end: 0, then for each of `cuts`, which ascend, what seems to be the next
/// item behind it, at least the second one. Fewer parts if there are not so many.
[[nodiscard]] auto part_borders(const PiecewiseText& text, const ListShape& shape,
                                const std::vector<std::uint64_t>& cuts) -> std::vector<std::uint64_t>;

/// read_fast() of each part by a thread of its own; what they hold is joined as if one had read it. A part counts only
/// if the one before it ended exactly there, between two items of the same list; so a border at a wrong place, which
/// merely looks right, is noticed.
///
/// None also then; `objects` may hold some of the text, as with read_fast().
[[nodiscard]] auto read_parts(const PiecewiseText& text, const ListShape& shape,
                              const std::vector<std::uint64_t>& borders, FileId file, Objects& objects)
    -> std::optional<std::size_t>;

/// The same for `parts` of about the same size; none also if the text cannot be cut.
[[nodiscard]] auto read_in_parts(const PiecewiseText& text, unsigned parts, FileId file, Objects& objects)
    -> std::optional<std::size_t>;

}  // namespace previct
