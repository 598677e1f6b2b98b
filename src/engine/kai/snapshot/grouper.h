#pragma once

#include "engine/kai/snapshot/cluster_info.h"

#include <string_view>

namespace previct::kai {

/// Annotation of a PodGroup: when its first pod started.
inline constexpr std::string_view kLastStart = "kai.scheduler/last-start-timestamp";

/// The group that the default pod-grouper would make for a pod without one: a batch Job makes one group for all its
/// pods, everything else one for each pod. Gang workloads (Kubeflow, Ray, JobSet …) have rules of their own, which need
/// their objects: ask for the PodGroup there. What the grouper reads of a Job, an overlay leaves on its pods.
/// Source: kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/defaultgrouper, job, deployment.
[[nodiscard]] auto assumed_group(const Snapshot& cluster, PodId pod) -> AssumedGroup;

/// The PodGroup that the pod's annotation names; empty if it has none.
[[nodiscard]] auto group_name_of(const Snapshot& cluster, PodId pod) -> std::string_view;

}  // namespace previct::kai
