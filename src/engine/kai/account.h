#pragma once

#include "cluster/pod_ends.h"
#include "engine/engine.h"
#include "engine/kai/cycles.h"
#include "engine/kube/unknown_volumes.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

/// What the question is about: a group, or one pod of a group.
struct Subject {
  GroupId group;
  PodId pod;                              ///< none if the question is about a group
  const AssumedGroup* assumed = nullptr;  ///< set if the group does not exist yet: what the pod-grouper would create
};

/// A decision, and everything needed to explain it.
struct Explained {
  const Snapshot& cluster;
  const Settings& settings;
  const Question& question;
  const Decision& decision;
  Subject subject;

  [[nodiscard]] auto cluster_info() const -> const ClusterInfo& { return decision.cluster_info; }
  [[nodiscard]] auto group() const -> const Group& { return decision.cluster_info.group(subject.group); }
};

struct Range {
  std::size_t least = 0;
  std::size_t most = 0;
  [[nodiscard]] auto is_open() const -> bool { return least != most; }
};

/// What a cycle does with the pods of a group, or with one pod of a group. KAI places the minimum of a group together,
/// and then one pod after another, so some pods of a group may get a node and others not.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info/allocation_info.go GetTasksToAllocate.
struct Fate {
  Outcome outcome = Outcome::pending;
  Action action = Action::allocate;  ///< the action that placed the group, if any
  std::vector<Eviction> evictions;   ///< without duplicates: those that the group causes; of a pod: with its placement
  std::vector<std::string> nodes;    ///< nodes of its pending pods, without duplicates, sorted
  std::size_t placed = 0;            ///< number of pending pods that were allocated or pipelined; of a pod: 0 or 1
  std::size_t pending = 0;           ///< number of pending pods of the group
  std::size_t placed_of_group = 0;   ///< number of them that were allocated or pipelined
  std::size_t for_rest = 0;          ///< of a pod: evictions that its group causes for its other pods
  bool left_out = false;             ///< of a pod: other pending pods of its group are placed, but not this one
  bool no_part = false;              ///< of a pod: it belongs to no pod set of its group, so the scheduler ignores it
  /// The values of one decision; widen() adds those of other orders.
  Range for_others;  ///< pods that the cycle evicts for other groups or as stale gangs
  Range moved;       ///< those of `evictions` that are pipelined to a node at the end of the cycle
  std::vector<TaskId> moves_depending_on_order{};  ///< victims that are moved, or to which node, depends on the order
  bool placement_depends_on_order = false;         ///< which pod gets which of `nodes` depends on the order
};
[[nodiscard]] auto fate_of(const Decision& decision, GroupId group) -> Fate;
/// The fate of the pod, if the subject is one.
[[nodiscard]] auto fate_of(const Decision& decision, const Subject& subject) -> Fate;

/// Returns the task of a pod of the group; none if the group has no such task.
[[nodiscard]] auto task_of(const ClusterInfo& cluster_info, const Subject& subject) -> TaskId;

/// Returns the group for which the subject loses the place of a pod again, or none. A group that was placed is a
/// possible victim of later groups of the same cycle.
[[nodiscard]] auto placement_lost_to(const Decision& decision, const Subject& subject) -> GroupId;

/// Returns a key of everything about an outcome that matters to the subject: equal keys mean equal answers.
[[nodiscard]] auto fate_key(const Decision& decision, const Subject& subject) -> std::string;

/// Returns the evicted pods without duplicates, in the order of eviction.
[[nodiscard]] auto distinct_evictions(const Cycle& cycle) -> std::vector<Eviction>;

/// Returns those of them that are evicted for no other group, because their gangs are stale.
[[nodiscard]] auto stale_evictions(const Cycle& cycle) -> std::vector<Eviction>;

[[nodiscard]] auto standing_of(const Explained& explained, Session& session, GroupId victim) -> Standing;

/// Returns the standings of all other groups with pods on nodes, ordered by name.
[[nodiscard]] auto standings_of(const Explained& explained) -> std::shared_ptr<const std::vector<GroupStanding>>;

