#pragma once

#include "cluster/controlled_pods.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "sequence/controller_objects.h"
#include "sequence/deployment_rollout.h"
#include "sequence/simulation_result.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace previct::sequence {

/// A Job is synchronized this long after one of its pods has changed.
/// Source: kubernetes v1.35 pkg/controller/job/job_controller.go SyncJobBatchPeriod.
constexpr Time kJobSyncPeriod = kSecond;

/// The kind of controller that created a pod. It decides what replaces the pod.
enum class ControllerKind : std::uint8_t {
  none,          ///< no controller: the pod is not recreated
  replica_set,   ///< or a ReplicationController: creates a new pod as soon as the old one is being deleted, unless as
                 ///< many others exist as it should have
  stateful_set,  ///< recreates the pod by its name once it is gone; in order unless `Parallel`
  daemon_set,    ///< creates a new pod for the same node once the old one is gone
  job,           ///< creates a new pod after a back-off, unless the Job gives up
  kubelet,       ///< a static pod: the kubelet restarts it without the scheduler
  other          ///< a controller whose behavior is not known here
};

/// The controller of a pod: `Job ml/train`.
struct Owner {
  ControllerKind maker = ControllerKind::none;
  Symbol ns;
  Symbol kind;
  Symbol name;

  friend auto operator<=>(const Owner&, const Owner&) = default;
};
[[nodiscard]] auto owner_of(const Snapshot& cluster, const Pod& pod) -> Owner;
[[nodiscard]] auto describe_owner(const Snapshot& cluster, const Owner& owner) -> std::string;

/// Simulates controllers while their pods are evicted: which pods they create and when, and which they delete.
///
/// Source: kubernetes v1.35 pkg/controller: controller_utils.go IsPodActive; replicaset/replica_set.go syncReplicaSet,
/// manageReplicas; statefulset/stateful_set_control.go updateStatefulSet, processReplica, processCondemned;
/// daemon/daemon_controller.go podsShouldBeOnNode; job/job_controller.go manageJob, isPodFailed, onlyReplaceFailedPods,
/// pastActiveDeadline; job/backoff_utils.go.
class Controllers {
 public:
  /// A pod that a controller creates.
  struct Creation {
    Time at = 0;
    PodId like{};                           ///< the new pod equals this one, up to its name
    std::optional<std::int64_t> ordinal{};  ///< number of a StatefulSet's pod that did not exist before
    bool replaces = true;                   ///< it is created in place of `like`
    const PodsOfSet* by = nullptr;          ///< creates it from its template; null: the owner of `like` creates it
  };
  /// A pod that a controller deletes because it has too many.
  struct Deletion {
    PodId pod{};
    std::string why{};
    Time at = 0;
  };
  /// A Job fails at this time, if it still runs: it deletes its other pods, and creates no more.
  struct Deadline {
    Owner job{};
    Time at = 0;
    std::string why{};  ///< empty: its activeDeadlineSeconds end
  };
  /// A Deployment or StatefulSet looks at its pods at this time: one has been ready for minReadySeconds then.
  struct Check {
    Owner of{};  ///< of a Deployment: one of its ReplicaSets
    Time at = 0;
  };
  struct Reaction {
    std::vector<Creation> created{};
    std::optional<Deadline> fails{};
    /// A Job whose back-off ends: pods that it has still to create are created at `sync` at the latest.
    std::optional<Owner> ends_back_off{};
    Time sync = 0;
    std::vector<Deletion> deleted{};
    std::vector<Check> checks{};
  };

  /// `minor`: of the release of Kubernetes, 1.35 as 35.
  Controllers(const Snapshot& cluster, const ControllerObjects& controller_objects, Instant start, int minor)
      : cluster_(cluster),
        objects_(controller_objects),
        start_(start),
        counts_late_(minor >= kFirstThatCountsLate && minor <= kLastThatCountsLate) {}

  /// Notes which finalizers may delay the end of a pod whose deletion begins, whether or not controllers are simulated.
  void note_finalizers(PodId pod);
  [[nodiscard]] auto deletion_begins(PodId pod, Time now) -> Reaction;
  [[nodiscard]] auto gone(PodId pod, Time now) -> Reaction;
  /// The pod is on its node; it counts as ready from now on.
  [[nodiscard]] auto runs(PodId pod, Time now) -> Reaction;

  /// Pods that controllers have still to create when the simulation starts: those of StatefulSets, and of ReplicaSets,
  /// ReplicationControllers and Jobs with a status, of which the input has the object, at least one pod, and every pod
  /// that the status counts; and those of DaemonSets in place of pods that have ended. And pods that they have still to
  /// delete, because they have too many, or because a DaemonSet does not select the node.
  [[nodiscard]] auto start() -> Reaction;

