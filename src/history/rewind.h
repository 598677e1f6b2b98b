#pragma once

#include "history/disruptions.h"

#include <string>
#include <utility>
#include <vector>

namespace previct::history {

/// One preemption by kube-scheduler, as far as the signs tell: for whom, where, and whom it took.
struct Preemption {
  PodId preemptor;
  std::string node;
  Instant at;                              ///< of its first victim, see Disruption::at
  std::vector<const Disruption*> victims;  ///< by time
};

/// Brings the objects of an input back to what they were just before a preemption, as far as the input tells, and
/// puts everything as it was when it is destroyed. Ids of pods stay what they are; those of nodes need not.
///
/// - The preemptor is pending again, and so is every pod that was bound later. Of those, the preemptors of earlier
///   preemptions are nominated to their nodes.
/// - The victims run again; one that is gone is made after a sibling: a pod of the same generateName or, recreated, of
///   the same name. Pods whose end began later, or that finished later, run on, too.
/// - Pods and nodes created later are not there.
/// - A pod that was preempted earlier and stands in the input as if it still ran (an earlier dump was read, too)
///   terminates for its grace period and is gone then.
///
/// What it cannot know: pods that ended in between and left no sign, earlier states of nodes, classes and budgets.
class Rewind {
 public:
  /// `cluster` is made of `objects` as they are; it is not to be asked while they are changed.
  ///
  /// Victims are evicted beside the scheduling cycles, so those of two decisions of the same moment do not tell which
  /// was made first: with `after_neighbours` such other decisions (see neighbours()) count as made before.
  Rewind(Objects& objects, const Snapshot& cluster, const Preemption& preemption, const std::vector<Disruption>& all,
         bool after_neighbours);
  ~Rewind();
  Rewind(const Rewind&) = delete;
  auto operator=(const Rewind&) -> Rewind& = delete;

  /// What was done, for people.
  [[nodiscard]] auto remarks() const -> const std::vector<std::string>& { return remarks_; }
  /// Victims that are gone, each with the sibling that it was made after.
  [[nodiscard]] auto made_after() const -> const std::vector<std::pair<std::string, std::string>>& {
    return made_after_;
  }
  /// Victims that are gone without a sibling: the state is not what it was.
  [[nodiscard]] auto lost() const -> const std::vector<std::string>& { return lost_; }

 private:
  auto touch(PodId id) -> Pod&;
  void hide(PodId id);
  void make_pending(PodId id);
  void revive(PodId id);
  void rewind_pod(PodId id);
  void bring_back(const Disruption& victim);
  void nominate_earlier_preemptors();
  void end_earlier_victims();

  Objects& objects_;
  const Snapshot& cluster_;
  const Preemption& preemption_;
  const std::vector<Disruption>& all_;
  Instant at_;
  bool after_neighbours_;
  std::size_t pod_count_;
  std::vector<std::pair<PodId, Pod>> saved_;  // in the order of change
  std::vector<Node> nodes_;                   // all, if any was taken away
  std::size_t later_ = 0;
  std::size_t gone_ = 0;
  std::size_t unbound_ = 0;
  std::size_t revived_ = 0;
  std::vector<std::string> remarks_;
  std::vector<std::pair<std::string, std::string>> made_after_;
  std::vector<std::string> lost_;
};

/// Were both decided in the same moment, so that their order is not known?
[[nodiscard]] auto neighbours(const Preemption& a, const Preemption& b) -> bool;

/// The preemptions by kube-scheduler among `all` whose preemptor is known and in the input.
[[nodiscard]] auto preemptions_of(const std::vector<Disruption>& all) -> std::vector<Preemption>;

}  // namespace previct::history
