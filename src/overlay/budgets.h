#pragma once

#include "api/objects.h"

#include <string>

namespace previct {

/// The limits in the manifest of a PodDisruptionBudget, as written: `2`, `"20%"`; empty if absent.
struct BudgetSpec {
  std::string min_available;
  std::string max_unavailable;
};
[[nodiscard]] auto budget_spec_of(const FoundObject& found) -> BudgetSpec;

/// Sets the status of a budget to what its controller would compute in this cluster: `disruptionsAllowed` is the number
/// of healthy pods (Ready, not being deleted) above what the budget requires. Percentages and maxUnavailable refer to
/// the number of pods that the controllers should run, not to the number that exists; percentages are rounded up.
/// Whether unhealthy pods may be evicted (unhealthyPodEvictionPolicy) only matters to the eviction API: preemption uses
/// disruptionsAllowed alone.
///
/// Returns an explanation as text. If the input is not sufficient, the number is kUnknownDisruptions.
///
/// Source: kubernetes/kubernetes: pkg/controller/disruption/disruption.go getExpectedPodCount, getExpectedScale,
/// countHealthyPods, updatePdbStatus; v1.35.4.
[[nodiscard]] auto work_out(PodDisruptionBudget& budget, const BudgetSpec& spec, const Objects& objects) -> std::string;

}  // namespace previct
