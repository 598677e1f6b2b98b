#pragma once

#include "engine/kube/groups/group_attempt.h"
#include "engine/kube/orders.h"
#include "engine/kube/pick_node.h"
#include "engine/kube/profile.h"
#include "engine/kube/selection.h"

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
  /// `not_kept`: it could be freed, but upstream keeps no candidate at all (both minimums come to 0).
  enum class Preemption : std::uint8_t { not_asked, skipped, candidate, none, not_kept };

  Status filter;
  Preemption preemption = Preemption::not_asked;  ///< by the last preemption plugin that was asked
  DryRun run;                                     ///< if candidate, none or not_kept

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

/// One plugin of PostFilter that was asked and did not end the attempt, or did.
struct PostFilterStep {
  PostFilter::Kind plugin = PostFilter::Kind::default_preemption;
  std::optional<Reason> reason;         ///< what DynamicResources says; whether a preemption plugin's pod may preempt
  IdVector<NodeId, NodeVerdict> nodes;  ///< what a preemption plugin found; empty: it is the last, see Decision::nodes

  [[nodiscard]] auto eligible() const -> bool { return reason && reason->rule == Rule::eligible; }
};

struct Decision {
  Ending ending = Ending::unschedulable;
  std::optional<Reason> gate;        ///< why it is not even tried
  std::string_view gate_plugin;      ///< which plugin says so
  std::optional<Status> pre_filter;  ///< the rejection on all nodes
  std::optional<std::vector<Symbol>> pre_filter_nodes;
  std::optional<Reason> score;       ///< why the choice among the nodes that fit ends in an error
  bool nominated_used = false;       ///< its own nominated node takes it, so no other is looked at
  bool error_may_be_missed = false;  ///< so many other nodes take the pod that the one with the error need not be tried
  std::vector<NodeId> feasible;
  std::optional<Selection> selection;  ///< which of them it gets; of a pod that is placed by itself
  PostFilter::Kind decided_by = PostFilter::Kind::default_preemption;  ///< the last preemption plugin that was asked
  std::vector<PostFilterStep> steps;  ///< the plugins of PostFilter in turn, as far as they were asked
  std::optional<Reason> eligibility;  ///< of the last preemption plugin; asked only if no node takes the pod
  bool resources_prepared = false;    ///< DynamicResources' PreFilter ran; without it its PostFilter fails
  std::shared_ptr<const devices::Findings> devices;  ///< of the choice of devices, if it takes part in this
  IdVector<NodeId, NodeVerdict> nodes;               ///< all nodes, if they were looked at
  std::vector<NodeId> candidates;
  Choice choice;
  /// Only with AttemptOptions::order_steps, if who goes hangs on the order of pods of equal importance and no sample of
  /// the candidates is taken: every node that may be chosen. Empty: there are too many orders to try them all.
  std::optional<std::vector<NodeOrders>> orders;
  std::optional<GroupDecision>
      group;  ///< of a pod that is placed together with others; with a doubt: as if it were not
  std::vector<PodTolerance> tolerances;    ///< only if PreemptionToleration decides; node by node, in pod order
  Instant next_change = Instant::never();  ///< the decision holds on [now, next_change)

  /// The group decides: the nodes were not looked at for the pod alone.
  [[nodiscard]] auto as_group() const -> bool { return group && group->doubt == GroupDecision::Doubt::none; }

  [[nodiscard]] auto eligible() const -> bool { return eligibility && eligibility->rule == Rule::eligible; }

  /// The plugins that rejected the pod, for whose events it waits. Empty after an error, and where there are no nodes.
  /// Source: pkg/scheduler/framework/types.go Diagnosis.UnschedulablePlugins.
  [[nodiscard]] auto rejecting_plugins() const -> std::vector<const FilterInfo*>;

  /// Might a filter that nobody modelled change it? Not if no node takes the pod, not even with victims gone.
  [[nodiscard]] auto rests_on_filters() const -> bool;
};

struct AttemptOptions {
  bool with_fates = false;  ///< record what became of each pod on each node tried, and what would if tolerations end
  bool all_tolerances = false;  ///< of every pod, whatever comes of the attempt; else only if somebody would have to go
  std::size_t order_steps = 0;  ///< how often a pod may be put back to try other orders of equal pods; 0: none is tried
  unsigned threads = 1;         ///< nodes are split among them; the decision is the same for any number
};

/// A PreEnqueue plugin that holds a pod back before it gets into the queue, and why.
struct Hold {
  std::string_view plugin;  ///< as the profile names it
  Reason reason;
};
/// By what the cluster holds; a preemption for the pod that is under way holds it back, too.
[[nodiscard]] auto held_before_queue(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod)
    -> std::optional<Hold>;

/// One scheduling attempt for one pod, as kube-scheduler makes it: PreEnqueue, PreFilter, Filter on every node, and
/// if none takes the pod, preemption.
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go, framework/preemption, v1.35.4.
[[nodiscard]] auto attempt(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile,
                           Instant now, const AttemptOptions& options) -> Decision;

}  // namespace previct::kube
