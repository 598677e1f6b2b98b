#pragma once

#include "engine/kai/session/session.h"

#include <unordered_set>
#include <vector>

namespace previct::kai {

/// Preferred pod affinity as points of nodes: the sum of the weights of the task's own terms that pods in the node's
/// domain match, and of the terms of those pods that the task matches. The weights are not normalized, unlike in
/// kube-scheduler. Terminating pods count, and so do pods that the cycle has placed.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/podaffinity; kubernetes plugins/interpodaffinity
/// scoring.go, with hardPodAffinityWeight 0.
class Preferences {
 public:
  explicit Preferences(const Session& session);

  /// Points by node; empty: no preference applies.
  [[nodiscard]] auto points(TaskId task) -> std::vector<double>;

 private:
  const Session& session_;
  bool pods_have_terms_ = false;
  // Tasks that once had nothing to score; as upstream, they are skipped for the rest of the cycle.
  std::unordered_set<std::uint32_t> skipped_;
};

}  // namespace previct::kai
