#pragma once

#include "cluster/changed_cluster.h"
#include "engine/engine.h"
#include "history/disruptions.h"
#include "history/timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace previct::history {

/// One preemption, as far as the signs tell: for whom, where, and whom it took.
struct Preemption {
  const Engine* engine = nullptr;          ///< the one whose rules its scheduler has
  PodId preemptor;                         ///< of a group: a pod of it that got its place by this, or waits for it
  std::string node;                        ///< empty: not shown, or on several
  Instant at;                              ///< when it was decided; else of its first victim, see Disruption::at
  bool exact = false;                      ///< an event tells when it was decided
  std::vector<const Disruption*> victims;  ///< by time
};

/// What the input leaves open about a past moment, and how it is taken.
struct Guess {
  /// Victims are evicted beside the scheduling cycles, so those of two decisions of the same moment need not tell
  /// which was made first: such other decisions (see neighbours()) count as made before.
  bool after_neighbours = false;
  /// So many of the pods that were on their way out had ended already, in the order of their evictions: their grace
  /// periods say how long they may take, not how long they took.
  std::size_t ended = 0;
  /// Pods that stand in a dump of before and in none of after, without a sign of their end, had ended.
  bool vanished_ended = false;
  /// A budget's status follows evictions by a while, and the input has that of another moment: `lowered` by the
  /// victims of earlier decisions (of a dump of before), `raised` by those of this and later ones (of one of after).
  enum class Budgets : std::uint8_t { as_read, lowered, raised } budgets = Budgets::as_read;
};

/// Brings the objects of an input back to what they were just before a preemption, as far as the input tells, until it
/// is destroyed. Ids of pods stay what they are; those of nodes need not.
///
/// - The preemptor is pending again, and so is every pod that was bound later. Of those, the preemptors of earlier
///   preemptions are nominated to their nodes. A pod that an earlier dump shows pending is on the node that an event
///   says it was bound to.
/// - The victims run again, and so do those of all later preemptions; one that is gone is made after a sibling: a pod
///   of the same generateName or, recreated, of the same name. Pods whose end began later, or that finished later, run
///   on, too.
/// - Pods and nodes created later are not there.
/// - A pod that was preempted earlier and stands in the input as if it still ran (an earlier dump was read, too)
///   terminates for its grace period at most, and is gone then.
///
/// What it cannot know: pods that ended in between and left no sign, earlier states of nodes, classes and budgets.
class Rewind {
 public:
  /// What is known of the past. `cluster` is made of the objects as they are; it is not to be asked while they are
  /// changed.
  struct Past {
    const Snapshot& cluster;
    const Timeline& timeline;
    const std::vector<Disruption>& disruptions;
    const std::vector<Preemption>& preemptions;
    const std::vector<PodId>& vanished;  ///< see Guess::vanished_ended
  };
  Rewind(Objects& objects, const Past& past, const Preemption& preemption, const Guess& guess);

  /// What was done, for people.
  [[nodiscard]] auto remarks() const -> const std::vector<std::string>& { return remarks_; }
  /// Victims that are gone, each with the sibling that it was made after.
  [[nodiscard]] auto made_after() const -> const std::vector<std::pair<std::string, std::string>>& {
    return made_after_;
  }
  /// Victims of this preemption that are gone without a sibling: the state is not what it was.
  [[nodiscard]] auto lost() const -> const std::vector<std::string>& { return lost_; }
  /// Those of other preemptions.
  [[nodiscard]] auto others_lost() const -> const std::vector<std::string>& { return others_lost_; }
  /// How many pods were on their way out then, so that they may have ended; see Guess::ended.
  [[nodiscard]] auto ending() const -> std::size_t { return ending_.size(); }
  /// A budget speaks of some victim, so that its status of then may have been another one.
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
  std::vector<std::pair<Instant, PodId>> ending_;  // when they were evicted
  std::vector<std::string> remarks_;
  std::vector<std::pair<std::string, std::string>> made_after_;
  std::vector<std::string> lost_;
  std::vector<std::string> others_lost_;
};

/// How far apart the first evictions of decisions can be whose order they do not tell.
constexpr std::int64_t kSameMoment = 2;  // seconds
/// Were both decided in the same moment, so that their order is not known?
[[nodiscard]] auto neighbours(const Preemption& a, const Preemption& b) -> bool;

/// The engine that has the rules by which such a pod was chosen; null: none has, or for no other pod.
[[nodiscard]] auto engine_of(Cause cause) -> const Engine*;

/// The preemptions among `all` that an engine can decide once more and whose preemptor is in the input, by time.
[[nodiscard]] auto preemptions_of(const Snapshot& cluster, const std::vector<Disruption>& all, const Timeline& timeline)
    -> std::vector<Preemption>;

}  // namespace previct::history
