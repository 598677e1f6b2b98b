#pragma once

#include "cluster/device_eviction.h"
#include "cluster/taint_eviction.h"
#include "sequence/controllers.h"
#include "sequence/quota_gate.h"
#include "sequence/settings.h"
#include "sequence/simulated_cluster.h"
#include "sequence/simulation_result.h"

#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace previct::sequence {

/// Returns true if fewer pods are healthy than the status of the budget wants. A budget without these numbers is not.
[[nodiscard]] inline auto is_short(const PodDisruptionBudget& budget) -> bool {
  const PodDisruptionBudgetStatus& status = budget.status;
  return status.current_healthy && status.desired_healthy && *status.current_healthy < *status.desired_healthy;
}

/// The scheduler on top of a World: what it does when the cluster changes.
class WorldObserver {
 public:
  WorldObserver() = default;
  WorldObserver(const WorldObserver&) = delete;
  auto operator=(const WorldObserver&) -> WorldObserver& = delete;
  virtual ~WorldObserver() = default;

  /// The pod exists from now on. Called before the timeline records it.
  virtual void pod_created(PodId pod) = 0;
  /// The pod can be scheduled from now on. Called after the timeline has recorded it.
  virtual void pod_added(PodId pod) = 0;
  /// The pod is about to leave its node: it was deleted or has finished.
  virtual void pod_leaves(PodId pod) = 0;
  /// The pod has left its node.
  virtual void pod_left(PodId pod) = 0;
  /// The deletion of a running pod has begun.
  virtual void deletion_began(PodId pod) = 0;
  /// Deletes a pod that has no node.
  virtual void delete_pending(PodId pod) = 0;
  /// The simulation ends for this pod: it finished, or its controller deleted it.
  virtual void pod_ended(PodId pod, End::Kind how, const std::string& why) = 0;
  /// Pods have left or come, and no other pod leaves at this moment.
  virtual void changed() = 0;
  /// An event that the scheduler itself has planned.
  virtual void handle(std::uint8_t kind, std::uint32_t subject) = 0;
};

/// The simulated cluster without its scheduler: the clock and the event queue, pods that arrive, run, finish and are
/// deleted, and the controllers that create new ones.
class World {
 public:
  struct Options {
    Time controller_delay = 0;     ///< from a pod's deletion or end until its controller's new pod exists
    bool immediate_exits = false;  ///< victims terminate at once, not at the end of their grace period
    bool late_arrivals = false;    ///< a pod arrives after the other events of that moment
    bool reversed = false;         ///< a drain evicts the pods in the opposite order
    bool conflicts = false;        ///< its evictions read a budget before the first of them has changed it
  };

  World(Objects& objects, const Settings& settings, const kube::Release& release, Options options,
        WorldObserver& observer);

  /// Plans what is known at the start: arrivals, deletions under way, runs that finish, recurring pods.
  void open();

  [[nodiscard]] auto now() const -> Time { return now_; }
  [[nodiscard]] auto clock() const -> Instant { return settings_.question.now.plus_nanos(now_); }
  [[nodiscard]] auto since_start(Instant at) const -> Time { return since(settings_.question.now, at); }
  [[nodiscard]] auto cluster() -> SimulatedCluster& { return cluster_; }
  [[nodiscard]] auto cluster() const -> const SimulatedCluster& { return cluster_; }
  [[nodiscard]] auto result() -> SimulationResult& { return result_; }
  [[nodiscard]] auto result() const -> const SimulationResult& { return result_; }

  /// First kind of the events that a scheduler plans for itself; lower ones are the World's.
  static constexpr std::uint8_t kFirstOfScheduler = 16;
  /// `last`: handled after all other events of the same moment.
  void schedule(std::uint8_t kind, Time at, std::uint32_t subject, bool last = false);
  /// When the next event is due; kNever: there is none.
  [[nodiscard]] auto next_event() const -> Time { return events_.empty() ? kNever : events_.top().at; }
  [[nodiscard]] auto planned_events() const -> std::size_t { return events_.size(); }
  /// Moves the clock to the next event, and handles it.
  void advance();
  /// Moves the clock; no event may be due before `at`.
  void advance_to(Time at) { now_ = at; }

  void record(Step step);

  /// The pod is bound to its node, and runs there from now on.
  void start(PodId pod);
  /// Starts the grace period of a running pod. `by`: its preemptor, if any.
  void begin_deletion(PodId pod, PodId by, NodeId node, std::string why = {},
                      Run::Ending ending = Run::Ending::evicted);
  /// Records the pods that still run as runs that go on, and what was assumed about controllers.
  void close();

