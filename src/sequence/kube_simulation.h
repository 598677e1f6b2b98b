#pragma once

#include "base/sparse_table.h"
#include "sequence/client.h"
#include "sequence/kube_scenario.h"
#include "sequence/loop_detector.h"
#include "sequence/queue.h"
#include "sequence/world.h"
#include "tell/answer.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace previct::sequence {

/// A request to the API server that is in progress.
struct Call {
  enum class Verb : std::uint8_t { mark, remove, clear, status, claims, bind } verb = Verb::mark;
  PodId pod{};
  std::size_t task = SIZE_MAX;  ///< the preemption it belongs to
  std::size_t chunk = 0;        ///< in the preemption's parallel part: the worker that continues after the answer
  bool last = false;            ///< evicts the last victim
  bool open = true;             ///< not answered yet
  std::size_t retries = 0;
  // status
  bool sets_nomination = false;
  NodeId node{};  ///< status: nominated node; bind: the node
  std::string message{};
  std::string reason{};
  std::vector<SimulatedCluster::ClaimChange> claims{};  ///< claims: the changes to write
};

/// A preemption in progress.
struct Task {
  PodId preemptor{};
  NodeId node{};
  Time began = 0;
  std::size_t counted = 0;       ///< number of victims, including those that are being deleted already
  std::vector<PodId> victims{};  ///< victims to delete
  std::vector<char> marked{};    ///< by victim: had the condition already at the decision
  bool asynchronous = true;
  std::vector<PodId> to_clear{};  ///< pods of lower priority whose nomination is to be cleared
  std::size_t cleared = 0;
  std::vector<std::size_t> next{};  ///< by worker: its next victim
  std::vector<std::size_t> stop{};  ///< by worker: the end of its chunk
  std::size_t handed_out = 0;       ///< number of victims assigned to workers so far
  std::size_t working = 0;
  bool cancelled = false;       ///< an eviction failed: calls that are not answered yet are abandoned
  bool error = false;           ///< some call failed
  std::optional<PodId> last{};  ///< recorded as the last victim
  bool over = false;
  bool released_reported = false;
};

/// What the queue does not know about a pending pod.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a handful, in the order in which things happen
struct PodState {
  NodeId nominated{};     ///< as its status in the API server says
  std::string message{};  ///< of its PodScheduled condition
  std::string reason{};
  NodeId assumed{};
  bool bound = false;
  std::optional<std::size_t> task{};  ///< its latest preemption
  std::vector<PodId> deleted{};       ///< victims deleted for it
  std::uint64_t seen_version = 0;     ///< version of the cluster at its latest attempt
  Instant next_change = Instant::never();
  std::string last_text{};
  EventKind last_told = EventKind::arrives;
  std::string told_text{};
  Queue::Rejectors rejectors{};         ///< of its latest attempt
  std::size_t preemption_attempts = 0;  ///< of its latest attempt: number of plugins that tried to preempt
  End::Kind verdict = End::Kind::unschedulable;
  Time since = 0;
  bool held_reported = false;
  bool looked_at = false;               ///< the periodic flush has just requeued it
  std::size_t consecutive_flushes = 0;  ///< number of consecutive flushes that requeued it, and nothing else did
  Time attempt_before_flushes = 0;      ///< its last attempt before these
  std::optional<Time> first_preempted{};
  std::optional<Gap> unknown{};    ///< its result depends on this; if a decision does, it is no longer simulated
  bool ended = false;              ///< it ended, its Job deleted it, or it is no longer simulated
  bool waits_for_victims = false;  ///< its latest attempt found its own victims still terminating
};

/// One scenario. The scheduling thread is in kube_cycle.cpp, preemption in kube_eviction.cpp, calls and their answers
/// in kube_api_server.cpp, everything else in kube_simulation.cpp.
class KubeSimulation final : Queue::Plugins, WorldObserver {
 public:
  KubeSimulation(Objects& objects, const Settings& settings, const Scenario& course,
                 std::map<std::uint32_t, kube::Profile> profiles, kube::RunningRelease running)
      : settings_(settings),
        scenario_(course),
        profiles_(std::move(profiles)),
        running_(std::move(running)),
        asynchronous_(running_.release.has(kube::Change::asynchronous_preemption)),
        world_(objects, settings, running_.release,
               {.controller_delay = settings.api_latency,
                .immediate_exits = course.immediate_exits,
                .late_arrivals = course.late_arrivals,
                .reversed = course.reversed,
                .conflicts = course.conflicts},
               *this),
        simulated_(world_.cluster()),
        result_(world_.result()),
        queue_(*this, running_.release, settings.question.now, settings.pace),
        limit_(settings.pace.qps, settings.pace.burst),
        pods_(settings.pods),
        failures_(settings.failures) {}

