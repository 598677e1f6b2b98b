#pragma once

#include "suite/judge.h"

namespace previct::suite {

/// The result of evaluating all pods of a Forall.
struct ForallResult {
  std::size_t asked = 0;               ///< number of questions
  std::optional<std::size_t> regions;  ///< in which it was proved for all pods; none: only the questions were asked
  std::string scheduler;               ///< scheduler of the evaluated pods
  std::vector<Failed> failed;          ///< of the counterexample; empty: there is none
  std::string example;                 ///< `priority 9000, nvidia.com/gpu 4, node gpu-1, at 2026-05-01T12:20:00Z`
};

/// Evaluates every pod that `forall` describes, on every node and at every moment it names, and stops at the first
/// counterexample: the one with the smallest requests, then the lowest priority, then the earliest moment.
///
/// For an interval of priorities, tries every value at which a comparison can change: those of pods and classes,
/// minimums of tolerations, and their neighbors. For an interval of time, tries now and every change that the engine
/// announces. Both are exhaustive. For an interval of quantities, tries the ends, and the amounts that are free on
/// nodes, or become free by evicting pods in the order of priority; a counterexample found there is reduced by
/// bisection. Then proves it for all amounts (proof_of_forall.h), if it is of a form that can be proved.
///
/// Pods without a schedulerName get scheduler_for_new_pods(). Fails if there is no pod to evaluate, or if no scheduler
/// tries to place any of them, because nothing was tested then.
[[nodiscard]] auto run_forall(const Forall& forall, TestedCluster& tested, Coverage& coverage) -> Result<ForallResult>;

}  // namespace previct::suite
