#pragma once

#include "analysis/report_context.h"
#include "tell/queue_protection.h"

#include <optional>
#include <string>

namespace previct {

/// With more leaf queues, a comparison of all pairs is left out: a million of them would be the larger part of a
/// report.
inline constexpr std::size_t kMostLeafQueuesInPairs = 100;

/// How long leaf queues protect their pods from each other: a matrix if it is small, and each value with the queue that
/// sets it (`kind: QueueTolerationReport`).
[[nodiscard]] auto queue_protection_report(const QueueProtections& protections, const ReportContext& context) -> Report;

/// The matrix alone: victims in rows, preemptors in columns. None: there is one leaf queue, or more than are read so.
[[nodiscard]] auto queue_protection_matrix(const QueueProtections& protections, std::string head)
    -> std::optional<Table>;

/// What a row is in JSON, without where its field stands.
[[nodiscard]] auto queue_protection_json(const QueueProtection& row) -> Json;

}  // namespace previct
