#pragma once

#include "sequence/circle.h"
#include "sequence/client.h"
#include "sequence/controllers.h"
#include "sequence/kube_play.h"
#include "sequence/queue.h"
#include "sequence/quota_gate.h"
#include "tell/answer.h"

#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace previct::sequence {

/// A request to the API server on its way.
struct Call {
  enum class Verb : std::uint8_t { mark, remove, clear, status, claims, bind } verb = Verb::mark;
  PodId pod{};
  std::size_t task = SIZE_MAX;  ///< the preemption it belongs to
  std::size_t chunk = 0;        ///< of that preemption's parallel part: which worker goes on when it is answered
  bool last = false;            ///< of the last victim
  bool open = true;             ///< not answered yet
  std::size_t retries = 0;
  // status
  bool sets_nomination = false;
  NodeId node{};  ///< status: nominated; bind: where
  std::string message{};
  std::string reason{};
  std::vector<SimulatedCluster::ClaimChange> claims{};  ///< claims: what it writes
};

/// One preemption that is being carried out.
struct Task {
  PodId preemptor{};
  NodeId node{};
  Time began = 0;
  std::size_t counted = 0;       ///< victims, those that are being deleted already among them
  std::vector<PodId> victims{};  ///< those to be deleted
  std::vector<char> marked{};    ///< had the condition already when the decision was made
  bool asynchronous = true;
  std::vector<PodId> to_clear{};  ///< nominations of lower priority
  std::size_t cleared = 0;
  std::vector<std::size_t> next{};  ///< by worker: its next victim …
  std::vector<std::size_t> stop{};  ///< … and the end of its chunk
  std::size_t handed_out = 0;       ///< victims given to workers so far
  std::size_t working = 0;
  bool cancelled = false;       ///< an eviction failed: what is not answered yet is given up
  bool error = false;           ///< some call failed
  std::optional<PodId> last{};  ///< recorded as the last victim
  bool over = false;
  bool told_released = false;
};

/// Of each pending pod, what the queue does not know.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a handful, in the order in which things happen
struct Fate {
  NodeId nominated{};     ///< as its status in the API server says
  std::string message{};  ///< of its PodScheduled condition
  std::string reason{};
  NodeId assumed{};
  bool bound = false;
  std::optional<std::size_t> task{};  ///< its latest preemption
  std::vector<PodId> deleted{};       ///< for its sake
  std::uint64_t seen_version = 0;     ///< of the cluster, at its latest attempt
  Instant next_change = Instant::never();
  std::string last_text{};
  EventKind last_told = EventKind::arrives;
  std::string told_text{};
  Queue::Rejectors rejectors{};         ///< of its latest attempt
  std::size_t preemption_attempts = 0;  ///< of it: how many plugins were asked to preempt
  End::Kind verdict = End::Kind::unschedulable;
  Time since = 0;
  bool told_held = false;
  bool looked_at = false;        ///< the periodic flush has just brought it back
  std::size_t looks_in_row = 0;  ///< it did so often, and nothing else meanwhile
  Time looked_at_since = 0;      ///< its last attempt before these
  PodId after{};                 ///< in whose place it was made
  PodId like{};                  ///< the pod of the input from which it descends
  std::optional<Time> first_preempted{};
  std::optional<Time> began{};     ///< runs since then
  Time ends_at = kNever;           ///< when it ends by itself
  bool ended = false;              ///< it did, or its Job deleted it, or it is played no further
  bool judged = false;             ///< was it looked at whether its attempts can be told?
  bool waits_for_victims = false;  ///< its latest attempt found victims of its own still terminating
};

/// One course of events. The scheduling thread is in kube_cycle.cpp, what a preemption does in kube_eviction.cpp, calls
/// and their answers in kube_api_server.cpp, everything else in kube_simulation.cpp.
class Simulation final : Queue::Plugins {
 public:
  Simulation(Objects& objects, const Settings& settings, const Course& course,
             std::map<std::uint32_t, kube::Profile> profiles, kube::RunningRelease running)
      : settings_(settings),
        course_(course),
        profiles_(std::move(profiles)),
        running_(std::move(running)),
        asynchronous_(running_.release.has(kube::Change::asynchronous_preemption)),
        simulated_(objects, running_.release),
        queue_(objects.pods.size(), *this, running_.release, settings.question.now, settings.pace),
        limit_(settings.pace.qps, settings.pace.burst),
        pods_(settings.pods),
        fates_(objects.pods.size()),
        failures_(settings.failures),
        controllers_(simulated_.cluster(), settings.makers, settings.question.now),
        quotas_(simulated_.cluster(), settings.controllers ? settings.makers.quotas : std::vector<ResourceQuota>()) {}

