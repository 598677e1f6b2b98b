#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct::kueue {

/// The workload that a question is about: its own, that of the pod, or that of the object that owns it. Errors: there
/// is none; says what there is.
[[nodiscard]] auto find_asked(const Inventory& inventory, const Question& question) -> Result<WorkloadId>;

/// Of which the pod is; none: it is of none that the input holds.
/// Source: pkg/controller/constants (annotation kueue.x-k8s.io/workload), pkg/controller/jobs/pod.
[[nodiscard]] auto workload_of(const Inventory& inventory, PodId pod) -> WorkloadId;

/// Is a workload of the pod in the input?
[[nodiscard]] auto has_workload(const Snapshot& cluster, PodId pod) -> bool;

/// Its pods, in the order of the input.
[[nodiscard]] auto pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId>;
/// Those of them that are on a node.
[[nodiscard]] auto running_pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId>;

}  // namespace previct::kueue
