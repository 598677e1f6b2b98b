#pragma once

#include "cluster/snapshot.h"

namespace previct::kube {

/// Warns of values that the API server refuses and the scheduler passes over: taints whose effect it does not know, and
/// preemption policies of pending pods that are neither Never nor PreemptLowerPriority. Each with its place, and with
/// what counts instead.
/// Source: kubernetes: pkg/scheduler/framework/plugins/helper/taint.go, DoNotScheduleTaintsFilterFunc;
/// plugins/defaultpreemption/default_preemption.go, PodEligibleToPreemptOthers (v1.35).
void warn_of_odd_values(const Snapshot& cluster);

}  // namespace previct::kube
