#pragma once

#include "api/objects.h"

namespace previct {

/// Compares each capture with the number of objects that it declares, which detects a capture that was cut between two
/// lines. This is an error; with `keep_going`, a warning `capture-cut` and `inputs_skipped`.
[[nodiscard]] auto check_captures(bool keep_going, Objects& objects) -> Result<void>;

}  // namespace previct
