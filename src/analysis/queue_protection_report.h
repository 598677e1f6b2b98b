#pragma once

#include "analysis/report_context.h"
#include "tell/queue_protection.h"

namespace previct {

/// How long leaf queues protect their pods from each other: a matrix if it is small, and each value with the queue that
/// sets it (`kind: QueueTolerationReport`).
[[nodiscard]] auto queue_protection_report(const QueueProtections& protections, const ReportContext& context) -> Report;

}  // namespace previct
