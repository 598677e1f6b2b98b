#pragma once

#include "cluster/snapshot.h"
#include "engine/verdict.h"

#include <string_view>

namespace previct {

/// Adds the assumption that the scheduler runs if the input shows that it does not: it has pods of the scheduler (by
/// SchedulerInfo::own_image), and none of them is ready, or it has no pod, but a Deployment with 0 replicas. Until the
/// scheduler runs, nothing is scheduled or evicted. Adds nothing to a verdict that the scheduler does not decide.
/// `engine`: the name of the engine. Of kube-scheduler, only pods in kube-system count, and only verdicts about pods of
/// default-scheduler: other namespaces have schedulers of their own with the same image.
void add_scheduler_gap(const Snapshot& cluster, std::string_view engine, Verdict& verdict);

}  // namespace previct
