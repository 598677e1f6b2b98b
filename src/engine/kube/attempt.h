#pragma once

#include "engine/kube/pick_node.h"
#include "engine/kube/profile.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// How one scheduling attempt ends.
enum class Ending : std::uint8_t {
  assigned,  ///< the pod is on a node already
  deleting,
  gated,
  no_nodes,
  scheduled,  ///< it fits
  preempting,
  unschedulable,
  preemption_error,  ///< PostFilter ended in an error
  error              ///< a filter ended in an error, which ends the attempt
};

/// What was found about one node.
struct NodeVerdict {
  enum class Preemption : std::uint8_t { not_asked, skipped, candidate, none };

  Status filter;
  Preemption preemption = Preemption::not_asked;
  DryRun run;  ///< if candidate or none

  // Only with AttemptOptions::with_fates, for a node where tolerating pods hold the room:
  std::optional<Instant> candidate_from;  ///< when enough tolerations have ended for it to be a candidate
  bool shielded = false;                  ///< it would be a candidate if no pod tolerated the preemptor
};

/// A pod of lower priority and whether it tolerates this preemptor.
struct PodTolerance {
  PodId pod;
  NodeId node;
  Tolerance tolerance;
};

struct Decision {
  Ending ending = Ending::unschedulable;
  std::optional<Status> pre_filter;  ///< the rejection on all nodes
  std::optional<std::vector<Symbol>> pre_filter_nodes;
  bool nominated_used = false;  ///< its own nominated node takes it, so no other is looked at
  std::vector<NodeId> feasible;
  std::optional<Reason> eligibility;    ///< asked only if no node takes the pod
  bool post_filter_reached_end = true;  ///< false: PreFilter stopped before DynamicResources ran
  IdVector<NodeId, NodeVerdict> nodes;  ///< all nodes, if they were looked at
  std::vector<NodeId> candidates;
  Choice choice;
  std::vector<PodTolerance> tolerances;    ///< only with PreemptionToleration; node by node, in pod order
  Instant next_change = Instant::never();  ///< the decision holds on [now, next_change)

  [[nodiscard]] auto eligible() const -> bool { return eligibility && eligibility->rule == Rule::eligible; }
};

struct AttemptOptions {
  bool with_fates = false;  ///< record what became of each pod on each node tried, and what would if tolerations end
  unsigned threads = 1;     ///< nodes are split among them; the decision is the same for any number
};

/// One scheduling attempt for one pod, as kube-scheduler makes it: PreEnqueue, PreFilter, Filter on every node, and
/// if none takes the pod, preemption.
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go, framework/preemption, v1.35.4.
[[nodiscard]] auto attempt(World& world, const Budgets& budgets, PodId pod, const Profile& profile, Instant now,
                           const AttemptOptions& options) -> Decision;

}  // namespace previct::kube
