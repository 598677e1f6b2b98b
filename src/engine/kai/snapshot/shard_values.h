#pragma once

#include "cluster/snapshot.h"

namespace previct::kai {

/// Warns of values of SchedulingShards in place of which KAI uses a default. It only logs
/// them.
/// Source: pkg/scheduler/plugins/minruntime/minruntime.go parseMinRuntime; plugins/proportion/proportion.go New.
void warn_of_shard_values(const Snapshot& cluster);

}  // namespace previct::kai
