#pragma once

#include "analysis/report_context.h"
#include "prove/frontier.h"

namespace previct::prove {

/// Which preemptors may evict a pod (`kind: FrontierReport`).
[[nodiscard]] auto frontier_report(const Frontier& frontier, const Space& space, const ReportContext& context)
    -> Report;

}  // namespace previct::prove
