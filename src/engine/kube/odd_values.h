#pragma once

#include "cluster/snapshot.h"

namespace previct::kube {

/// Warns of values that the API server refuses and the scheduler ignores: taints with unknown effects, and preemption
/// policies of pending pods other than Never and PreemptLowerPriority. Each warning has its place and says what applies
/// instead.
/// Source: kubernetes: pkg/scheduler/framework/plugins/helper/taint.go, DoNotScheduleTaintsFilterFunc;
/// plugins/defaultpreemption/default_preemption.go, PodEligibleToPreemptOthers (v1.35).
void warn_of_odd_values(const Snapshot& cluster);

}  // namespace previct::kube