  auto run() -> SimulationResult;

 private:
  // ---- events

  enum class EventType : std::uint8_t {
    answer = World::kFirstOfScheduler,  ///< to the call with this index
    thread,                             ///< the scheduling thread becomes free, or a cycle ends
    flush,
    claims_made,  ///< by their controllers, from the templates in the subject
    claims_left   ///< the controller has noticed that the subject is gone
  };
  // The scheduling thread comes last: a cycle knows everything that happens at the time at which it begins.
  void schedule(EventType type, Time at, std::uint32_t subject = 0);
  [[nodiscard]] auto now() const -> Time { return world_.now(); }
  [[nodiscard]] auto clock() const -> Instant { return world_.clock(); }

  // ---- the World

  void pod_created(PodId pod) override;
  void pod_added(PodId pod) override;
  void pod_leaves(PodId pod) override;
  void pod_left(PodId pod) override;
  // The controller notices that the pod no longer uses its claims.
  void leave_claims(PodId pod);
  void deletion_began(PodId pod) override;
  void delete_pending(PodId pod) override;
  void pod_ended(PodId pod, End::Kind how, const std::string& why) override;
  void changed() override;
  void handle(std::uint8_t kind, std::uint32_t subject) override;

  // ---- start and end

  void open();
  void order_equals(std::vector<PodId>& pods);
  void enter_queue(PodId pod);
  // Records a pod that PreEnqueue holds, for example until its claims are created or its group is complete.
  void note_held(PodId pod);
  // Notes what the decision does not know, and returns true if it depends on that.
  [[nodiscard]] auto cannot_tell(PodId pod, kube::Decision& decision) -> bool;
  [[nodiscard]] auto evicts_static_pods(const kube::Decision& decision) const -> bool;
  // Returns a pod of another kube-scheduler that took what the pod lacks, or may be the first to take what it gets;
  // none if there is no such pod. The simulation tries the pods of all schedulers in one queue.
  [[nodiscard]] auto rival_of(PodId pod, const kube::Decision& decision) -> PodId;
  void close();
  void tell(Step step) { world_.record(std::move(step)); }

  // ---- loops
  void expect_ends_of_tolerations();

  [[nodiscard]] auto is_quiet() const -> bool;
  [[nodiscard]] auto state() const -> std::string;
  /// `starts`: of all pods on its node.
  [[nodiscard]] auto state_on_node(PodId pod, std::span<const std::optional<Instant>> starts) const -> std::string;
  [[nodiscard]] auto state_in_queue(PodId pod) const -> std::string;
  [[nodiscard]] auto longest_toleration(PodId pod) const -> Time;

  // ---- the scheduling thread

  static constexpr std::uint32_t kIdle = 0;
  static constexpr std::uint32_t kCycle = 1;
  static constexpr std::uint32_t kFutileCycle = 2;
  void wake_scheduler();
  void start_cycle();
  [[nodiscard]] auto profile_of(PodId pod) const -> const kube::Profile&;
  void thread_free();

  // Ends the cycle and carries out its decision.
  void decided();

  // DynamicResources deallocates a claim whose devices might be available on other nodes; that requeues the pod.
  void deallocate();
  void count_attempt();
  // Counts attempts that find the same as the pod's latest attempt.
  void count_futile_attempts(PodId pod, std::size_t count);

  // The pod fits. The scheduler counts it on its node at once; the binding runs in parallel.
  void assume();
  [[nodiscard]] auto node_that_fits() -> NodeId;
  [[nodiscard]] auto chosen_of(NodeId first, const std::vector<NodeId>& equal) -> NodeId;
  [[nodiscard]] auto why_this_node() const -> std::string;
  [[nodiscard]] auto name(NodeId node) const -> std::string_view;
  [[nodiscard]] auto rejectors() const -> Queue::Rejectors;
  void put_back(PodId pod, const Queue::Rejectors& rejectors);

  // The attempt did not succeed. `overriding`: the nomination becomes `nominated`; otherwise it stays unchanged.
  void fail_for_now(NodeId nominated, bool overriding);
  void fail_with_error(End::Kind verdict, std::string_view reason);

