#pragma once

#include <string_view>

/// Kinds as `kubectl get` takes them, for Repository::of().
namespace previct::lint::kind {

inline constexpr std::string_view kPod = "Pod";
inline constexpr std::string_view kNode = "Node";
inline constexpr std::string_view kConfigMap = "ConfigMap";
inline constexpr std::string_view kSecret = "Secret";
inline constexpr std::string_view kPriorityClass = "PriorityClass.scheduling.k8s.io";
inline constexpr std::string_view kBudget = "PodDisruptionBudget.policy";
inline constexpr std::string_view kScheduler = "KubeSchedulerConfiguration.kubescheduler.config.k8s.io";
inline constexpr std::string_view kDaemonSet = "DaemonSet.apps";
inline constexpr std::string_view kStatefulSet = "StatefulSet.apps";
inline constexpr std::string_view kDeployment = "Deployment.apps";
inline constexpr std::string_view kKaiQueue = "Queue.scheduling.run.ai";
inline constexpr std::string_view kKaiPodGroup = "PodGroup.scheduling.run.ai";
inline constexpr std::string_view kKaiShard = "SchedulingShard.kai.scheduler";
inline constexpr std::string_view kKaiTopology = "Topology.kai.scheduler";
inline constexpr std::string_view kClusterQueue = "ClusterQueue.kueue.x-k8s.io";
inline constexpr std::string_view kCohort = "Cohort.kueue.x-k8s.io";
inline constexpr std::string_view kLocalQueue = "LocalQueue.kueue.x-k8s.io";
inline constexpr std::string_view kResourceFlavor = "ResourceFlavor.kueue.x-k8s.io";
inline constexpr std::string_view kKueueWorkload = "Workload.kueue.x-k8s.io";
inline constexpr std::string_view kWorkloadPriorityClass = "WorkloadPriorityClass.kueue.x-k8s.io";
inline constexpr std::string_view kAdmissionCheck = "AdmissionCheck.kueue.x-k8s.io";
inline constexpr std::string_view kKueueConfiguration = "Configuration.config.kueue.x-k8s.io";
/// YuniKorn's queues.yaml, which has no kind.
inline constexpr std::string_view kYunikornQueues = "QueueConfiguration";
/// The values of a chart, which have none either; only those that hold a configuration of a scheduler.
inline constexpr std::string_view kValues = "Values";
/// Operations of RFC 6902 in a file of their own, by which a kustomization patches others.
inline constexpr std::string_view kOperations = "PatchOperations";
inline constexpr std::string_view kKustomization = "Kustomization.kustomize.config.k8s.io";

}  // namespace previct::lint::kind