  auto run() -> Play;

 private:
  // ---- events

  struct Happening {
    enum class Kind : std::uint8_t {
      arrival,
      exit,
      answer,
      thread,
      flush,
      creation,     ///< by a controller, in place of the subject
      recurrence,   ///< of the setting with this index
      claims_made,  ///< by their controller, of the templates that the subject names
      claims_left,  ///< the controller has seen that the subject is gone
      finish
    } kind = Kind::arrival;
    Time at = 0;
    std::uint64_t order = 0;
    std::uint32_t subject = 0;  ///< a pod, a call, an index

    // The scheduling thread looks up last: what happens at one moment is known to the cycle that begins then.
    [[nodiscard]] auto rank() const { return std::tuple(at, kind == Kind::thread, order); }
    friend auto operator>(const Happening& a, const Happening& b) -> bool { return a.rank() > b.rank(); }
  };

  void schedule(Happening::Kind kind, Time at, std::uint32_t subject = 0);
  void handle(const Happening& next);

  // ---- the beginning and the end

  void open();
  void order_equals(std::vector<PodId>& pods);
  [[nodiscard]] auto since_start(Instant at) const -> Time;
  [[nodiscard]] auto clock() const -> Instant { return settings_.question.now.plus_nanos(now_); }
  void enter_queue(PodId pod);
  // It does not enter before its claims are made, or its group is complete.
  void note_held(PodId pod);
  [[nodiscard]] auto cannot_tell() -> bool;
  [[nodiscard]] auto cannot_tell(PodId pod, kube::Decision& decision) -> bool;
  void arrive(PodId pod);

  // A pod has left its node.
  void leave(PodId pod);
  void leave_node(PodId pod);
  void close();
  void tell(Step step);

  // ---- what is outside of the scheduler: controllers, and pods that end by themselves

  void plan_ends_and_returns();
  void react(const Controllers::Reaction& reaction);
  void create_in_place_of(PodId old);
  void plan_creation(PodId after, Time at);
  void recur(std::uint32_t index);
  auto add_pod(Pod made, PodId like) -> PodId;
  void end_job(const Owner& owner, const std::string& why);
  void drop_pending(PodId pod);
  void runs(PodId pod);
  void begin_deletion(PodId pod, PodId by, NodeId node);
  void finish(PodId pod);
  void end_run(PodId pod, Run::Ending ending);
  [[nodiscard]] auto length_of(PodId pod) const -> Time;

  // ---- circles

  // If the state was there before, the play has come to its end.
  void look_for_circle();
  [[nodiscard]] auto is_quiet() const -> bool;
  [[nodiscard]] auto state() const -> std::string;
  [[nodiscard]] auto identity(PodId pod) const -> std::string;
  [[nodiscard]] auto state_on_node(PodId pod) const -> std::string;
  [[nodiscard]] auto state_in_queue(PodId pod) const -> std::string;
  [[nodiscard]] auto longest_toleration(PodId pod) const -> Time;

  // ---- the scheduling thread

  static constexpr std::uint32_t kIdle = 0;
  static constexpr std::uint32_t kCycle = 1;
  static constexpr std::uint32_t kVainCycle = 2;
  void look_up();
  void wake();
  [[nodiscard]] auto profile_of(PodId pod) const -> const kube::Profile&;
  void thread_free();

  // The cycle has come to its end.
  void decided();

  // DynamicResources takes devices away that other nodes might have instead; the pod is tried again for it.
  void deallocate();
  void count_attempt();
  // Those that find what the pod's latest one has found.
  void count_vain_attempts(PodId pod, std::size_t count);

  // Room is there. The scheduler counts the pod on its node at once; the binding goes its own way.
  void assume();
  [[nodiscard]] auto node_that_fits() -> NodeId;
  [[nodiscard]] auto why_this_node() const -> std::string;
  [[nodiscard]] auto name(NodeId node) const -> std::string_view;
  [[nodiscard]] auto rejectors() const -> Queue::Rejectors;
  void put_back(PodId pod, const Queue::Rejectors& rejectors);

