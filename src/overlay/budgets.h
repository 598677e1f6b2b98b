#pragma once

#include "overlay/surroundings.h"

#include <string>

namespace previct {

/// What a manifest of a PodDisruptionBudget asks for, as written: `2`, `"20%"`; empty where it says nothing.
struct BudgetSpec {
  std::string min_available;
  std::string max_unavailable;
};
[[nodiscard]] auto budget_spec_of(const FoundObject& found) -> BudgetSpec;

/// Gives a budget the status that its controller would give it in this cluster, once it has caught up:
/// `disruptionsAllowed` is how many of the healthy pods (Ready, not being deleted) are more than it wants. Of
/// percentages and of maxUnavailable the whole is what the pods' controllers are to run, not the pods there are;
/// percentages are rounded up. Whether unhealthy pods may be evicted (unhealthyPodEvictionPolicy) is a matter of the
/// eviction API: preemption asks for disruptionsAllowed alone.
///
/// Returns how it was worked out, for people. Where the input does not tell, its number is kUnknownDisruptions.
///
/// Source: kubernetes/kubernetes: pkg/controller/disruption/disruption.go getExpectedPodCount, getExpectedScale,
/// countHealthyPods, updatePdbStatus; v1.35.4.
[[nodiscard]] auto work_out(PodDisruptionBudget& budget, const BudgetSpec& spec, const Surroundings& around,
                            Objects& objects) -> std::string;

}  // namespace previct
