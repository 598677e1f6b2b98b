#include "engine/kai/fairness/min_runtime.h"

#include <algorithm>

namespace previct::kai {
namespace {

using Field = std::optional<std::int64_t> TreeQueue::*;

// Returns the first value from path[at] up to the top.
auto walk_up(const QueueTree& tree, const std::vector<QueueId>& path, std::size_t at, Field field,
             std::int64_t otherwise) -> MinRuntimeValue {
  for (std::size_t i = at + 1; i-- > 0;) {
    if (const auto& value = tree[path[i]].*field) return {*value, path[i], path[at]};
  }
  return {otherwise, {}, path[at]};
}

}  // namespace

auto reclaim_min_runtime(const QueueTree& tree, const Settings& settings, ResolveMethod method, QueueId preemptor,
                         QueueId victim) -> MinRuntimeValue {
  if (!preemptor || !victim) return {settings.default_reclaim, {}, {}};
  constexpr Field kField = &TreeQueue::reclaim_min_runtime;
  const std::vector<QueueId>& theirs = tree[victim].path;
  if (method == ResolveMethod::queue) {
    return walk_up(tree, theirs, theirs.size() - 1, kField, settings.default_reclaim);
  }
  const std::vector<QueueId>& ours = tree[preemptor].path;
  if (ours.front() != theirs.front()) return walk_up(tree, theirs, 0, kField, settings.default_reclaim);
  const auto differ = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end()).second;
  const auto common = static_cast<std::size_t>(differ - theirs.begin());  // number of common queues, at least one
  return walk_up(tree, theirs, std::min(common, theirs.size() - 1), kField, settings.default_reclaim);
}

auto preempt_min_runtime(const QueueTree& tree, const Settings& settings, QueueId victim) -> MinRuntimeValue {
  if (!victim) return {settings.default_preempt, {}, {}};
  const std::vector<QueueId>& path = tree[victim].path;
  return walk_up(tree, path, path.size() - 1, &TreeQueue::preempt_min_runtime, settings.default_preempt);
}

}  // namespace previct::kai
