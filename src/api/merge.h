#pragma once

#include "api/objects.h"

namespace previct {

/// Converts `place`, relative to the beginning of a part of a text, to a place in the text. `begin`: the place of the
/// part.
[[nodiscard]] auto place_after(const Place& begin, const Place& place) -> Place;

/// Appends the objects of a part of a text, which have their own symbols and places, to the objects that were read
/// before it. The result is, symbol by symbol, the same as reading both at once. `part` must not have files.
void append(Objects& objects, Objects part, const Place& begin);

}  // namespace previct
