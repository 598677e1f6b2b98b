#pragma once

#include "engine/kai/snapshot/settings.h"

namespace previct::kai {

/// The scheduler's flags, from `args` of the shard. The operator hands on those that the scheduler knows, and leaves
/// others out; a value that does not parse ends the scheduler.
/// Source: kai-scheduler/KAI-Scheduler cmd/scheduler/app/options; pkg/operator/operands/scheduler buildArgsList.
void apply_flags(const Snapshot& cluster, const SymbolMap& args, Settings& out);

}  // namespace previct::kai
