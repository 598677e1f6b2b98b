#pragma once

#include "engine/kai/snapshot/cluster_info.h"

#include <string_view>

namespace previct::kai {

/// Annotation of a PodGroup: when its first pod started.
inline constexpr std::string_view kLastStart = "kai.scheduler/last-start-timestamp";
/// … when its last pod was evicted.
inline constexpr std::string_view kLastEviction = "kai.scheduler/last-eviction-timestamp";

/// Returns the group that the default pod-grouper would create for a pod without a group: one group for all pods of a
/// batch Job, otherwise one group for each pod. Gang workloads (Kubeflow, Ray, JobSet …) have their own rules, which
/// need their objects; ask about the PodGroup instead. An overlay keeps what the grouper reads of a Job on the pods.
/// Source: kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/defaultgrouper, job, deployment.
[[nodiscard]] auto assumed_group(const Snapshot& cluster, PodId pod) -> AssumedGroup;

/// Returns the PodGroup that the pod's annotation names; empty if there is no annotation.
[[nodiscard]] auto group_name_of(const Snapshot& cluster, PodId pod) -> std::string_view;

}  // namespace previct::kai
