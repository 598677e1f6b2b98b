#pragma once

#include "api/objects.h"

namespace previct {

/// Counts the pods on nodes that only an earlier of several dumps of one cluster holds: they may have gone since. A
/// dump is earlier than another if it has earlier versions of objects that both hold, and later ones of none. To be
/// called before one of each object is kept.
void note_overtaken_pods(Objects& objects);

}  // namespace previct