  // Reports the failure only if it differs from the last one reported of this pod.
  void tell_failure(EventKind what, NodeId node);

  // Returns true if another attempt would find the same as the last one: the pod waits for victims on its nominated
  // node, that node has not changed, and no node that has changed has capacity for the pod. (The text of the attempt
  // might give other reasons for the changed nodes.)
  [[nodiscard]] auto will_stay_unschedulable(PodId pod) -> bool;

  // The failure of a new pod that fits on no node and cannot evict any pod. It also holds for an equal pod while no
  // node that has changed since has capacity for it.
  struct KnownFailure {
    std::uint64_t version = 0;
    kube::Decision decision{};
  };
  [[nodiscard]] auto known_failure(PodId pod) -> const KnownFailure*;
  void note_failure(PodId pod);
  void repeat_failure();
  void nominate_in_memory(PodId pod, NodeId node);

  // Writes PodScheduled=False with its text, and the nomination; the thread waits for the answer. Sends nothing if the
  // status says so already. Source: schedule_one.go updatePod.
  void write_status(std::string_view reason, NodeId nominated, bool overriding);

  // ---- preemption

  void preempt();
  // Returns true if preemption_victims observes the victims when the cycle decides. Otherwise it does so once they are
  // deleted, or never.
  [[nodiscard]] auto counts_victims_at_once(const Task& task) const -> bool;
  [[nodiscard]] auto violated(const kube::DryRun& run) const -> std::vector<std::pair<PodId, std::string>>;
  [[nodiscard]] auto reason_of(const kube::DryRun& run, const Task& task) const -> std::string;
  [[nodiscard]] auto is_marked(PodId victim) const -> bool;

  // Asynchronous: clears nominations, then evicts all victims but the last, then the last one alone.
  // Synchronous: evicts all victims, then clears nominations, and only then continues the cycle.
  void begin(std::size_t index);
  void collect_nominations(Task& task);
  [[nodiscard]] auto node_symbol(NodeId node) -> Symbol { return simulated_.cluster().node(node).meta.name; }
  void clear_next(std::size_t index);
  [[nodiscard]] static auto parallel_part(const Task& task) -> std::size_t;

  // Starts workers that take chunks of the list. Source: pkg/scheduler/framework/parallelize.
  void evict(std::size_t index);
  [[nodiscard]] static auto chunk_size(std::size_t count) -> std::size_t;

  // Makes a worker evict its next victim, take its next chunk, or stop.
  void go_on(std::size_t index, std::size_t worker);
  void evict_one(std::size_t index, std::size_t victim, std::size_t worker, bool last);
  void parallel_part_done(std::size_t index);
  void finish_asynchronous(std::size_t index);
  void finish_synchronous(std::size_t index);
  void fail_synchronous(std::size_t index);

  // PreEnqueue of DefaultPreemption. Source: Evaluator.IsPodRunningPreemption.
  [[nodiscard]] auto is_preempting(PodId pod) const -> bool;

  // Reports, once per preemption, that PreEnqueue holds its preemptor: from the first wake-up that it rejects.
  void tell_held();

  // Reports, once per preemption, that it no longer holds its preemptor.
  void tell_released();

  // ---- the queue and its events

  [[nodiscard]] auto held_by(PodId pod) const -> std::string_view override;
  [[nodiscard]] auto hears(std::string_view plugin, const Queue::Event& event) const -> bool override;
  [[nodiscard]] auto may_help(PodId rejected, std::string_view plugin, const Queue::Event& event) const
      -> bool override;
  void claims_change(const std::vector<SimulatedCluster::ClaimChange>& changes);
  void plan_claims(PodId pod);
  void make_claims(PodId pod);
  [[nodiscard]] auto events_of(std::string_view plugin) const -> const kube::EventTable&;
  // The deletion of a nominated pod, with the nomination in the API server: the scheduler's memory may be ahead of it.
  [[nodiscard]] auto nomination_event(PodId pod) const -> Queue::Event;
  [[nodiscard]] auto pod_event(kube::Resource resource, kube::Actions action, PodId pod) const -> Queue::Event;
  void happens(const Queue::Event& event, const std::function<bool(const Queue::Entry&)>& which = {});
  // Returns true if a pod that comes to a node is an event for the entry. Without hints, it is one only for pods with a
  // relation to other pods.
  [[nodiscard]] auto asks_about(const Queue::Entry& entry, const Pod& come) const -> bool;

