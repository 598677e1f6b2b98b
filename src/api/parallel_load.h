#pragma once

#include "api/fast_load.h"
#include "api/objects.h"
#include "input/pieces.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct {

/// The beginnings of the parts of a text, and its end: 0, then for each of `cuts`, which are ascending, the next
/// probable item after it, at least the second item. Fewer parts if there are not enough items.
[[nodiscard]] auto part_borders(const PiecewiseText& text, const ListShape& shape,
                                const std::vector<std::uint64_t>& cuts) -> std::vector<std::uint64_t>;

/// Runs read_fast() for each part in a thread of its own, and joins the results as if one thread had read the text. A
/// part is accepted only if the previous one ended exactly at its beginning, between two items of the same list; this
/// detects a border that only looks like the beginning of an item.
///
/// Also returns none in that case; `objects` may hold some of the text, as with read_fast().
[[nodiscard]] auto read_parts(const PiecewiseText& text, const ListShape& shape,
                              const std::vector<std::uint64_t>& borders, FileId file, Objects& objects)
    -> std::optional<std::size_t>;

/// As read_parts(), for `parts` parts of about equal size; also none if the text cannot be divided.
[[nodiscard]] auto read_in_parts(const PiecewiseText& text, unsigned parts, FileId file, Objects& objects)
    -> std::optional<std::size_t>;

}  // namespace previct
