#pragma once

#include "analysis/report_context.h"
#include "failures/failures.h"

namespace previct::failures {

/// Reports the failures as a table, the worst of them in detail, and the document `kind: FailuresReport`.
[[nodiscard]] auto failures_report(const Failures& found, const ReportContext& context) -> Report;

}  // namespace previct::failures
