#pragma once

#include "analysis/report_context.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <map>
#include <string>
#include <vector>

namespace previct {

/// Pods of one priority class and priority: a pod keeps the priority that it was created with.
struct ClassOfPods {
  std::string name;  ///< of the PriorityClass; empty: none
  std::int32_t priority = 0;

  friend auto operator<=>(const ClassOfPods&, const ClassOfPods&) = default;
};

/// What pods of one class can do to running pods of another.
struct Reach {
  bool lower = false;             ///< the victims' priority is below the preemptors'
  std::size_t protected_now = 0;  ///< of the victims: they tolerate it now, or preemption fails on their node
  bool node_fails = false;        ///< the second of some of these
  bool forever = false;           ///< some of these tolerate it for ever
  Instant until;                  ///< the last of the others does so until then; Instant{}: none
  bool tolerates = false;         ///< some of the victims tolerate it now or did
};

/// Pods that could preempt: those of a PriorityClass, and pending ones of the same class and priority.
struct Preemptors {
  ClassOfPods who;
  std::vector<std::string> schedulers{};  ///< their schedulerNames, all of which preempt alike
  std::string never{};                    ///< why they preempt no pod: `preemptionPolicy Never`; empty: they may
  std::vector<std::size_t> pending;       ///< indices into Fleet::answers
  std::vector<Reach> reach;               ///< one a column of Fleet::victims
};

/// A running pod that pending ones would preempt.
struct AtRisk {
  PodId pod;
  std::vector<std::size_t> by;  ///< indices into Fleet::answers
  bool certain = false;         ///< one of them evicts it in any case; else others may be evicted in its place
};

/// Who can preempt whom, and whom it would hit.
struct Fleet {
  std::string engine;
  std::string behaves;
  std::string ns;  ///< whose pending pods were asked about; empty: all
  std::vector<std::pair<ClassOfPods, std::size_t>>
      victims;                         ///< running pods by class, lowest priority first, with their number
  std::vector<Preemptors> preemptors;  ///< highest priority first; those that outrank a running pod
  std::vector<Answer> answers;         ///< of the pending pods, each evaluated separately, by name; brief
  std::vector<AtRisk> at_risk;         ///< most often taken first
  bool by_scheduler = false;           ///< which scheduler the preemptors have decides, too
  std::size_t others = 0;              ///< pending pods that other schedulers decide about
  std::vector<Gap> gaps;
};

/// Asks the engine about every class and every pending pod. For kube-scheduler: other schedulers do not go by classes.
[[nodiscard]] auto fleet(const Engine& engine, const Snapshot& cluster, const Question& question) -> Result<Fleet>;

/// `kind: FleetReport`.
[[nodiscard]] auto fleet_report(const Fleet& fleet, const ReportContext& context) -> Report;

}  // namespace previct
