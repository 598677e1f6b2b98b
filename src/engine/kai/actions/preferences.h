#pragma once

#include "engine/kai/session/session.h"

#include <unordered_set>
#include <vector>

namespace previct::kai {

/// Preferred affinity between pods as points of nodes: the weights of the task's own terms that pods in the node's
/// domain match, and of the terms of those pods that the task matches, as they are (kube-scheduler brings them to a
/// scale first). Pods that are leaving count, and so do those that the cycle has placed.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/podaffinity; kubernetes plugins/interpodaffinity
/// scoring.go, with hardPodAffinityWeight 0.
class Preferences {
 public:
  explicit Preferences(const Session& session);

  /// By node; empty: no preference is in play.
  [[nodiscard]] auto points(TaskId task) -> std::vector<double>;

 private:
  const Session& session_;
  bool pods_have_terms_ = false;
  std::unordered_set<std::uint32_t> skipped_;  // tasks that once had nothing to score, as upstream for all the cycle
};

}  // namespace previct::kai
