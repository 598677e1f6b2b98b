#pragma once

#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "sequence/makers.h"
#include "sequence/play.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace previct::sequence {

/// Who made a pod, and so what comes in its place.
enum class Maker : std::uint8_t {
  none,          ///< nobody: it does not come back
  replica_set,   ///< or a ReplicationController: a new pod as soon as the deletion of the old one begins
  stateful_set,  ///< a pod of the same name once the old one is gone; one after another unless `Parallel`
  daemon_set,    ///< a new pod for the same node once the old one is gone
  job,           ///< a new pod after a back-off, unless the Job gives up
  kubelet,       ///< a static pod: the kubelet brings it back by itself, past the scheduler
  other          ///< a controller whose ways are not known here
};

/// The controller of a pod: `Job ml/train`.
struct Owner {
  Maker maker = Maker::none;
  Symbol ns;
  Symbol kind;
  Symbol name;

  friend auto operator<=>(const Owner&, const Owner&) = default;
};
[[nodiscard]] auto owner_of(const Snapshot& cluster, const Pod& pod) -> Owner;
[[nodiscard]] auto owner_words(const Snapshot& cluster, const Owner& owner) -> std::string;

/// What controllers do while the pods that they made are evicted: which pod they make when, and which they delete.
///
/// Source: kubernetes v1.35 pkg/controller: controller_utils.go IsPodActive; statefulset/stateful_set_control.go
/// processReplica; daemon/daemon_controller.go podsShouldBeOnNode; job/job_controller.go manageJob, isPodFailed,
/// onlyReplaceFailedPods; job/backoff_utils.go.
class Controllers {
 public:
  /// A pod that is made in place of another one.
  struct Creation {
    Time at = 0;
    PodId after{};
  };
  struct Reaction {
    std::vector<Creation> created{};
    std::optional<Owner> gives_up{};  ///< a Job: it deletes its other pods, and makes no new ones
    std::string why{};
  };

  Controllers(const Snapshot& cluster, const Makers& makers, Instant start)
      : cluster_(cluster), makers_(makers), start_(start) {}

  /// A pod is being deleted, whether or not controllers are played: notes what is not known of its end.
  void note_finalizers(PodId pod);
  [[nodiscard]] auto deletion_begins(PodId pod, Time now) -> Reaction;
  [[nodiscard]] auto gone(PodId pod, Time now) -> Reaction;
  /// The pod is on its node; it counts as ready from here on.
  [[nodiscard]] auto runs(PodId pod, Time now) -> Reaction;

  /// The pod has ended by itself, with success.
  void succeeds(PodId pod);

  /// Until when the controller of a pod makes no other one: a Job backs off from its last failure, whichever of its
  /// pods is still to be replaced. Source: job_controller.go manageJob; backoff_utils.go getRemainingTime.
  [[nodiscard]] auto waits_until(PodId pod) const -> Time;

  /// Has the Job given up?
  [[nodiscard]] auto ended(const Owner& owner) const -> bool;

  /// What was taken for granted about the controllers that had something to do.
  [[nodiscard]] auto gaps() const -> const std::vector<Gap>& { return gaps_; }

  /// How often Jobs have failed, and so how long they wait: a part of the state that does not come back.
  [[nodiscard]] auto failures() const -> std::string;

 private:
  struct OfJob {
    const Job* object = nullptr;  ///< null: not in the input
    std::int64_t counted = 0;     ///< failures that count against the limit
    std::int64_t in_row = 0;      ///< failures since the last success, by which it backs off
    Time until = 0;               ///< it backs off
    bool over = false;
  };
  struct OfSet {
    bool parallel = false;
    std::vector<PodId> missing{};     ///< gone, and not made again yet
    std::set<std::int64_t> making{};  ///< numbers of those that are being made, until they run
  };

  auto job_of(const Owner& owner) -> OfJob&;
  auto set_of(const Owner& owner) -> OfSet&;
  auto failed(const Owner& owner, PodId pod, Time now) -> Reaction;
  auto next_of_set(const Owner& owner, Time now) -> Reaction;
  void remark_missing(const Owner& owner);
  [[nodiscard]] auto whole_second(Time now) const -> Time;
  [[nodiscard]] auto should_run(PodId pod) const -> bool;
  [[nodiscard]] auto replaces_failed_only(const OfJob& job) const -> bool;
  void remark(GapRule rule, std::vector<std::string> operands = {}) { add_gaps({{rule, std::move(operands)}}, gaps_); }

  const Snapshot& cluster_;
  const Makers& makers_;
  Instant start_;
  std::map<Owner, OfJob> jobs_;
  std::map<Owner, OfSet> sets_;
  std::vector<Gap> gaps_;
};

/// Names of new pods. Pods of a StatefulSet keep theirs; other names end at random, where ours count.
class NewNames {
 public:
  [[nodiscard]] auto next(const Snapshot& cluster, PodId old) -> Symbol;

 private:
  std::map<Symbol, std::size_t> given_;  // how many, by their beginning
};

/// What a pod is, up to its name: pods of one owner stand for each other, but for those that keep their name or their
/// node. `like`: the pod of the input from which it descends.
[[nodiscard]] auto identity_of(const Snapshot& cluster, const Pod& pod, PodId like) -> std::string;

}  // namespace previct::sequence
