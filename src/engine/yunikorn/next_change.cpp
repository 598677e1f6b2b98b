#include "engine/yunikorn/next_change.h"

#include "engine/yunikorn/eldest.h"

#include <algorithm>
#include <span>
#include <utility>

namespace previct::yunikorn {
namespace {

// Limits of the search: the times tried, and the pods that all clusters have together.
constexpr std::size_t kMostInstants = 60;
constexpr std::size_t kMostPods = 200'000;

void look_at(Later& later, const Setup& setup) {
  later.core.reset();
  later.snapshot.emplace(later.objects);
  later.core = std::make_unique<const PartitionContext>(*later.snapshot, setup.config, setup.assumptions, setup.core);
}

}  // namespace

auto next_change(const PartitionContext& core, const Setup& setup, PodId pod, const ReleaseOptions& options,
                 const ReleaseDecision& now, Instant from, Instant horizon) -> NextChange {
  const bool waits = now.outcome == ReleaseOutcome::pending || now.outcome == ReleaseOutcome::reserved;
  const std::vector<PodEnd> all = waits ? ends_after(core.cluster(), from) : std::vector<PodEnd>();
  std::span<const PodEnd> ends = all;
  std::shared_ptr<Later> later;
  bool certain = true;  // false: a pod is gone whose controller may create another one
  std::size_t pods = 0;
  for (std::size_t tried = 0;; ++tried) {
    const Instant at = ends.empty() ? horizon : std::min(horizon, ends.front().at);
    if (at.is_never()) return {};
    NextChange next{at, {}, tried};
    if (tried == kMostInstants || pods > kMostPods) return next;
    for (; !ends.empty() && ends.front().at <= at; ends = ends.subspan(1)) {
      const PodEnd& end = ends.front();
      if (end.by == PodEnd::By::grace) {
        next.ended.push_back(end);
      } else if (!next.stopped_by) {
        next.stopped_by = end;
      }
      certain = certain && end.by == PodEnd::By::grace;
      if (later == nullptr) later = std::make_shared<Later>(core.cluster());
      later->changed.evict(end.pod);
    }
    if (later != nullptr && (next.stopped_by || !next.ended.empty())) {
      look_at(*later, setup);
      pods += core.cluster().pods().size();
    }
    // The shim remembers the application of a pod that has left; the new core may place the others in another queue.
    if (later != nullptr && !later->core->known(pod)) {
      next.stopped_by = next.stopped_by ? next.stopped_by : next.ended.front();
      return next;
    }
    Moment moment(at);
    const PartitionContext& then_core = later == nullptr ? core : *later->core;
    ReleaseDecision then = decide_release(then_core, pod, options, moment);
    horizon = moment.horizon();
    if (alike(now, then)) continue;
    if (!certain) {
      if (!next.stopped_by && !next.ended.empty()) next.stopped_by = next.ended.front();
      return next;
    }
    next.then = std::move(then);
    next.later = std::move(later);
    return next;
  }
}

}  // namespace previct::yunikorn
