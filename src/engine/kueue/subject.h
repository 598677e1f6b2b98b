#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct::kueue {

/// Returns the workload that a question is about: the named one, that of the pod, or that of the object that owns it.
/// Errors: there is none; the message lists what exists.
[[nodiscard]] auto find_asked(const Inventory& inventory, const Question& question) -> Result<WorkloadId>;

/// Returns the workload of the pod; none if the input does not contain it.
/// Source: pkg/controller/constants (annotation kueue.x-k8s.io/workload), pkg/controller/jobs/pod.
[[nodiscard]] auto workload_of(const Inventory& inventory, PodId pod) -> WorkloadId;

/// Returns true if the input contains a workload of the pod.
[[nodiscard]] auto has_workload(const Snapshot& cluster, PodId pod) -> bool;

/// Returns the pods of the workload, in input order.
[[nodiscard]] auto pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId>;
/// Returns those of its pods that are on a node, whether or not the input has that node, and have not finished.
[[nodiscard]] auto running_pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId>;

/// Returns true if the input may contain more pods of the workload: it has fewer than its pod sets count, and running
/// pods of its namespace have owners that the input lacks.
[[nodiscard]] auto lacks_pods(const Inventory& inventory, WorkloadId workload) -> bool;

/// Returns true if nothing recreates the pods of the workload, which it was made from. An eviction deletes them, and
/// with them the workload. Source: pkg/controller/jobs/pod/pod_controller.go Stop.
[[nodiscard]] auto goes_with_its_pods(const Inventory& inventory, WorkloadId workload) -> bool;

/// Returns how many pods the Job of the workload runs, or will create at once, that the input does not contain; 0 if
/// the input lacks the Job.
/// Source: kubernetes pkg/controller/job/job_controller.go manageJob, v1.35.
[[nodiscard]] auto pods_to_come(const Inventory& inventory, WorkloadId workload) -> std::int64_t;

}  // namespace previct::kueue
