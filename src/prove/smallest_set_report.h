#pragma once

#include "analysis/report_context.h"
#include "prove/smallest_set.h"

namespace previct::prove {

/// Whether a smaller set of victims exists (`kind: SmallestSetReport`).
[[nodiscard]] auto smallest_set_report(const SmallestSet& set, const ReportContext& context) -> Report;

}  // namespace previct::prove