  // Nothing came of the attempt. `overriding`: its nomination becomes `nominated`; else it stays as it is.
  void fail_for_now(NodeId nominated, bool overriding);
  void fail_without_nodes();
  void fail_with_error(std::string_view reason);

  // Told only if it is not what was told of this pod the last time.
  void tell_failure(EventKind what, NodeId node);

  // The pod waits for victims on its nominated node, where nothing has changed, and no node that has changed has room
  // for it: another attempt finds what the last one found. (Its text may name other reasons of the nodes that have
  // changed.)
  [[nodiscard]] auto surely_waits(PodId pod) -> bool;

  // A new pod like one that found no room, which can evict nobody: no node that has changed since has room, either.
  struct KnownFailure {
    std::uint64_t version = 0;
    kube::Decision decision{};
  };
  [[nodiscard]] auto known_failure(PodId pod) -> const KnownFailure*;
  void note_failure(PodId pod);
  void wait_on();
  void nominate_in_memory(PodId pod, NodeId node);

  // PodScheduled=False with its text, and the nomination; the thread waits for the answer. Nothing is sent if the
  // status says so already. Source: schedule_one.go updatePod.
  void write_status(std::string_view reason, NodeId nominated, bool overriding);

  // ---- preemption

  void preempt();
  // Does preemption_victims observe them when the cycle decides? Else once they are deleted, or not at all.
  [[nodiscard]] auto counts_victims_at_once(const Task& task) const -> bool;
  [[nodiscard]] auto violated(const kube::DryRun& run) const -> std::vector<std::pair<PodId, std::string>>;
  [[nodiscard]] auto reason_of(const kube::DryRun& run, const Task& task) const -> std::string;
  [[nodiscard]] auto is_marked(PodId victim) const -> bool;

  // Asynchronous: nominations first, then all victims but the last, then that one alone.
  // Synchronous: all victims, then nominations, and only then does the cycle go on.
  void begin(std::size_t index);
  void collect_nominations(Task& task);
  [[nodiscard]] auto node_symbol(NodeId node) -> Symbol { return simulated_.cluster().node(node).meta.name; }
  void clear_next(std::size_t index);
  [[nodiscard]] static auto parallel_part(const Task& task) -> std::size_t;

  // Workers take chunks of the list. Source: pkg/scheduler/framework/parallelize.
  void evict(std::size_t index);
  [[nodiscard]] static auto chunk_size(std::size_t count) -> std::size_t;

  // A worker turns to its next victim, or takes its next chunk, or stops.
  void go_on(std::size_t index, std::size_t worker);
  void evict_one(std::size_t index, std::size_t victim, std::size_t worker, bool last);
  void parallel_part_done(std::size_t index);
  void finish_asynchronous(std::size_t index);
  void finish_synchronous(std::size_t index);
  void fail_synchronous(std::size_t index);

  // PreEnqueue of DefaultPreemption. Source: Evaluator.IsPodRunningPreemption.
  [[nodiscard]] auto is_preempting(PodId pod) const -> bool;

  // Told once a preemption: from its first wake-up that is refused.
  void tell_held();

  // Once a preemption: from here on nothing of it holds its preemptor back.
  void tell_released();

  // ---- the queue, and what it hears of

  [[nodiscard]] auto held_by(PodId pod) const -> std::string_view override;
  [[nodiscard]] auto hears(std::string_view plugin, const Queue::Event& event) const -> bool override;
  [[nodiscard]] auto may_help(PodId rejected, std::string_view plugin, const Queue::Event& event) const
      -> bool override;
  void claims_change(const std::vector<SimulatedCluster::ClaimChange>& changes);
  void plan_claims(PodId pod);
  void make_claims(PodId pod);
  [[nodiscard]] auto events_of(std::string_view plugin) const -> const kube::EventTable&;
  // A nominated pod as it is in the API server now: its memory runs ahead.
  [[nodiscard]] auto nomination_event(PodId pod) const -> Queue::Event;
  [[nodiscard]] auto pod_event(kube::Resource resource, kube::Actions action, PodId pod) const -> Queue::Event;
  void happens(const Queue::Event& event, const std::function<bool(const Queue::Entry&)>& which = {});
  // Without hints, only pods that have to do with other pods are asked about one that comes to a node.
  [[nodiscard]] auto asks_about(const Queue::Entry& entry, const Pod& come) const -> bool;

