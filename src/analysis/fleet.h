#pragma once

#include "analysis/report_context.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace previct {

/// Pods of one priority class and priority: a pod keeps the priority it was created with.
struct ClassOfPods {
  std::string name;  ///< name of the PriorityClass; empty: none
  std::int32_t priority = 0;

  friend auto operator<=>(const ClassOfPods&, const ClassOfPods&) = default;
};

/// What pods of one class can do to running pods of another.
struct Reach {
  bool lower = false;             ///< the victims' priority is below the preemptors'
  std::size_t protected_now = 0;  ///< victims that tolerate preemption now, or on whose node preemption fails
  bool node_fails = false;        ///< preemption fails on the node of some of them
  bool forever = false;           ///< some of them tolerate it forever
  Instant until;                  ///< when the last of the other tolerations ends; Instant{}: none
  bool tolerates = false;         ///< some of the victims tolerate it now or tolerated it earlier
};

/// Pods that could preempt: those of a PriorityClass, and pending pods of the same class and priority.
struct Preemptors {
  ClassOfPods who;
  std::vector<std::string> schedulers{};  ///< their schedulerNames, whose profiles all preempt in the same way
  std::string never{};                    ///< why they preempt no pod: `preemptionPolicy Never`; else empty
  std::vector<std::size_t> pending;       ///< indices into Fleet::answers
  std::vector<Reach> reach;               ///< one for each column of Fleet::victims
  std::string new_pods{};                 ///< what new pods of the class get instead: `priority 5`; empty: the same
};

/// A running pod that pending pods would preempt.
struct AtRisk {
  PodId pod;
  std::vector<std::uint32_t> by;  ///< of pods that are alike, the first one, as an index into Fleet::answers
  std::size_t times = 0;          ///< the number of these pods, and of those that are alike
  bool certain = false;           ///< one of them evicts this pod in any case; else other pods may be evicted instead
};

/// Which classes of pods can preempt which, and the effect of the pending pods.
struct Fleet {
  std::string engine;
  std::string behaves;
  std::string ns;  ///< the namespace of the pending pods in question; empty: all
  std::vector<std::pair<ClassOfPods, std::size_t>>
      victims;                         ///< running pods by class, lowest priority first, with their number
  std::vector<Preemptors> preemptors;  ///< highest priority first; only those that outrank a running pod
  std::vector<Answer> answers;         ///< of the pending pods, each evaluated separately, by name; without details
  std::map<std::size_t, std::vector<std::size_t>> alike;  ///< to the first of equal `answers`, all of them
  std::vector<AtRisk> at_risk;                            ///< the pods with most preemptors first
  bool by_scheduler = false;    ///< the result also depends on the scheduler of the preemptors
  std::vector<Gap> left_out{};  ///< what is pending for other schedulers
  std::vector<Gap> gaps;
};

/// Evaluates every class and every pending pod. Only for kube-scheduler: other schedulers do not preempt by class.
/// `keeps_victims`: Fleet::answers also have the victims on nodes that no line shows.
[[nodiscard]] auto fleet(const Engine& engine, const Snapshot& cluster, const Question& question,
                         bool keeps_victims = true) -> Result<Fleet>;

/// `kind: FleetReport`.
[[nodiscard]] auto fleet_report(const Fleet& fleet, const ReportContext& context) -> Report;

}  // namespace previct
