#pragma once

#include "analysis/decision.h"
#include "analysis/explanation.h"
#include "analysis/second_step.h"
#include "fit/remedy.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

/// Finds changes that make a pod schedulable, and how many copies of it fit.
namespace previct::fit {

/// What counts as schedulable.
struct Limits {
  bool victims = true;     ///< victims are acceptable
  bool violations = true;  ///< even if the evictions violate a disruption budget
};

/// The input of a search. The question names the pod, or the workload.
struct Task {
  Objects& objects;
  const Snapshot& cluster;  ///< of these objects, before the search
  const Engine& engine;
  std::string engine_name;  ///< for choose_engine(), for other pods
  Question question;
  PodId pod;  ///< invalid: the question is about a workload
  Limits limits{};
  std::uint32_t replicas = 0;  ///< number of copies to place; 0: only the pod itself
};

/// Changes that make the pod schedulable, verified by a full run of the engine on the changed cluster.
struct Solution {
  std::vector<Step> steps;
  Decision decision;               ///< the decision with these changes
  std::vector<std::string> nodes;  ///< possible nodes of the pod; a new node has no name
  SecondStep step{};               ///< what another scheduler does with the pods that this decision releases
};

/// One copy that gets a node.
struct Copy {
  std::string node;
  std::vector<std::string> victims{};
  std::vector<std::string> instead_of_some{};  ///< pods that may be evicted in place of some of the victims
};

struct Replicas {
  std::uint32_t asked = 0;
  std::vector<Copy> copies{};
  std::string ending{};    ///< the verdict on the next copy; empty: all copies get a node
  bool undecided = false;  ///< whether the next copy gets a node is not known
  bool cut = false;        ///< stopped by the limit of the search, not by the cluster
};

/// What still keeps the pod off a node after all changes together.
struct Blocked {
  std::string node{};
  std::string why{};
};

struct Fit {
  Answer answer;                      ///< without changes
  bool in = false;                    ///< the pod is schedulable without changes
  std::vector<Victim> in_vain{};      ///< without changes, these are evicted, which frees nothing
  std::vector<Solution> solutions{};  ///< smallest impact first
  std::optional<Blocked> blocked{};
  std::optional<Replicas> replicas{};
  std::vector<std::string> not_searched{};
  std::size_t tried = 0;  ///< number of engine runs on changed clusters
};

/// Returns true if the rules in use say nothing about the pod.
[[nodiscard]] inline auto is_not_covered(const Verdict& verdict) -> bool {
  return verdict.outcome == Outcome::not_eligible && verdict.never_tried;
}

/// Searches for solutions. `task.objects` are changed during the search, and restored at its end.
[[nodiscard]] auto fit(const Task& task) -> Result<Fit>;

/// Places copies of the pod in order, each where the scheduler would place it; adds the runs to `tried`.
[[nodiscard]] auto replicate(const Task& task, std::size_t& tried) -> Result<Replicas>;

/// Returns true if the pod is schedulable within these limits.
[[nodiscard]] auto is_schedulable_within(const Verdict& verdict, const Limits& limits) -> bool;

/// Returns true if kube-scheduler evicts a pod that stays: a static pod, or one that is terminating past its grace
/// period. Source: kubernetes v1.35 pkg/scheduler/framework/preemption/preemption.go PreemptPod: a victim that is
/// terminating is not deleted again.
[[nodiscard]] auto evicts_in_vain(const Verdict& verdict, const Snapshot& cluster, const Task& task) -> bool;

/// Returns why a node is of no use although the scheduler takes it: `being deleted`, or `not ready` if its kubelet does
/// not report that it is ready. Empty: it is of use.
[[nodiscard]] auto unusable_words(const Node& node, const Snapshot& cluster) -> std::string_view;

/// The possible nodes of the pod, best first.
[[nodiscard]] auto nodes_of(const Verdict& verdict, const Snapshot& cluster) -> std::vector<std::string>;

/// The maximum number of runs for a cluster of this size, so that a search ends within seconds.
[[nodiscard]] auto most_runs(const Objects& objects) -> std::size_t;

/// `kind: FitReport`.
[[nodiscard]] auto fit_report(const Fit& fit, const Task& task, const ReportContext& context) -> Report;

}  // namespace previct::fit
