#pragma once

#include "engine/kueue/account.h"
#include "report/report.h"

namespace previct::kueue {

/// The facts of the answer, for programs; docs/kueue.md names them.
[[nodiscard]] auto evidence(const Account& account) -> Json;

}  // namespace previct::kueue
