#pragma once

#include "cluster/changed_cluster.h"
#include "engine/engine.h"
#include "history/disruptions.h"
#include "history/timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace previct::history {

/// One preemption, as far as the traces show it: preemptor, node and victims.
struct Preemption {
  const Engine* engine = nullptr;          ///< engine with the rules of its scheduler
  PodId preemptor;                         ///< for a group: a pod that it placed, or that waits for it
  std::string node;                        ///< empty: unknown, or several nodes
  Instant at;                              ///< time of the decision, or of its first victim, see Disruption::at
  bool exact = false;                      ///< an event has the time of the decision
  std::vector<const Disruption*> victims;  ///< ordered by time
};

/// A guess about what the input leaves open about a past moment.
struct Guess {
  /// Victims are evicted asynchronously to the scheduling cycle, so that the order of two decisions of the same moment
  /// may be unknown: other decisions of that moment (see neighbours()) count as earlier.
  bool after_same_moment = false;
  /// Number of terminating pods that had already ended, in the order of their evictions: their grace period is an upper
  /// bound, not the actual time.
  std::size_t ended = 0;
  /// Pods that are in an earlier dump but not in a later one, without a trace of their end, had ended.
  bool vanished_ended = false;
  /// A budget's status is updated some time after evictions, and the input has the status of another moment: `lowered`
  /// by the victims of earlier decisions (if the dump is from before), `raised` by those of this and later ones (if
  /// from after).
  enum class Budgets : std::uint8_t { as_read, lowered, raised } budgets = Budgets::as_read;
};

/// Restores the objects of an input to the state just before a preemption, as far as the input shows it, until
/// destruction. Ids of pods stay valid; ids of nodes may change.
///
/// - The preemptor is pending again, and so is every pod that was bound later. Of these pods, the preemptors of earlier
///   preemptions are nominated to their nodes. A pod that is pending in an earlier dump is on the node to which an
///   event says it was bound.
/// - The victims run again, and so do those of all later preemptions; a victim that is gone is copied from a sibling: a
///   pod of the same generateName or, if recreated, of the same name. Pods that ended or finished later run again too.
/// - Pods and nodes created later are removed.
/// - A pod that was preempted earlier but still runs in the input (because an earlier dump was read too) terminates for
///   at most its grace period, and is then gone.
///
/// Unknown: pods that ended in between without a trace, earlier states of nodes, classes and budgets.
class Rewind {
 public:
  /// What is known of the past. `cluster` is a snapshot of the original objects; it must not be used while they are
  /// changed.
  struct Past {
    const Snapshot& cluster;
    const Timeline& timeline;
    const std::vector<Disruption>& disruptions;
    const std::vector<Preemption>& preemptions;
    const std::vector<PodId>& vanished;  ///< see Guess::vanished_ended
    /// The time of an earlier state whose pods are all in the input, as they are now or among Objects::replaced_pods. A
    /// victim that was evicted before it and is in neither had ended.
    std::optional<Instant> state_before{};
  };
  Rewind(Objects& objects, const Past& past, const Preemption& preemption, const Guess& guess);

  /// What was changed, as text.
  [[nodiscard]] auto remarks() const -> const std::vector<std::string>& { return remarks_; }
  /// Victims that are gone, each with the sibling that it was copied from.
  [[nodiscard]] auto copied_from() const -> const std::vector<std::pair<std::string, std::string>>& {
    return made_after_;
  }
  /// Victims of this preemption that are gone and have no sibling: the state is incomplete.
  [[nodiscard]] auto lost() const -> const std::vector<std::string>& { return lost_; }
  /// Such victims of other preemptions.
  [[nodiscard]] auto others_lost() const -> const std::vector<std::string>& { return others_lost_; }
  /// Number of pods that were terminating at that moment, so that they may have ended; see Guess::ended.
  [[nodiscard]] auto ending() const -> std::size_t { return ending_.size(); }
  /// True if a budget selects some victim, so that its status may have been different at that moment.
  [[nodiscard]] auto budgets_moved() const -> bool { return budgets_moved_; }

 private:
  void revive(PodId id);
  void rewind_pod(PodId id);
  [[nodiscard]] auto bound_later(const Pod& pod) const -> bool;
  [[nodiscard]] auto decided_before(const Preemption& other) const -> bool;
  [[nodiscard]] auto is_ours(const Disruption& victim) const -> bool;
  void bring_back(const Disruption& victim, std::vector<std::string>& lost);
  void bring_back_victims();
  void end_if_evicted(PodId id, Instant evicted);
  void nominate_earlier_preemptors();
  void shift_budgets();
  void end_earlier_victims();
  void forget_later_evictions();
  void remark(std::size_t later_nodes);

  Objects& objects_;
  const Past past_;
  const Snapshot& cluster_;
  const Preemption& preemption_;
  const Guess guess_;
  Instant at_;
  ChangedCluster changed_;
  bool budgets_moved_ = false;
  std::size_t later_ = 0;
  std::size_t gone_ = 0;
  std::size_t unbound_ = 0;
  std::size_t revived_ = 0;
  std::size_t placed_ = 0;
  std::vector<std::pair<Instant, PodId>> ending_;  // pods that were terminating, with the time of their eviction
  std::vector<std::string> remarks_;
  std::vector<std::pair<std::string, std::string>> made_after_;
  std::vector<std::string> lost_;
  std::vector<std::string> others_lost_;
};

/// If the first evictions of two decisions are at most this far apart, the order of the decisions is unknown.
constexpr std::int64_t kSameMoment = 2;  // seconds
/// Returns true if both were decided in the same moment, so that their order is unknown.
[[nodiscard]] auto same_moment(const Preemption& a, const Preemption& b) -> bool;

/// The engine whose rules select such victims; null: no engine has them, or the cause is no preemption.
[[nodiscard]] auto engine_of(Cause cause) -> const Engine*;

/// The preemptions among `all` that an engine can rerun and whose preemptor is in the input, ordered by time.
[[nodiscard]] auto preemptions_of(const Snapshot& cluster, const std::vector<Disruption>& all, const Timeline& timeline)
    -> std::vector<Preemption>;

}  // namespace previct::history
