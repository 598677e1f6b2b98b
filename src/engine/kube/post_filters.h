#pragma once

#include "engine/kube/attempt.h"

#include <vector>

namespace previct::kube {

/// The plugin that preempts asynchronously, and holds a pod back at PreEnqueue until its preemption is over.
constexpr std::string_view kAsynchronousPlugin = "DefaultPreemption";

/// An attempt in which no node takes the pod, as far as it has come.
struct FailedAttempt {
  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  const Profile& profile;
  const AttemptOptions& options;
  const Incoming& incoming;
  const NodeTrial& trial;
  const Tolerances* tolerances;  ///< null: no plugin of the profile asks who tolerates the pod
  const IdVector<NodeId, std::vector<PodInfo>>& nominated;
  Moment& now;
};

/// The plugins of PostFilter in turn: the first that makes room ends it, and so does an error. What they find joins
/// `decision`, which holds what the filters found.
/// Source: pkg/scheduler/framework/runtime/framework.go RunPostFilterPlugins, v1.35.4.
[[nodiscard]] auto run_post_filters(const FailedAttempt& attempt, Decision& decision) -> Ending;

}  // namespace previct::kube