  // ---- the API server

  void send(Call call);

  enum class Answer : std::uint8_t { ok, not_found, refused, error, cancelled };

  void answer(std::uint32_t index);
  [[nodiscard]] static auto words(const Call& call, Answer result) -> std::string;
  auto outcome(const Call& call) -> Answer;
  [[nodiscard]] static auto concerns(Failure::Verb verb, const Call& call) -> bool;
  // Returns true if a failure by rate affects this call. The result is the same for the same call of the same pod in
  // every scenario.
  auto is_one_of_them(std::size_t failure, const Call& call) -> bool;
  void eviction_answered(const Call& call, Answer result);

  // Abandons a preemption: the first error cancels its context, and with it every call in progress.
  void give_up(std::size_t index);

  void delete_now(PodId victim, const Task& task);
  void cleared(const Call& call);

  // Reports a lost nomination as a deletion from the node to pods of at most the same priority. `before` is that event,
  // created while the pod was still nominated.
  void nomination_changed(PodId pod, const Queue::Event& before);
  void status_written(const Call& call);
  void bound(const Call& call);
  void not_bound(const Call& call);

  // ---- the periodic flush

  // Returns false if a retry would find the same, because the cluster is the same and nothing has expired. Such a retry
  // is not simulated.
  [[nodiscard]] auto would_differ(PodId pod) const -> bool;

  // Upstream checks every 30 s from the start of the scheduler. Here, scheduler and queue start with the simulation.
  void expect_flush(PodId pod);
  void flush(PodId pod);
  // Returns the earliest and the latest time of the flush that is reported now, whenever the checks began.
  [[nodiscard]] auto flush_window(const PodState& fate) const -> std::pair<Time, Time>;
  [[nodiscard]] auto flush_age() const -> Time {
    return settings_.question.flush_seconds.value_or(settings_.pace.flush) * kSecond;
  }
  // Returns the time of the first check that finds the pod waiting for longer than the flush age since `timestamp`.
  [[nodiscard]] auto look_at(Time timestamp) const -> Time;
  // Counts attempts that find the same as the one before, and schedules the next check for which that is uncertain.
  void count_futile_flushes(PodId pod);

  // ---- endings

  auto end_of(PodId pod) -> End;
  // Marks the end of a new pod that is being evicted, but has not left its node.
  void stay_for_now(End& end) const;
  [[nodiscard]] auto reason_of_deletion(PodId pod) const -> std::string;
  auto fits_now(PodId pod) -> bool;
  auto waits_for(PodId pod) -> std::string;

  const Settings& settings_;
  const Scenario& scenario_;
  std::map<std::uint32_t, kube::Profile> profiles_;  // by scheduler name
  kube::RunningRelease running_;
  bool asynchronous_;
  World world_;
  SimulatedCluster& simulated_;
  SimulationResult& result_;
  Queue queue_;
  RateLimit limit_;
  std::vector<PodId> pods_;  // the pods to be placed; new ones follow those of the settings
  SparseTable<PodId, PodState> pod_states_;
  std::vector<Failure> failures_;
  /// number so far, by failure
  std::map<std::tuple<std::size_t, Call::Verb, PodId>, std::uint64_t> calls_by_rate_;
  LoopDetector loop_detector_;
  std::size_t state_work_ = 0;
  std::int32_t lowest_ = INT32_MAX;             // lowest priority of a pod on a node
  std::map<std::string, KnownFailure> failed_;  // of interchangeable new pods
  std::size_t open_calls_ = 0;
  std::size_t open_claims_ = 0;  ///< number of scheduled events that concern claims
  std::vector<Call> calls_;
  std::vector<Task> tasks_;
  std::size_t flushes_ = 0;                                            ///< number of scheduled flush checks
  std::size_t flushed_ = 0;                                            ///< number of checks that requeued a pod
  mutable std::map<std::string_view, kube::EventTable> event_tables_;  ///< by plugin
  Queue::Event leaving_{};                                             ///< the deletion of the pod that leaves its node

  // The state of the scheduling thread.
  bool busy_ = false;
  bool looking_up_ = false;
  Time retry_at_ = kNever;
  PodId tried_;
  NodeId own_nomination_;
  kube::Decision decision_;
  std::string text_;
};

}  // namespace previct::sequence
