#pragma once

#include "engine/engine.h"
#include "engine/kai/cycles.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

/// What is asked: a group, or one pod of it.
struct Subject {
  GroupId group;
  PodId pod;                              ///< none if the group was asked about
  const AssumedGroup* assumed = nullptr;  ///< the group is what the pod-grouper would make; else null
};

/// A decision and everything needed to speak of it.
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

/// What the group's pods get.
struct Fate {
  Outcome outcome = Outcome::pending;
  Action action = Action::allocate;  ///< that placed the group, if it was placed
  std::vector<Eviction> evictions;   ///< that the group causes; distinct
  std::vector<std::string> nodes;    ///< where its pending pods go, each once, sorted
  std::size_t placed = 0;            ///< pending pods that got a place
  /// Of one decision, these are what it shows; see widen().
  Range for_others;                       ///< pods evicted in the cycle for other groups, or as stale gangs
  Range moved;                            ///< of `evictions`: those that have a place at the end of the cycle
  std::vector<TaskId> moved_by_chance{};  ///< those of which the order decides whether, or where
  bool placed_by_chance = false;          ///< the order decides which of its pods gets which of `nodes`
};
[[nodiscard]] auto fate_of(const Decision& decision, GroupId group) -> Fate;

/// A group that was placed is a victim of later groups of the same cycle, as any other: for which group it loses the
/// place of a pod again; none if it does not.
[[nodiscard]] auto loses_again_to(const Decision& decision, GroupId group) -> GroupId;

/// What the subject can notice of an outcome; equal keys, equal answers.
[[nodiscard]] auto fate_key(const Decision& decision, GroupId group) -> std::string;

/// The pods evicted, each once, in the order of eviction.
[[nodiscard]] auto distinct_evictions(const Cycle& cycle) -> std::vector<Eviction>;

/// `candidate`, or why a group cannot be a victim of the subject, by the action that looks at its queue.
struct Standing {
  Action action;
  Rule rule;
  Shield shield;
};
[[nodiscard]] auto standing_of(const Explained& explained, Session& session, GroupId victim) -> Standing;

/// The standing of every other group with pods on nodes, by name.
struct GroupStanding {
  GroupId group;
  Standing standing;
};
[[nodiscard]] auto standings_of(const Explained& explained) -> std::vector<GroupStanding>;

/// The first moment at which the answer changes while the cluster does not: decides again at every instant at which a
/// min-runtime, a delay or a grace ends.
struct NextChange {
  Instant at = Instant::never();
  std::unique_ptr<const Decision> then;  ///< none: so many instants were tried that the search ended here
  std::size_t tried = 0;
};
[[nodiscard]] auto next_change(const Explained& explained) -> NextChange;

/// The names of ConfigMaps that pending pods of the group need, if the input holds no ConfigMap at all: then it does
/// not tell which exist.
[[nodiscard]] auto unknown_config_maps(const Explained& explained) -> std::vector<std::string>;

/// The ConfigMaps of that name as a condition: `the ConfigMap ml/settings`.
[[nodiscard]] auto config_maps_words(const std::vector<std::string>& names) -> std::string;

/// What became of the subject in one order of a cycle.
struct Account final : previct::Account {
  Account(std::shared_ptr<Cycles> of_shard, const Decision& of_them) : cycles(std::move(of_shard)), decision(of_them) {}

  [[nodiscard]] auto settings() const -> const Settings& { return cycles->settings; }

  std::shared_ptr<Cycles> cycles;
  const Decision& decision;  ///< one of them
  Subject subject;
  const PodGroup* backing_off = nullptr;  ///< the group is kept out of the snapshot by its schedulingBackoff
  Fate fate;                              ///< of the group, unless it is backing off
  NextChange next;
};

/// Why the scheduler decides nothing about the subject.
enum class NoCycle : std::uint8_t { none, refused, endless, crashed };
[[nodiscard]] auto no_cycle(const Explained& explained, const Fate& fate) -> NoCycle;

/// The state of the pod itself, which goes before that of its group: deleting, scheduled, gated; none else, or if the
/// group was asked about.
[[nodiscard]] auto outcome_of_pod(const Explained& explained) -> std::optional<Outcome>;

/// What KAI does, as values.
[[nodiscard]] auto verdict_of(const std::shared_ptr<Account>& account, const Snapshot& cluster,
                              const Question& question) -> Verdict;

/// What else may become of the subject, by the orders that upstream leaves to chance: one account for each result that
/// differs from that of the order things come in, as far as a number of orders show them. Not more than `most`.
[[nodiscard]] auto other_results(const std::shared_ptr<Cycles>& cycles, const Subject& subject, std::size_t most)
    -> std::vector<std::shared_ptr<Account>>;

/// Widens what is not the same in the other orders in which the subject's own result is that of `decision`.
void widen(const std::shared_ptr<Cycles>& cycles, const Decision& decision, const Subject& subject, Fate& fate);

/// Does it depend on the order for which group the subject loses a place again, if for any?
[[nodiscard]] auto lost_again_by_chance(const std::shared_ptr<Cycles>& cycles, const Subject& subject) -> bool;

/// Does the order in which upstream adds numbers decide the fair share of some queue?
[[nodiscard]] auto shares_by_chance(const std::shared_ptr<Cycles>& cycles) -> bool;

[[nodiscard]] auto gaps(const Explained& explained) -> std::vector<Gap>;

}  // namespace previct::kai
