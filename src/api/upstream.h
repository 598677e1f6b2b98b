#pragma once

#include "api/schedulers.h"
#include "base/instant.h"

#include <array>
#include <cstdint>
#include <string_view>

/// Constants of Kubernetes that no input states.
namespace previct::upstream {

/// The schedulerName of a pod, and of a kube-scheduler profile, that does not set it.
inline constexpr std::string_view kDefaultScheduler = schedulers::kube.scheduler_name;

/// The terminationGracePeriodSeconds of a pod that does not set it.
/// Source: kubernetes: pkg/apis/core/v1/defaults.go, SetDefaults_PodSpec (DefaultTerminationGracePeriodSeconds).
inline constexpr std::int64_t kDefaultGraceSeconds = 30;

/// The interval at which kube-scheduler looks for pods that have been unschedulable for long enough.
/// Source: kubernetes: pkg/scheduler/backend/queue/scheduling_queue.go, Run (flushUnschedulablePodsLeftover).
inline constexpr std::int64_t kFlushLookedAtEverySeconds = 30;

/// Go's zero time: 0001-01-01T00:00:00Z.
/// Source: Go: time.Time.IsZero.
inline constexpr Instant kGoZero{-62'135'596'800, 0};

/// The highest value of a PriorityClass that is not reserved for the system.
/// Source: kubernetes: pkg/apis/scheduling/types.go, HighestUserDefinablePriority.
inline constexpr std::int32_t kHighestUserPriority = 1'000'000'000;

/// The PriorityClasses that the API server creates itself.
/// Source: kubernetes: pkg/apis/scheduling/v1/helpers.go, SystemPriorityClasses.
struct SystemClass {
  std::string_view name;
  std::int32_t value = 0;
};
inline constexpr SystemClass kNodeCritical{"system-node-critical", 2'000'001'000};
inline constexpr SystemClass kClusterCritical{"system-cluster-critical", 2'000'000'000};
inline constexpr std::array kSystemClasses = {kNodeCritical, kClusterCritical};

/// Returns true for an extended resource, one that is not native to Kubernetes.
/// Source: kubernetes: pkg/apis/core/v1/helper/helpers.go, IsExtendedResourceName, IsNativeResource.
[[nodiscard]] constexpr auto is_extended_resource(std::string_view name) -> bool {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos &&
         !name.starts_with("requests.");
}

}  // namespace previct::upstream