  /// The pod has failed or succeeded by itself; not for pods of Jobs.
  [[nodiscard]] auto ends(PodId pod, Time now) -> Reaction;
  /// Those that are known at the start.
  [[nodiscard]] auto deadlines() -> std::vector<Deadline>;
  /// Why the Job fails now; empty: it does not.
  [[nodiscard]] auto deadline_passes(const Deadline& deadline) -> std::string;

  /// The template from which the owner of `like` creates a new pod in its place; null if it is not known, or if the
  /// owner would use an earlier one.
  [[nodiscard]] auto template_for(const Creation& creation) -> const PodSpec*;

  /// The pod of a Job has finished successfully. The Job creates the next pod until `completions` of them have done so.
  /// Source: job/job_controller.go manageJob.
  [[nodiscard]] auto succeeds(PodId pod, Time now) -> Reaction;
  /// The Job of the pod is about to delete it as one too many, which it does not count as a failure: it removes its
  /// finalizer first. Source: job/job_controller.go deleteJobPods, getValidPodsWithFilter.
  void lets_go(PodId pod) { let_go_.insert(pod); }
  /// A creation was carried out, or given up.
  void created(const Creation& creation);
  /// Returns true if the pod is no longer to be created, because its ReplicaSet was scaled down meanwhile.
  [[nodiscard]] auto gives_up(const Creation& creation) -> bool;
  [[nodiscard]] auto creator_of(const Creation& creation) const -> Owner;
  [[nodiscard]] auto check(const Check& check, Time now) -> Reaction;
  /// Gives the new pod of a StatefulSet the labels of the template from which it is created.
  void follow_revision(const Creation& creation, Pod& made);
  /// The template from which the ReplicaSet of the pod creates its pods; null: it is not known.
  [[nodiscard]] auto own_template(PodId pod) const -> const PodSpec*;

  /// Returns until when the controller of a pod creates no pod: a Job backs off from its last failure, whichever of its
  /// pods is still to be replaced. Source: job_controller.go manageJob; backoff_utils.go getRemainingTime.
  [[nodiscard]] auto waits_until(PodId pod) -> Time;

  /// Returns true if the Job has given up.
  [[nodiscard]] auto ended(const Owner& owner) const -> bool;

  /// Assumptions about the controllers that had something to do.
  [[nodiscard]] auto gaps() const -> const std::vector<Gap>& { return gaps_; }

  /// Describes how often each Job has failed, and so how long it backs off: a part of the state that never repeats. And
  /// how far each rollout is.
  [[nodiscard]] auto state() const -> std::string;

 private:
  // From 1.32 to 1.35, a Job that backs off reports no active pod, which the API server refuses while others are ready:
  // the Job counts the failure later, and its back-off begins at the end of the pod, if that is before the end of the
  // back-off from the deletion.
  // Source: job/job_controller.go manageJob (fixed in v1.36); registry/batch/job/strategy.go
  // getStatusValidationOptions, RejectMoreReadyThanActivePods. Seen with kube-controller-manager 1.35.4.
  static constexpr int kFirstThatCountsLate = 32;
  static constexpr int kLastThatCountsLate = 35;

  struct JobState {
    const Job* object = nullptr;  ///< null: not in the input
    bool idle = false;            ///< it creates no pods
    std::int64_t elsewhere = 0;   ///< active pods that its status counts, and the input lacks
    std::int64_t counted = 0;     ///< failures that count against the limit
    std::int64_t failed_indexes = 0;
    std::int64_t in_row = 0;  ///< failures since the last success; they decide the back-off
    std::int64_t succeeded = 0;
    JobIndexes succeeded_indexes{};  ///< as far as the successPolicy needs them
    std::int64_t planned = 0;        ///< pods that are being created
    Time until = 0;                  ///< end of its back-off
    std::optional<Time> last_end{};  ///< end of the grace period of the last pod that was deleted
    bool over = false;
  };
  /// Of a ReplicaSet or ReplicationController in the input.
  struct ReplicaSetState {
    bool idle = false;  ///< it is being deleted
    std::int64_t replicas = 1;
    std::int64_t elsewhere = 0;  ///< pods that its status counts, and the input lacks
    std::int64_t planned = 0;    ///< pods that are being created
    std::int64_t given_up = 0;   ///< further ones that were planned, and are not created
    const PodSpec* pods = nullptr;
    Time min_ready = 0;     ///< its minReadySeconds; these two are read in rollouts only
    bool rescaled = false;  ///< the replicas of the Deployment have changed since they were set
  };
  /// Of a Deployment whose pods have different templates.
  struct Rollout {
    const Deployment* object = nullptr;
    DeploymentRollout plan{};
    std::vector<Owner> old_sets{};  ///< the oldest first
    Owner current{};
    bool stopped = false;  ///< what it does next is not known
    Time checks_at = 0;    ///< the last check that was planned
  };
  using DeploymentKey = std::pair<Symbol, Symbol>;  // namespace and name
  struct StatefulSetState {
    const StatefulSet* object = nullptr;  ///< null: not in the input
    bool parallel = false;
    std::vector<Creation> missing{};           ///< pods that do not exist, or no longer
    std::set<std::int64_t> creating{};         ///< ordinals of the pods that are being created, until they run
    std::map<std::int64_t, Time> available{};  ///< when the pod of an ordinal has been ready for minReadySeconds
    bool rolls = false;                        ///< it is known which pods have its current template
    Time checks_at = 0;                        ///< the last check that was planned
  };