/// The first time at which the answer changes if only time passes. next_change() runs a cycle for each time at which a
/// min-runtime, a delay or a grace period ends, and for a pending group also those at which a deadline or a NoExecute
/// taint ends a pod. The pods leave their nodes then; what their controllers do is not simulated.
struct NextChange {
  Instant at = Instant::never();
  std::shared_ptr<const Decision> then;  ///< null: the search ended here, after too many times, or at `stopped_by`
  std::size_t tried = 0;
  std::vector<PodId> left{};           ///< terminating pods that leave their nodes until `at`, in this order
  std::optional<PodEnd> stopped_by{};  ///< the end at `at`, after which more may happen than is simulated
};
[[nodiscard]] auto next_change(Cycles& cycles, const Explained& explained) -> NextChange;

/// Returns the names of the ConfigMaps that pending pods of the group need, if the input contains no ConfigMap at all,
/// so that it is unknown which exist.
[[nodiscard]] auto unknown_config_maps(const Explained& explained) -> std::vector<std::string>;

/// Returns the volumes of pending pods of the group about which the input says nothing; nothing if it has none.
[[nodiscard]] auto unknown_volumes(const Explained& explained) -> std::optional<kube::UnknownVolumes>;

/// Returns the ConfigMaps as a noun phrase: `the ConfigMap ml/settings`.
[[nodiscard]] auto config_maps_words(const std::vector<std::string>& names) -> std::string;

/// The outcome for the subject in one order of a cycle.
struct EngineTrace final : previct::EngineTrace {
  EngineTrace(std::shared_ptr<Cycles> of_shard, const Decision& of_them)
      : cycles(std::move(of_shard)), decision(of_them) {}

  [[nodiscard]] auto settings() const -> const Settings& { return cycles->settings; }

  std::shared_ptr<Cycles> cycles;
  const Decision& decision;  ///< one of the decisions of `cycles`
  Subject subject;
  const PodGroup* backing_off = nullptr;  ///< set if schedulingBackoff keeps the group out of the snapshot
  Fate fate;                              ///< of the group, unless it is backing off
  NextChange next;
};

/// Why the scheduler decides nothing about the subject.
enum class NoCycle : std::uint8_t { none, refused, endless, crashed };
[[nodiscard]] auto no_cycle(const Explained& explained, const Fate& fate) -> NoCycle;

/// Returns the state of the pod itself, which takes precedence over that of its group: deleting, scheduled or gated;
/// none for other states, or if the question is about the group.
[[nodiscard]] auto outcome_of_pod(const Explained& explained) -> std::optional<Outcome>;

/// Returns the verdict: what KAI does, as values.
[[nodiscard]] auto verdict_of(const std::shared_ptr<EngineTrace>& account, const Snapshot& cluster,
                              const Question& question) -> Verdict;

/// Returns the other possible results for the subject: one account for each result that differs from that of the input
/// order, as far as a limited number of orders shows them. Returns at most `most` accounts.
[[nodiscard]] auto other_results(const std::shared_ptr<Cycles>& cycles, const Subject& subject, std::size_t most)
    -> std::vector<std::shared_ptr<EngineTrace>>;

/// Widens the ranges of `fate` to cover the other orders that give the subject the same result as `decision`.
void widen(const std::shared_ptr<Cycles>& cycles, const Decision& decision, const Subject& subject, Fate& fate);

/// Returns true if it depends on the order whether, or for which group, the subject loses a place again.
[[nodiscard]] auto loss_depends_on_order(const std::shared_ptr<Cycles>& cycles, const Subject& subject) -> bool;

/// Returns true if the fair share of some queue depends on the order in which upstream adds numbers.
[[nodiscard]] auto shares_depend_on_order(const std::shared_ptr<Cycles>& cycles) -> bool;

[[nodiscard]] auto gaps(const Explained& explained) -> std::vector<Gap>;

/// Returns the gap that evictions with semi-preemptible groups are not modeled; none if the shard has none of them.
[[nodiscard]] auto semi_preemptible_gap(const ClusterInfo& cluster_info, bool decides) -> std::optional<Gap>;

}  // namespace previct::kai
