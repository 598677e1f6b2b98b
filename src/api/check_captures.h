#pragma once

#include "api/objects.h"

namespace previct {

/// A capture says how many objects it holds: one that was cut between two of its lines is seen by that. That is an
/// error; with `keep_going` a warning `capture-cut` and `inputs_skipped`.
[[nodiscard]] auto check_captures(bool keep_going, Objects& objects) -> Result<void>;

}  // namespace previct
