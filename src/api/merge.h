#pragma once

#include "api/objects.h"

namespace previct {

/// `place`, counted from where a part of a text begins, counted from where the text does; `begin`: where the part does.
[[nodiscard]] auto place_behind(const Place& begin, const Place& place) -> Place;

/// Adds what was read from a part of a text, with symbols and places of its own, to what was read before it. Then
/// `objects` is, symbol by symbol, what reading both in one go would have given. Not for the files of a run: `part` has
/// none.
void append(Objects& objects, Objects part, const Place& begin);

}  // namespace previct
