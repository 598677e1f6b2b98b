#pragma once

#include "engine/kueue/account.h"
#include "tell/answer.h"

#include <string>

namespace previct::kueue {

/// The verdict without its subject: `would preempt 2 workloads of ClusterQueue team-b (…)`.
[[nodiscard]] auto sentence(const Account& account) -> std::string;

/// Why it stays pending.
[[nodiscard]] auto cause(const Account& account) -> Cause;

/// What else is said of it; of a question in brief the message alone.
void tell(const Account& account, const Question& question, Answer& answer);

}  // namespace previct::kueue
