#pragma once

#include "analysis/report_context.h"
#include "prove/search.h"

namespace previct::prove {

/// Reports the search (`kind: SearchReport`).
[[nodiscard]] auto search_report(const Search& search, const ReportContext& context) -> Report;

}  // namespace previct::prove