  /// The pod in whose place a controller created this one; none: no pod.
  [[nodiscard]] auto replaced_by(PodId pod) const -> PodId { return lives_[pod].replaces; }
  /// The pod of the input from which this one descends, or the pod itself.
  [[nodiscard]] auto root_of(PodId pod) const -> PodId { return lives_[pod].like ? lives_[pod].like : pod; }
  /// When the pod's run finishes by itself; kNever: not.
  [[nodiscard]] auto finishes_at(PodId pod) const -> Time { return lives_[pod].finishes_at; }
  /// Since when the pod runs, if it is known.
  [[nodiscard]] auto began_at(PodId pod) const -> std::optional<Time> { return lives_[pod].began; }
  [[nodiscard]] auto identity(PodId pod) const -> std::string {
    return identity_of(cluster_.cluster(), cluster_.pod(pod), root_of(pod));
  }
  /// Notes a change of a pod that runs at the start. States that differ in changes until the horizon are different.
  void expect(const KnownChange& change) { expected_.emplace(change.at, change); }
  /// Returns the next such change on a node whose pods are the same as at the start; null: there is none. Those of the
  /// other nodes are a part of the state already.
  [[nodiscard]] auto next_expected() const -> const KnownChange*;
  /// Returns the first change after the horizon that is known now.
  [[nodiscard]] auto first_beyond_horizon() const -> std::optional<KnownChange>;
  /// What is still to come and does not depend on the scheduler, for the comparison of states.
  [[nodiscard]] auto state() const -> std::string;
  /// Do new pods come in without end, so that a state may recur?
  [[nodiscard]] auto may_recur() const -> bool { return settings_.controllers || !settings_.recurring.empty(); }

 private:
  enum Kind : std::uint8_t {
    arrival,
    exit,
    creation,
    recurrence,
    finish,
    eviction,
    taint_eviction,
    job_deadline,
    removal,
    rollout_check
  };

  struct Event {
    Time at = 0;
    bool last = false;
    std::uint64_t order = 0;
    std::uint8_t kind = arrival;
    std::uint32_t subject = 0;

    [[nodiscard]] auto rank() const { return std::tuple(at, last, order); }
    friend auto operator>(const Event& a, const Event& b) -> bool { return a.rank() > b.rank(); }
  };

  /// What the simulation knows of a pod beside the object.
  struct Life {
    PodId replaces{};
    PodId like{};
    bool ran_at_start = false;
    std::optional<Time> began{};
    Time finishes_at = kNever;
    bool fails = false;  ///< it ends then because its activeDeadlineSeconds end
  };

  /// The deletion of a pod by a controller.
  struct Removal {
    Time at = 0;
    std::string why{};
    bool by_owner = false;
  };

  void plan_runs(const std::map<PodId, Time>& arrivals);
  void lose_pods();
  void plan_taint_evictions();
  void plan_taint_eviction(PodId pod, Time at, std::string taint);
  void plan_device_eviction(const DeviceEviction& eviction);
  void evict_by_taint(PodId pod);
  /// Plans when the pod ends by itself: `since` is when it started.
  void plan_end(PodId pod, Time since);
  void plan_deadline(const Controllers::Deadline& deadline);
  void pass_deadline(const Controllers::Deadline& deadline);
  /// When a pod on the node that is being deleted is gone; none: it is not known.
  [[nodiscard]] auto end_on(NodeId node, Time end_of_grace) -> std::optional<Time>;
  void evict(PodId pod);
  void retry_evictions();
  void arrive(PodId pod);
  void leave(PodId pod);
  void leave_node(PodId pod);
  void finish_run(PodId pod);
  void end_run(PodId pod, Run::Ending ending);
  void react(const Controllers::Reaction& reaction);
  void plan_creation(const Controllers::Creation& creation);
  void plan_removal(PodId pod, Removal removal);
  void plan_ends_of_namespaces();
  void remove(PodId pod);
  void delete_pending(PodId pod, const std::string& why);
  void bring_forward(const Owner& owner, Time latest);
  void create(std::uint32_t planned);
  void note_differences(const SimulatedCluster::Admitted& admitted, PodId like);
  void note_template(const SimulatedCluster::Admitted& admitted, const Owner& owner, PodId like);
  [[nodiscard]] auto identity_of_new(const Controllers::Creation& planned) const -> std::string;
  void recur(std::uint32_t index);
  auto add_pod(Pod made, PodId like, Symbol name) -> PodId;
  void fail_job(const Owner& owner, const std::string& why);
  void retry_refused(PodId gone);
  [[nodiscard]] auto run_length(PodId pod) const -> Time;

  const Settings& settings_;
  Options options_;
  WorldObserver& observer_;
  SimulatedCluster cluster_;
  Controllers controllers_;
  QuotaGate quotas_;
  bool device_taints_;      ///< they evict pods, …
  TaintRules taint_rules_;  ///< … and so do those of these rules
  NewNames new_names_;
  IdVector<PodId, Life> lives_;
  std::map<std::uint32_t, Controllers::Creation> planned_;  ///< pods that controllers create, by number of the plan
  std::uint32_t plans_ = 0;
  std::map<PodId, Removal> removals_;  ///< pods that controllers delete
  std::vector<PodId> not_evicted_;     ///< drained pods that a budget protects now
  std::vector<PodId> refused_;         ///< drained pods whose eviction was ever refused
  std::set<PodId> allowed_;            ///< drained pods whose eviction read a budget that allowed it, but conflicts
  std::set<PodId> conflicts_;          ///< drained pods whose eviction was repeated
  std::map<std::uint32_t, Time> next_recurrence_;  ///< by index in the settings
  /// Pods that NoExecute taints of nodes or devices delete: when, and by which taint.
  std::map<PodId, std::pair<Time, std::string>> taint_evictions_;
  std::vector<Controllers::Deadline> deadlines_;  ///< of Jobs
  std::vector<Controllers::Check> checks_;        ///< of Deployments
  std::multimap<Time, KnownChange> expected_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_order_ = 0;
  Time now_ = 0;
  SimulationResult result_;
};

}  // namespace previct::sequence