  // ---- the API server

  void send(Call call);

  enum class Answer : std::uint8_t { ok, not_found, refused, error, cancelled };

  void answer(std::uint32_t index);
  [[nodiscard]] static auto words(const Call& call, Answer result) -> std::string;
  auto outcome(const Call& call) -> Answer;
  [[nodiscard]] static auto concerns(Failure::Verb verb, const Call& call) -> bool;
  // Of failures by rate: is this call one of those? The same call of the same pod in every course of events.
  auto is_one_of_them(std::size_t failure, const Call& call) -> bool;
  void eviction_answered(const Call& call, Answer result);

  // The first error cancels the context of the whole preemption, and with it every call still on its way.
  void give_up(std::size_t index);

  // The API server sets the end of the grace period in whole seconds.
  void delete_now(PodId victim, const Task& task);
  void cleared(const Call& call);

  // A pod that was nominated counts as gone from that node for pods of at most its priority. `before` is the event of
  // it, made while it was still nominated.
  void nomination_changed(PodId pod, const Queue::Event& before);
  void status_written(const Call& call);
  void bound(const Call& call);
  void not_bound(const Call& call);

  // ---- the periodic flush

  // A retry that would see the same cluster, before anything ends by time, would find the same; it is not played.
  [[nodiscard]] auto would_differ(PodId pod) const -> bool;

  // Upstream looks every 30 s from the scheduler's start on, which here is that of the play, as its queue is.
  void expect_flush(PodId pod);
  void flush(PodId pod);
  [[nodiscard]] auto flush_age() const -> Time { return settings_.question.flush_seconds * kSecond; }
  // The first look at a pod that has waited for longer than the age since `timestamp`.
  [[nodiscard]] auto look_at(Time timestamp) const -> Time;
  // Attempts that find what the one before found; the next look of which that is not sure is planned.
  void try_in_vain(PodId pod);

  // ---- how it ends

  auto end_of(PodId pod) -> End;
  // A new pod that is evicted, but has not left its node.
  void stay_for_now(End& end) const;
  auto fits_now(PodId pod) -> bool;
  auto waits_for(PodId pod) -> std::string;

  const Settings& settings_;
  const Course& course_;
  std::map<std::uint32_t, kube::Profile> profiles_;  // by scheduler name
  kube::RunningRelease running_;
  bool asynchronous_;
  SimulatedCluster simulated_;
  Queue queue_;
  RateLimit limit_;
  std::vector<PodId> pods_;  // that wait for a node, or did; new ones stand behind those of the settings
  IdVector<PodId, Fate> fates_;
  std::vector<Failure> failures_;
  std::map<std::tuple<std::size_t, Call::Verb, PodId>, std::uint64_t> calls_by_rate_;  ///< so far, by failure
  Controllers controllers_;
  QuotaGate quotas_;
  NewNames new_names_;
  std::multimap<Time, PodId> to_be_created_;       // by controllers
  std::map<std::uint32_t, Time> next_recurrence_;  // by setting
  States states_;
  std::size_t state_work_ = 0;
  std::int32_t lowest_ = INT32_MAX;             // priority of the pods on nodes
  std::map<std::string, KnownFailure> failed_;  // of new pods that stand for each other
  std::size_t open_calls_ = 0;
  std::size_t open_claims_ = 0;  ///< of the events to come, those of claims
  std::vector<Call> calls_;
  std::vector<Task> tasks_;
  std::priority_queue<Happening, std::vector<Happening>, std::greater<>> events_;
  std::uint64_t next_order_ = 0;
  std::size_t flushes_ = 0;  ///< of the events to come, those that look whether a pod has waited too long
  std::size_t flushed_ = 0;  ///< that came to something
  mutable std::map<std::string_view, kube::EventTable> event_tables_;  ///< by plugin
  Time now_ = 0;
  Play play_;

  // The thread.
  bool busy_ = false;
  bool looking_up_ = false;
  Time retry_at_ = kNever;
  PodId tried_;
  NodeId own_nomination_;
  kube::Decision decision_;
  std::string text_;
};

}  // namespace previct::sequence
