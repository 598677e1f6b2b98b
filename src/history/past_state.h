#pragma once

#include "api/objects.h"
#include "base/instant.h"
#include "history/timeline.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace previct::history {

/// The inputs that were merged, each separately.
using Dumps = std::vector<std::unique_ptr<Objects>>;

/// Returns why the objects of the input may differ from those of a past moment; empty if they cannot: one dump was read
/// before the moment and one after `until`, and every relevant change between them has a known time. Conditions and
/// versions of objects may differ, and pods may have been added, or have ended with a trace (`traced`, by uid).
///
/// `moment`: the decision; `until`: its first eviction; `sightings`: pods in the events.
[[nodiscard]] auto why_state_may_differ(const Dumps& dumps, Instant moment, Instant until,
                                        const std::set<std::string>& traced,
                                        const std::vector<Timeline::Sighting>& sightings) -> std::string;

}  // namespace previct::history
