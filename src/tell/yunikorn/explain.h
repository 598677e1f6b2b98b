#pragma once

#include "engine/yunikorn/account.h"
#include "tell/answer.h"

#include <string>

/// Decisions as text, tables and JSON: victims, protected pods, queues and orders.
namespace previct::yunikorn {

/// Return the reason why the pod stays pending, and the verdict without the subject.
[[nodiscard]] auto cause(const EngineTrace& account) -> Cause;
[[nodiscard]] auto sentence(const Snapshot& cluster, const EngineTrace& account, Instant now) -> std::string;

/// Adds the rest of the answer (Teller::tell). With `show_all`, it lists every pod that is not eligible, not only their
/// queues.
void tell(const Snapshot& cluster, const EngineTrace& account, const Question& question, Answer& answer);

}  // namespace previct::yunikorn
