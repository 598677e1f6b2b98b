#pragma once

#include "engine/kube/attempt.h"
#include "engine/kube/request_bounds.h"

#include <memory>
#include <vector>

namespace previct::kube {

/// Scheduling attempts of one pod as if it had, in turn, each set of requests, at each moment, and on one node only.
/// The pod itself requests some of each resource that varies.
///
/// The pods that such an attempt evicts depend only on that node: they are those that the pod evicts if the scheduler
/// chooses the node. With an affinity for the node, it evicts the same pods, unless a hard spread constraint counts
/// only the nodes that its affinity allows (nodeAffinityPolicy Honor).
class PinnedAttempts {
 public:
  PinnedAttempts() = default;
  PinnedAttempts(const PinnedAttempts&) = delete;
  auto operator=(const PinnedAttempts&) -> PinnedAttempts& = delete;
  virtual ~PinnedAttempts() = default;

  /// Decides as attempt() does, for the pod with these requests, on this node only. The decision holds for all amounts
  /// that remain in `requests` afterwards. It is valid until the next call.
  virtual auto decide(NodeId node, Instant now, RequestBounds& requests) -> Decision& = 0;

  /// Returns the pods on a node that the preemption plugins may evict for this pod, whatever it requests: pods of lower
  /// priority that do not tolerate it.
  [[nodiscard]] virtual auto potential_victims(NodeId node, Moment& now) const -> std::vector<PodId> = 0;

  /// Returns false if no eviction on this node lets the pod run there, as far as its filters tell for these requests.
  [[nodiscard]] virtual auto may_run_on(NodeId node, RequestBounds& requests) -> bool = 0;
};

/// `profile` and `options` must outlive the result.
[[nodiscard]] auto pinned_attempts(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod,
                                   const Profile& profile, Instant now, const AttemptOptions& options)
    -> std::unique_ptr<PinnedAttempts>;

}  // namespace previct::kube
