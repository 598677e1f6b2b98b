#pragma once

#include "engine/engine.h"
#include "engine/kueue/account.h"
#include "tell/answer.h"

#include <string>

namespace previct::kueue {

/// Returns the verdict without its subject: `would preempt 2 workloads of ClusterQueue team-b (…)`.
[[nodiscard]] auto sentence(const EngineTrace& account) -> std::string;

/// Returns why it stays pending.
[[nodiscard]] auto cause(const EngineTrace& account) -> Cause;

/// Adds the rest of the answer; for a brief question, only the message.
void tell(const EngineTrace& account, const Question& question, Answer& answer);

}  // namespace previct::kueue
