#pragma once

#include "engine/kai/candidates.h"

namespace previct::kai {

/// How a running group is protected against groups of one queue: a row of `tolerations --against QUEUE`.
struct TolerationRow {
  QueueId queue;
  GroupId group;       ///< none: a leaf queue in which nothing runs
  Action action = Action::reclaim;  ///< preempt within the queue asked about, reclaim from the others
  Protection shield;
  std::int64_t floor = 0;  ///< pods that may go even while it is protected
  Rule rule = Rule::candidate;  ///< why the group is no candidate apart from min-runtime, if so
};

/// A row for each running group of a leaf queue, and for each leaf queue without one; by queue, then group.
[[nodiscard]] auto toleration_rows(const Session& session, QueueId against, Moment& now) -> std::vector<TolerationRow>;

/// How a min-runtime was found: `D (lca, root > B > D > leaf3 from D up)`.
[[nodiscard]] auto path_words(const Pool& pool, Action action, const MinRuntimeValue& value, QueueId victim) -> std::string;

/// The queue whose field counts, or where the default comes from.
[[nodiscard]] auto resolved_from(const Pool& pool, const MinRuntimeValue& value) -> std::string;

/// Pods that a protected group may lose: beyond the minimum of each pod set, if it is elastic; all if it is not
/// protected is not asked here.
[[nodiscard]] auto floor_of(const Session& session, GroupId group) -> std::int64_t;

}  // namespace previct::kai
