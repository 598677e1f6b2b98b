#pragma once

#include "base/mostly_default.h"
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
  assigned,  ///< the pod is already on a node
  deleting,
  gated,
  no_nodes,
  scheduled,  ///< the pod fits
  preempting,
  unschedulable,
  preemption_error,  ///< PostFilter failed with an error
  error              ///< a filter failed with an error, which ends the attempt
};

/// What was found about one node.
struct NodeVerdict {
  /// `not_kept`: preemption would work there, but upstream keeps no candidate at all (both minimums come to 0).
  enum class Preemption : std::uint8_t { not_asked, skipped, candidate, none, not_kept };

  Status filter;
  Preemption preemption = Preemption::not_asked;  ///< result of the last preemption plugin that ran
  MostlyDefault<DryRun> run;                      ///< set if `preemption` is candidate, none or not_kept

  // Only with AttemptOptions::records_results, for a node where tolerating pods prevent preemption:
  std::optional<Instant> candidate_from;  ///< when enough tolerations have ended to make it a candidate
  bool shielded = false;                  ///< it would be a candidate if no pod tolerated the preemptor
};

/// A pod of lower priority, and whether it tolerates this preemptor.
struct PodTolerance {
  PodId pod;
  NodeId node;
  Tolerance tolerance;
};

/// One PostFilter plugin that ran, whether or not it ended the attempt.
struct PostFilterStep {
  PostFilter::Kind plugin = PostFilter::Kind::default_preemption;
  std::optional<Reason> reason;         ///< result of DynamicResources, or whether the pod may preempt
  IdVector<NodeId, NodeVerdict> nodes;  ///< of a preemption plugin; empty: it is the last one, see Decision::nodes

  [[nodiscard]] auto eligible() const -> bool { return reason && reason->rule == Rule::eligible; }
};

/// The errors with which filters fail on nodes, each once. The attempt ends with the one that occurs first, and the
/// scheduler examines several nodes at the same time.
/// Source: pkg/scheduler/schedule_one.go findNodesThatPassFilters, SendErrorWithCancel; v1.31 to v1.37.
struct FilterErrors {
  std::vector<const Status*> errors;
  bool others_possible = false;  ///< the devices of a node are not known, so its filter may fail with another error
};

struct Decision {
  Ending ending = Ending::unschedulable;
  std::optional<Reason> gate;        ///< why the pod is not tried at all
  std::string_view gate_plugin;      ///< the plugin that holds it back
  std::optional<Status> pre_filter;  ///< the rejection on all nodes
  std::optional<std::vector<Symbol>> pre_filter_nodes;
  std::optional<Reason> score;  ///< why choosing among the feasible nodes fails with an error
  bool nominated_used = false;  ///< the pod fits on its nominated node, so no other node is tried
  /// Enough other nodes are feasible that the scheduler may stop before it tries the node with the error.
  bool error_may_be_missed = false;
  std::vector<NodeId> feasible;
  std::optional<Selection> selection;  ///< the choice among them; for a pod that is placed alone
  PostFilter::Kind decided_by = PostFilter::Kind::default_preemption;  ///< the last preemption plugin that ran
  std::vector<PostFilterStep> steps;                                   ///< the PostFilter plugins that ran, in order
  std::optional<Reason> eligibility;  ///< from the last preemption plugin; set only if no node is feasible
  bool resources_prepared = false;    ///< PreFilter of DynamicResources ran; its PostFilter fails otherwise
  std::shared_ptr<const devices::Findings> devices;  ///< findings about devices, if the pod needs devices
  IdVector<NodeId, NodeVerdict>
      nodes;  ///< all nodes, if they were tried; may be empty if the pod fits, see AttemptOptions
  std::vector<NodeId> candidates;
  Choice choice;
  /// Every node that may be chosen. Set only with AttemptOptions::order_steps, if the victims depend on the order of
  /// pods of equal importance and the scheduler compares all candidates. Empty: there are too many orders to try them
  /// all.
  std::optional<std::vector<NodeOrders>> orders;
  /// For a pod that is placed together with others; with a doubt, everything else here is for the pod alone.
  std::optional<GroupDecision> group;
  std::vector<PodTolerance> tolerances;    ///< only if PreemptionToleration decides; by node, in pod order
  Instant next_change = Instant::never();  ///< the decision holds on [now, next_change)

  /// Returns true if the group decides: the nodes were not tried for the pod alone.
  [[nodiscard]] auto as_group() const -> bool { return group && group->doubt == GroupDecision::Doubt::none; }

  [[nodiscard]] auto eligible() const -> bool { return eligibility && eligibility->rule == Rule::eligible; }

  /// Returns the results on a node for all orders of pods of equal importance; null if they are not known.
  [[nodiscard]] auto orders_on(NodeId node) const -> const NodeOrders*;

  /// Returns what may end an attempt that ends with the error of a filter.
  [[nodiscard]] auto filter_errors() const -> FilterErrors;

  /// Returns the plugins that rejected the pod; their events requeue it. Empty after an error or if there are no nodes.
  /// Source: pkg/scheduler/framework/types.go Diagnosis.UnschedulablePlugins.
  [[nodiscard]] auto rejecting_plugins() const -> std::vector<const FilterInfo*>;

  /// Returns true if a filter that is not modeled could change the decision. It cannot if no node is feasible even
  /// without the potential victims.
  [[nodiscard]] auto may_depend_on_unmodelled_filter() const -> bool;
};

struct AttemptOptions {
  /// Record the results on all nodes even if the pod fits, the fate of each pod on each node tried, and what changes
  /// when tolerations end.
  bool records_results = false;
  bool all_tolerances = false;  ///< record the tolerance of every pod, even if no pod would have to be evicted
  std::size_t order_steps = 0;  ///< how many reprieves may be tried for other orders of equal pods; 0: try none
  Chooses chooses = Chooses::always;
  unsigned threads = 1;  ///< number of threads among which nodes are split; the decision does not depend on it
};

/// A PreEnqueue plugin that keeps a pod out of the queue, with its reason.
struct Hold {
  std::string_view plugin;  ///< the name in the profile
  Reason reason;
};
/// Returns what keeps the pod out of the queue, by the state of the cluster. A preemption for the pod that is still in
/// progress counts, too.
[[nodiscard]] auto held_before_queue(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod)
    -> std::optional<Hold>;

/// Runs one scheduling attempt for one pod as kube-scheduler does: PreEnqueue, PreFilter, Filter on every node and, if
/// no node is feasible, preemption.
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go, framework/preemption, v1.35.4.
[[nodiscard]] auto attempt(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile,
                           Instant now, const AttemptOptions& options) -> Decision;

}  // namespace previct::kube
