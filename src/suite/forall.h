#pragma once

#include "suite/judge.h"

namespace previct::suite {

/// What asking for all of them led to.
struct ForallResult {
  std::size_t asked = 0;       ///< questions
  std::string scheduler;       ///< of the pods that were asked about
  std::vector<Failed> failed;  ///< of the counter-example; empty: there is none
  std::string example;         ///< `priority 9000, nvidia.com/gpu 4, node gpu-1, at 2026-05-01T12:20:00Z`
};

/// Asks about every pod that `forall` describes, on every node and at every moment it names, and stops at the first
/// that breaks the expectation: the one with the smallest requests, then priority, then the earliest.
///
/// Of an interval of priorities, all values are tried at which a comparison can turn: those of pods and classes,
/// minimums of tolerations, and their neighbours; of an interval of time, now and every change the engine announces:
/// both leave nothing out. Of an interval of quantities, the ends, and the amounts that nodes have free or get free by
/// evicting pods in the order of priority; a counter-example found there is made smaller by bisection.
///
/// Pods without a schedulerName are those of scheduler_for_new_pods(). Fails if there is no pod to ask about, or if no
/// scheduler tries to place any of them: nothing was tried then.
[[nodiscard]] auto run_forall(const Forall& forall, TestedCluster& tested, Coverage& coverage) -> Result<ForallResult>;

}  // namespace previct::suite
