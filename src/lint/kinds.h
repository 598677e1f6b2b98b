#pragma once

#include "api/kind_info.h"

#include <string_view>

/// Kinds in the form of `kubectl get`, for Repository::of().
namespace previct::lint::kind {

inline constexpr std::string_view kPod = kinds::pods.qualified;
inline constexpr std::string_view kNode = kinds::nodes.qualified;
inline constexpr std::string_view kConfigMap = kinds::config_maps.qualified;
inline constexpr std::string_view kSecret = kinds::secrets.qualified;
inline constexpr std::string_view kPriorityClass = kinds::priority_classes.qualified;
inline constexpr std::string_view kBudget = kinds::disruption_budgets.qualified;
inline constexpr std::string_view kScheduler = kinds::scheduler_configurations.qualified;
inline constexpr std::string_view kDeployment = kinds::deployments.qualified;
inline constexpr std::string_view kKaiQueue = kinds::kai_queues.qualified;
inline constexpr std::string_view kKaiPodGroup = kinds::kai_pod_groups.qualified;
inline constexpr std::string_view kKaiShard = kinds::kai_shards.qualified;
inline constexpr std::string_view kKaiTopology = kinds::kai_topologies.qualified;
inline constexpr std::string_view kClusterQueue = kinds::cluster_queues.qualified;
inline constexpr std::string_view kCohort = kinds::cohorts.qualified;
inline constexpr std::string_view kLocalQueue = kinds::local_queues.qualified;
inline constexpr std::string_view kResourceFlavor = kinds::resource_flavors.qualified;
inline constexpr std::string_view kKueueWorkload = kinds::kueue_workloads.qualified;
inline constexpr std::string_view kWorkloadPriorityClass = kinds::workload_priority_classes.qualified;
inline constexpr std::string_view kAdmissionCheck = kinds::admission_checks.qualified;
inline constexpr std::string_view kKueueConfiguration = kinds::kueue_configurations.qualified;
/// YuniKorn's queues.yaml, which has no kind.
inline constexpr std::string_view kYunikornQueues = "QueueConfiguration";
/// Values of a chart, which have no kind either; only those that contain a scheduler configuration.
inline constexpr std::string_view kValues = "Values";
/// RFC 6902 operations in a separate file, with which a kustomization patches objects.
inline constexpr std::string_view kOperations = "PatchOperations";

}  // namespace previct::lint::kind
