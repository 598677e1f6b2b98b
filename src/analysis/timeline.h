#pragma once

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "cluster/pod_ends.h"
#include "tell/answer.h"

#include <functional>
#include <optional>
#include <vector>

namespace previct {

/// A period in which the answer stays the same.
struct Interval {
  Instant from;
  Instant until;                       ///< exclusive; never: as long as only time passes
  Answer answer;                       ///< without details: outcome, node, victims
  std::optional<PodEnd> stopped_by{};  ///< the end of a pod at `until`, which leads to more than is evaluated
};

/// The answers from `question.now` to `horizon`, one per interval, if only time passes in the cluster. The engine is
/// evaluated at each next change, so that no second algorithm decides anything. A terminating pod is gone when its
/// grace period ends: `objects`, those of `cluster`, are changed in the meantime. Stops after `most_jumps`, and earlier
/// if the engine counts too much work, or if a pod ends and its controller reacts: then the last interval ends before
/// the horizon, and the rest is unknown. Also stops after the first answer for which `enough` returns true.
[[nodiscard]] auto timeline(const Engine& engine, Objects& objects, const Snapshot& cluster, const Question& question,
                            Instant horizon, std::size_t most_jumps = 10'000,
                            const std::function<bool(const Answer&)>& enough = {}) -> Result<std::vector<Interval>>;

/// The answers at the given moments, in their order, with the pods that are gone by then, as in timeline().
[[nodiscard]] auto answers_at(const Engine& engine, Objects& objects, const Snapshot& cluster, const Question& question,
                              const std::vector<Instant>& moments) -> Result<std::vector<Interval>>;

/// Returns true if evicted workloads return their quota within the intervals, at times that are not known.
[[nodiscard]] auto quota_returns(const std::vector<Interval>& intervals) -> bool;

/// Reports intervals or moments: the earliest time at which the pod is scheduled and its victims, then one row per
/// interval. `horizon`: Instant::never() if the intervals are single moments.
[[nodiscard]] auto timeline_report(const std::vector<Interval>& intervals, const ReportContext& context,
                                   Instant horizon) -> Report;

}  // namespace previct
