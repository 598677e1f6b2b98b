#pragma once

#include "api/objects.h"
#include "base/instant.h"
#include "history/timeline.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace previct::history {

/// The inputs that were joined, each by itself.
using Dumps = std::vector<std::unique_ptr<Objects>>;

/// Why the objects of the input need not be those of a past moment; empty if they are: one dump was read before the
/// moment and one after `until`, and nothing but what left its time lies between them. Conditions and versions of
/// objects may differ, and pods may have come, or gone with a sign (`traced`, by uid).
///
/// `moment`: the decision; `until`: its first eviction; `sightings`: pods that the events show.
[[nodiscard]] auto not_of_then(const Dumps& dumps, Instant moment, Instant until, const std::set<std::string>& traced,
                               const std::vector<Timeline::Sighting>& sightings) -> std::string;

}  // namespace previct::history
