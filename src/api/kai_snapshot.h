#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "input/tape.h"

namespace previct::kai {

/// Returns true if the value at `index` is a snapshot of a KAI scheduler (`/get-snapshot`, the file snapshot.json of
/// its zip): a map with rawObjects.
[[nodiscard]] auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool;

/// Reads such a snapshot: the objects of rawObjects into their stores, config and schedulerParams into
/// `objects.kai_scheduler`, where they replace a SchedulingShard. Unknown kinds are skipped; each kind counts as
/// listed, because the scheduler writes all its objects.
[[nodiscard]] auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void>;

}  // namespace previct::kai
