#pragma once

#include "base/instant.h"
#include "engine/kube/disruption.h"
#include "engine/kube/node_trial.h"
#include "engine/kube/nominated_pods.h"
#include "engine/kube/tolerance.h"

#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// The fate of a pod on a node where preemption was tried. Each pod there has exactly one.
struct Fate {
  PodId pod;
  Reason reason;
};

/// The result of trying preemption on one node.
struct DryRun {
  Status status;  ///< ok: the node is a candidate
  /// In upstream's order: most important first, unless only one group was reprieved.
  std::vector<PodId> victims;
  std::int32_t violations = 0;  ///< victims whose disruption budget allows no more disruptions …
  std::vector<std::pair<PodId, std::uint32_t>> violated;  ///< … and the first such budget of each
  bool reprieves = false;                                 ///< some potential victims are reprieved
  /// The pods that violate budgets may depend on the order of the budgets, which is random.
  bool budget_order = false;
  std::vector<Fate> fates;  ///< in node order; set only if requested

  // The criteria of the choice among nodes, computed from the victims.
  std::int32_t first_priority = 0;
  std::int32_t highest_priority = 0;
  std::int64_t priority_sum = 0;  ///< Σ (priority + 2³¹)
  Instant earliest_start;         ///< of the victims with the highest priority; never: one of them has no start
};

/// Returns how many of these pods are victims.
[[nodiscard]] auto count_evicted(const DryRun& run, const std::vector<PodId>& pods) -> std::size_t;

/// Sets the criteria of the choice. `victims`: the most important one first.
void measure(std::span<const PodInfo* const> victims, DryRun& run);

/// How a preemption plugin orders the pods of a node and counts their budgets, where releases differ.
/// PreemptionToleration contains a copy of this part of DefaultPreemption as it was up to 1.36, in every release.
/// Source: kubernetes-sigs/scheduler-plugins: pkg/preemptiontoleration SelectVictimsOnNode, filterPodsWithPDBViolation.
struct VictimRules {
  VictimRules(const Release& release, bool of_toleration_plugin)
      : unstarted_as_listed(!of_toleration_plugin && release.has(Change::unstarted_as_listed)),
        violated_budget_ends_count(!of_toleration_plugin && release.has(Change::violated_budget_ends_count)) {}

  bool unstarted_as_listed;
  bool violated_budget_ends_count;
};

struct NodeOrders;
struct SmallestSets;

/// Finds the victims of one preemptor on one node at a time. One per thread.
class VictimSearch {
 public:
  /// `tolerances` is null if DefaultPreemption runs. `nominated[n]`: the nominated pods that count on node n.
  VictimSearch(const NodeInfoSnapshot& node_infos, const Incoming& incoming, NodeTrial trial, const Budgets& budgets,
               const Tolerances* tolerances, const NominatedPods& nominated);

  /// Returns the pods of `node` that would be evicted for the preemptor. Removes every pod of lower priority that does
  /// not tolerate it; if the preemptor then fits, reprieves the pods one by one as long as it still fits, most
  /// important first, pods whose budget is exhausted before the others.
  /// Source: plugins/defaultpreemption SelectVictimsOnNode; KEP-205; spec of sort.Slice for ties.
  [[nodiscard]] auto on(NodeId node, Moment& now, bool with_fates) -> DryRun;

  /// Does the same in all orders of pods of equal importance; see orders.h.
  [[nodiscard]] auto in_every_order(NodeId node, Moment& now, std::size_t& steps) -> std::optional<NodeOrders>;

  /// Looks on the node for sets of victims that are better than those in `sets`; see smallest_sets.h.
  void look_for_better_sets(NodeId node, Moment& now, SmallestSets& sets);

 private:
  using Pods = std::vector<const PodInfo*>;

  [[nodiscard]] auto collect(NodeId node, Moment& now, std::vector<Fate>* fates) -> std::optional<Reason>;
  void sort(Pods& pods, NodeId node) const;
  void split_by_budget(DryRun& result);
  void reprieve(const Pods& group, bool violating, std::span<const PodInfo> nominated, DryRun& result,
                std::vector<Fate>* fates);

  const NodeInfoSnapshot& node_infos_;
  const Incoming& incoming_;
  NodeTrial trial_;
  const Budgets& budgets_;
  const Tolerances* tolerances_;
  const VictimRules rules_;
  const NominatedPods& nominated_;

  // Reused from node to node.
  Pods potential_;
  Pods violating_;
  std::vector<std::uint32_t> violated_;  // the first budget that each of these violates
  Pods free_;
  Pods victims_;
  std::vector<std::int32_t> left_;
  std::vector<std::uint32_t> touched_;
  std::vector<char> in_doubt_;  // by budget: the order of the budgets decides how far it is charged
};

}  // namespace previct::kube
