#pragma once

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "tell/answer.h"

#include <functional>
#include <vector>

namespace previct {

/// A stretch of time in which the answer stays the same.
struct Interval {
  Instant from;
  Instant until;  ///< exclusive; never: for as long as nothing but time changes
  Answer answer;  ///< brief: outcome, node, victims
};

/// The answers from `question.now` up to `horizon`, one per interval, if nothing but time changes in the cluster: found
/// by jumping from one change to the next, so no second algorithm decides anything. After `most_jumps` it stops, and
/// where an engine counts much work: then the last interval ends before the horizon, and what comes after it is not
/// known. It ends with the first answer that is `enough`, too.
[[nodiscard]] auto timeline(const Engine& engine, const Snapshot& cluster, const Question& question, Instant horizon,
                            std::size_t most_jumps = 10'000, const std::function<bool(const Answer&)>& enough = {})
    -> Result<std::vector<Interval>>;

/// The answers at the given moments, in their order.
[[nodiscard]] auto answers_at(const Engine& engine, const Snapshot& cluster, const Question& question,
                              const std::vector<Instant>& moments) -> Result<std::vector<Interval>>;

/// Both as a report: the earliest moment at which the pod gets in and at whose cost, then one row an interval.
/// `horizon`: Instant::never() if the intervals are moments that were asked for one by one.
[[nodiscard]] auto timeline_report(const std::vector<Interval>& intervals, const ReportContext& context,
                                   Instant horizon, std::int64_t flush_seconds) -> Report;

}  // namespace previct
