#pragma once

#include "analysis/report_context.h"
#include "prove/classes.h"

namespace previct::prove {

/// Reports the classes as a table, and the document `kind: ClassesReport`. `space`: what was searched.
[[nodiscard]] auto classes_report(const Classes& classes, const Space& space, const ReportContext& context) -> Report;

}  // namespace previct::prove
