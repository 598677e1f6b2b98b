#pragma once

#include "api/objects.h"

namespace previct {

/// Counts the pods on nodes that occur only in an earlier of several dumps of one cluster: they may have been deleted
/// since. A dump is earlier than another if it has earlier versions of objects that both hold, and no later ones. Must
/// be called before duplicates are removed.
void note_overtaken_pods(Objects& objects);

}  // namespace previct
