#pragma once

#include "engine/kai/snapshot/settings.h"

namespace previct::kai {

/// Applies the scheduler's flags from `args` of the shard. The operator passes on the flags that the scheduler knows
/// and omits others; the scheduler exits if a value does not parse.
/// Source: kai-scheduler/KAI-Scheduler cmd/scheduler/app/options; pkg/operator/operands/scheduler buildArgsList.
void apply_flags(const Snapshot& cluster, const SymbolMap& args, Settings& out);

}  // namespace previct::kai