  /// How long a Job waits after so many failures in a row.
  [[nodiscard]] static auto backoff(std::int64_t failures) -> Time;
  auto job_of(const Owner& owner) -> JobState&;
  /// Notes that the index of the pod has succeeded. Returns true if the Job has, too.
  auto meets_success_policy(JobState& job, PodId pod) -> bool;
  auto job_with_gaps(const Owner& owner) -> JobState&;
  auto set_of(const Owner& owner) -> StatefulSetState&;
  auto failed(const Owner& owner, PodId pod, Time now) -> Reaction;
  auto next_of_set(const Owner& owner, Time now) -> Reaction;
  auto missing_of(const StatefulSet& set, const Owner& owner) -> std::vector<Creation>;
  template <class Set>
  void start_replicas(const std::vector<Set>& sets, std::string_view kind, Reaction& reaction);
  void start_job(const Job& object, Reaction& reaction);
  void start_daemons(Reaction& reaction);
  /// Deletes what exceeds the number wanted, if it is clear which pods these are. `elsewhere`: others that exist.
  void delete_surplus(const Owner& owner, std::int64_t wanted, std::int64_t elsewhere, Reaction& reaction);
  [[nodiscard]] auto first_to_go(const Owner& owner, const std::vector<PodId>& active, std::int64_t count,
                                 Time now = 0) const -> std::vector<PodId>;
  void delete_condemned(const Owner& owner, Time now, Reaction& reaction);
  void note_rollouts();
  [[nodiscard]] auto recreated_deployments() const -> std::set<PodOwner>;
  void prepare_rollouts();
  [[nodiscard]] auto is_open(const ObjectMeta& meta, std::string_view kind) const -> bool;
  void prepare(const Deployment& deployment, std::vector<const ReplicaSet*> all);
  [[nodiscard]] auto new_set_of(const Deployment& deployment) -> Owner;
  void prepare_set(const ReplicaSet& set, const Owner& owner);
  void note_readiness(const Owner& owner);
  [[nodiscard]] auto all_known(const Deployment& deployment, const std::vector<const ReplicaSet*>& sets) -> bool;
  [[nodiscard]] auto scales_as_known(const Rollout& rollout, const std::vector<const ReplicaSet*>& sets) const -> bool;
  [[nodiscard]] auto replica_set_owner(Symbol ns, Symbol name) const -> Owner;
  void start_rollouts(Reaction& reaction);
  void settle_scale(Rollout& rollout, Reaction& reaction);
  void synchronize(const Owner& owner, Time now, Reaction& reaction);
  [[nodiscard]] auto synchronize_once(Rollout& rollout, Time now, Reaction& reaction) -> bool;
  void rescale(Rollout& rollout, const Owner& owner, std::int64_t replicas, Time now, Reaction& reaction);
  void plan_check(Rollout& rollout, Time now, Reaction& reaction);
  void note_unready(const Rollout& rollout);
  [[nodiscard]] auto shows_revisions(const StatefulSet& set, const Owner& owner) -> bool;
  [[nodiscard]] auto is_outdated(const StatefulSet& set, PodId id) const -> bool;
  [[nodiscard]] auto is_available(const StatefulSetState& set, PodId pod, Time now) const -> bool;
  void update_set(const Owner& owner, Time now, Reaction& reaction);
  void wait_for_pods(const Owner& owner, StatefulSetState& set, const std::vector<PodId>& pods, Time now,
                     Reaction& reaction);
  [[nodiscard]] auto rolled(const Owner& owner, Time now) -> RolledSet;
  [[nodiscard]] auto available_at(const Owner& owner, PodId pod) const -> Time;
  [[nodiscard]] auto staying_pods_of(const Owner& owner) -> std::vector<PodId>;
  [[nodiscard]] auto new_pod_of(const Owner& owner) -> std::optional<Creation>;
  auto available_at_start(const Owner& owner) -> std::map<std::int64_t, Time>;
  void note_idle_controllers();
  void note_missing_daemons();
  void note_collected_pods();
  [[nodiscard]] auto min_ready(const StatefulSetState& set) const -> Time;
  [[nodiscard]] auto find_set(const Owner& owner) const -> const StatefulSet*;
  [[nodiscard]] auto follows_updates(const StatefulSet& set, PodId pod) const -> bool;
  void back_off_at_start(JobState& job, const Owner& owner);
  [[nodiscard]] auto deletion_began(PodId pod) const -> std::optional<Instant>;
  void note_pods_let_go(const Job& object, const Owner& owner);
  auto replaced(const Owner& owner, PodId pod, Time now) -> Reaction;
  [[nodiscard]] auto wanted_by(const JobState& job) const -> std::optional<std::int64_t>;
  void index_pods();
  [[nodiscard]] auto all_pods_of(const Owner& owner) -> const std::vector<PodId>&;
  [[nodiscard]] auto pods_of(const Owner& owner) -> std::vector<PodId>;
  [[nodiscard]] auto active_pods_of(const Owner& owner) -> std::int64_t;
  auto other_controller(const JobState& job) -> bool;
  [[nodiscard]] auto ordinal_of(const Creation& creation) const -> std::int64_t;
  [[nodiscard]] auto ordinal_of(PodId pod) const -> std::int64_t;
  /// Null: the object has none.
  [[nodiscard]] static auto template_in(const std::optional<TemplateOfPods>& pods) -> const PodSpec*;
  [[nodiscard]] auto is_healthy(PodId pod) const -> bool;
  [[nodiscard]] auto whole_second(Time now) const -> Time;
  [[nodiscard]] auto should_run(PodId pod) const -> bool;
  [[nodiscard]] auto stays_as_object(PodId pod) -> bool;
  [[nodiscard]] auto replaces_failed_only(const JobState& job) const -> bool;
  void remark(GapRule rule, std::vector<std::string> operands = {}) { add_gaps({{rule, std::move(operands)}}, gaps_); }

