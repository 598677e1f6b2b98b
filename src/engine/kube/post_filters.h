#pragma once

#include "engine/kube/attempt.h"
#include "engine/kube/nominated_pods.h"

#include <vector>

namespace previct::kube {

/// The plugin that preempts asynchronously and holds a pod back at PreEnqueue until its preemption has ended.
constexpr std::string_view kAsynchronousPlugin = "DefaultPreemption";

/// The state of an attempt in which no node is feasible.
struct FailedAttempt {
  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  const Profile& profile;
  const AttemptOptions& options;
  const Incoming& incoming;
  const NodeTrial& trial;
  const Tolerances* tolerances;  ///< null: no plugin of the profile checks tolerations
  const NominatedPods& nominated;
  Moment& now;
};

/// Runs the PostFilter plugins in order; the first that makes the pod schedulable ends it, and so does an error. Adds
/// their findings to `decision`, which already has those of the filters.
/// Source: pkg/scheduler/framework/runtime/framework.go RunPostFilterPlugins, v1.35.4.
[[nodiscard]] auto run_post_filters(const FailedAttempt& attempt, Decision& decision) -> Ending;

}  // namespace previct::kube
