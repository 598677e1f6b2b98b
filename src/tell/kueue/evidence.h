#pragma once

#include "engine/kueue/account.h"
#include "report/report.h"

namespace previct::kueue {

/// Returns the facts of the answer as JSON; docs/kueue.md documents them.
[[nodiscard]] auto evidence(const EngineTrace& account) -> Json;

}  // namespace previct::kueue