  const Snapshot& cluster_;
  const ControllerObjects& objects_;
  Instant start_;
  bool counts_late_;
  std::map<Owner, std::vector<PodId>> pods_by_owner_;  ///< of the first `indexed_` pods
  std::uint32_t indexed_ = 0;
  std::map<Owner, JobState> jobs_;
  std::map<Owner, ReplicaSetState> replica_sets_;
  std::map<Owner, StatefulSetState> sets_;
  std::map<DeploymentKey, Rollout> rollouts_;
  std::map<Owner, DeploymentKey> deployments_;  ///< of the ReplicaSets in `rollouts_`
  std::map<Owner, PodsOfSet> new_sets_;         ///< of these, those that have no pod at the start
  std::set<DeploymentKey> open_rollouts_;       ///< those that are not simulated
  std::map<PodId, Time> ready_since_;           ///< pods of rollouts
  std::set<PodId> unready_;                     ///< pods of rollouts that are on nodes at the start, and not ready
  std::set<PodId> leaving_;                     ///< pods whose deletion by their controllers is planned
  std::set<PodId> let_go_;                      ///< pods that do not count as failures of their Jobs
  std::vector<Deadline> exhausted_;             ///< Jobs of which too many pods have failed when the simulation starts
  std::vector<Gap> gaps_;
};

/// Generates the names of new pods. Pods of a StatefulSet keep theirs. Other names end in a random suffix upstream, and
/// in a counter here.
class NewNames {
 public:
  /// `old`: the pod that the new one replaces, or the new one itself if another controller creates it.
  [[nodiscard]] auto next(const Snapshot& cluster, const Pod& old) -> Symbol;

 private:
  std::map<Symbol, std::size_t> given_;  // number of names generated, by prefix
};

/// Identifies a pod regardless of its name: pods of one owner are interchangeable, except those that keep their name or
/// their node. `like`: the pod of the input from which it descends.
[[nodiscard]] auto identity_of(const Snapshot& cluster, const Pod& pod, PodId like) -> std::string;

}  // namespace previct::sequence
