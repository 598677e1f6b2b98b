#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "input/tape.h"

namespace previct::kai {

/// Is the value at `index` a snapshot that a KAI scheduler made of itself (`/get-snapshot`, the file snapshot.json of
/// its zip): a map with rawObjects?
[[nodiscard]] auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool;

/// Reads such a snapshot: the objects of rawObjects into their stores, config and schedulerParams into
/// `objects.kai_scheduler`, where they take the place of a SchedulingShard. Kinds that previct does not read are
/// skipped; each kind counts as listed, since the scheduler writes all it has.
[[nodiscard]] auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void>;

}  // namespace previct::kai
