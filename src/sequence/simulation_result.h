#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "cluster/snapshot.h"
#include "tell/answer.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

/// What happens after a decision: the next cycles of a scheduler, simulated from a dump.
namespace previct::sequence {

/// Nanoseconds since the simulation began.
using Time = std::int64_t;
constexpr Time kSecond = 1'000'000'000;
constexpr Time kMillisecond = 1'000'000;
constexpr Time kNever = INT64_MAX;

[[nodiscard]] constexpr auto seconds(Time at) -> double {
  return static_cast<double>(at) / static_cast<double>(kSecond);
}

/// Returns the time from `start` to `at` (negative if `at` is earlier), at most a hundred years, which is forever in a
/// simulation.
[[nodiscard]] auto since(Instant start, Instant at) -> Time;

/// One thing that happens. Events that the API server shows are distinct from those that only the scheduler knows.
enum class EventKind : std::uint8_t {
  arrives,      ///< a pod is created
  created,      ///< a controller creates a pod in place of an evicted one
  preempts,     ///< a cycle chooses victims
  fails,        ///< a cycle finds neither a node nor victims
  waits,        ///< a cycle finds earlier victims that are still terminating
  held,         ///< PreEnqueue holds the preemptor while its own preemption runs
  released,     ///< PreEnqueue would admit the preemptor from now on; this alone requeues no pod
  requeued,     ///< the pod returns to the queue for a reason worth reporting: flush, activation
  nominated,    ///< status.nominatedNodeName is set
  cleared,      ///< status.nominatedNodeName is emptied
  marked,       ///< a victim gets the condition DisruptionTarget
  deleting,     ///< a victim's grace period begins
  gone,         ///< a pod has left its node
  finished,     ///< a pod has ended by itself
  gives_up,     ///< a Job has failed: it creates no more pods
  call_failed,  ///< an API call returned an error
  refused,      ///< the API refuses to evict the pod
  takes,        ///< a cycle finds a node; from now on the scheduler counts the pod on it
  bound         ///< the API server has bound the pod to the node
};
[[nodiscard]] auto what_name(EventKind what) -> std::string_view;

struct Step {
  Time at = 0;
  EventKind what = EventKind::arrives;
  PodId pod{};                   ///< the pod that the step concerns
  NodeId node{};                 ///< none if no node is concerned
  PodId by{};                    ///< the preemptor that causes it; none if there is none
  std::vector<PodId> victims{};  ///< preempts: most important first, including pods that are terminating already
  /// preempts: victims whose eviction violates a PodDisruptionBudget, and its NAMESPACE/NAME.
  std::vector<std::pair<PodId, std::string>> violates{};
  ReplaceableVictims open{};  ///< preempts: victims that are not certain
  std::string why{};
  bool of_new = false;  ///< call_failed: the API server refuses a new pod like this one for good, not for a quota
  Time from = 0;        ///< requeued: earliest time
  Time until = 0;       ///< deleting: end of the grace period; requeued: latest time; 0: none
};

/// The state of a pod to be placed at the end of the simulation.
struct End {
  enum class Kind : std::uint8_t {
    bound,
    evicted,  ///< was bound, and was then evicted for another pod
    waits,    ///< some victims of its preemption are not gone, or calls are not answered
    stuck,    ///< fits, or may fit, but nothing moves it back to the queue
    unschedulable,
    pending,  ///< not tried before the simulation ends
    gated,
    deleting,
    finished,       ///< ran for its whole length
    removed,        ///< deleted by its controller, which has given up
    not_simulated,  ///< waits for another scheduler, or depends on what the input does not hold
    error
  };

  PodId pod{};
  std::string name{};  ///< `NAMESPACE/NAME`
  Kind kind = Kind::unschedulable;
  NodeId node{};  ///< bound or nominated to it
  Time at = 0;    ///< when it got into this state
  std::size_t attempts = 0;
  std::vector<PodId> victims{};        ///< evicted for it; new pods among them exist only in this simulation
  std::vector<std::string> deleted{};  ///< their names
  std::string why{};
  std::optional<Gap> unknown{};  ///< not_simulated: what its decision depends on
  std::string after{};           ///< the pod that a controller replaced by it; empty: it is not a new pod
  bool leaving = false;          ///< a new pod that is bound and is being deleted
};
[[nodiscard]] auto end_name(End::Kind kind) -> std::string_view;

/// A pod that is created in a simulation. The ids of new pods follow those of the input, in the order of creation.
struct NewPod {
  Pod pod{};      ///< as it was created
  PodId after{};  ///< the pod that it replaces; none: it is another copy of `like`
  PodId like{};   ///< the pod of the input from which it descends
};

/// The time of a pod on its node, from its start until its deletion begins or it ends.
struct Run {
  /// `removed`: deleted by a controller.
  enum class Ending : std::uint8_t { evicted, removed, finished, goes_on } ending = Ending::goes_on;
  PodId pod{};
  /// before 0: it was running at the start; none: it was, and its start time is unknown
  std::optional<Time> from{};
  Time until = 0;

  [[nodiscard]] auto began_in_play() const -> bool { return from && *from >= 0; }
  [[nodiscard]] auto length() const -> std::optional<Time> { return from ? std::optional(until - *from) : from; }
};

/// A change at a time that is known beforehand: of a pod, or the deadline of a Job.
struct KnownChange {
  enum class What : std::uint8_t { pod_ends, protection_ends, deadline_ends };
  Time at = 0;
  What what = What::pod_ends;
  PodId pod{};
  Symbol ns{};  ///< of the Job
  Symbol job{};
};

/// The state of the cluster repeats, except for the names of pods: from here on, the same happens over and over.
struct SimulationLoop {
  Time from = 0;
  Time period = 0;
  /// The number of SimulationResult::runs that had ended when the loop began, and when its last simulated round began.
  /// Every run that ended in that round also began in the loop. (A time is not enough: more runs may end at the very
  /// time at which the state is compared.)
  std::size_t runs_before = 0;
  std::size_t runs_before_last = 0;
  std::optional<KnownChange> until{};  ///< the first change that may end the loop, after the horizon; none: forever
};

/// What kube-scheduler's own metrics would show of a simulation, and how fast its preemption was.
/// Source: kubernetes v1.35 pkg/scheduler/metrics/metrics.go; observed in schedule_one.go,
/// framework/plugins/defaultpreemption, framework/preemption.
struct Metrics {
  std::size_t scheduled = 0;  ///< schedule_attempts_total, by result
  std::size_t unschedulable = 0;
  std::size_t error = 0;
  std::size_t preemption_attempts = 0;   ///< preemption_attempts_total
  std::size_t preemptions = 0;           ///< cycles that chose victims
  std::vector<std::size_t> victims{};    ///< observations of preemption_victims
  std::size_t goroutines_succeeded = 0;  ///< asynchronous preemptions that ended, by result
  std::size_t goroutines_failed = 0;
  Time goroutines_took = 0;
  bool goroutines_count_by_result = false;  ///< preemption_goroutines_* of this release distinguish results
  std::size_t synchronous_succeeded = 0;    ///< preemptions within their cycle
  std::size_t synchronous_failed = 0;
  Time first_preemption = kNever;  ///< when the first cycle chose victims …
  Time last_preemption = 0;        ///< … and the last one
  /// of each preemptor that was bound, since its first attempt that chose victims
  std::vector<Time> time_to_bind{};

  /// Preemptions that have ended, and how many of them had a failed call.
  [[nodiscard]] auto ended() const -> std::size_t {
    return goroutines_succeeded + goroutines_failed + synchronous_succeeded + synchronous_failed;
  }
  [[nodiscard]] auto failed() const -> std::size_t { return goroutines_failed + synchronous_failed; }
};

/// One simulated scenario.
struct SimulationResult {
  std::vector<Step> steps{};    ///< in order of time
  std::vector<End> ends{};      ///< one for each pending pod, in queue order; then the remaining new pods
  std::size_t pods_before = 0;  ///< number of pods in the input; higher ids belong to `created`
  std::vector<NewPod> created{};
  std::vector<Run> runs{};                 ///< in the order of their ends
  std::optional<SimulationLoop> circle{};  ///< the simulation ends when the loop closes
  Time length = 0;                         ///< when nothing more happens, or the horizon
  bool cut = false;                        ///< stopped early: at the horizon, or because of `too_much`
  bool too_much = false;                   ///< exceeded Settings::most_steps or most_work
  std::uint64_t work = 0;                  ///< pods and nodes that decisions examined; each decision adds 20
  bool asynchronous = true;                ///< preemptions make their calls in parallel to the scheduling thread
  bool has_other_mode = false;             ///< the plugin also has the other mode; PreemptionToleration has one
  std::set<PodId> node_open{};             ///< pods that fit on several nodes and might get another of them
  bool likeliest = false;                  ///< for some of these, a sample of nodes or an unknown fact decides the node
  std::size_t node_choices = 0;            ///< how often a node was chosen among equal ones
  std::size_t most_equal = 1;              ///< the greatest number of nodes in such a choice
  bool arrives_at_an_end = false;          ///< a pod arrives in the moment at which another one ends
  std::set<PodId> drained{};               ///< pods that a drain evicts while a budget protects others from it
  /// Pods of equal priority that are in the queue at the start, by priority; the order in which they are tried is
  /// unknown. Each inner list holds interchangeable pods.
  std::vector<std::vector<std::vector<PodId>>> equals{};
  Metrics metrics{};
  std::vector<std::string> calls_not_made{};  ///< `delete:NS/POD`: calls that were to fail, and were not made
  bool asynchronous_calls = false;            ///< SchedulerAsyncAPICalls is on, which is not simulated
  std::vector<Gap> decision_gaps{};           ///< what the scheduler's decisions do not know
  std::vector<Gap> assumed{};                 ///< what is unknown about controllers that had something to do
  /// Indices of the budgets that have fewer healthy pods at the end than their status says they should.
  std::vector<std::size_t> short_budgets{};

  /// Returns a pod of the simulation or of the input.
  [[nodiscard]] auto pod(PodId id, const Snapshot& cluster) const -> const Pod& {
    return id.index < pods_before ? cluster.pod(id) : created[id.index - pods_before].pod;
  }
  /// Returns the pod of the input from which it descends, or the pod itself.
  [[nodiscard]] auto root(PodId id, const Snapshot& cluster) const -> const Pod& {
    return cluster.pod(id.index < pods_before ? id : created[id.index - pods_before].like);
  }
  /// The pods of the input that are evicted for others, and `drained`, in the order of their ids.
  [[nodiscard]] auto evicted_of_input() const -> std::set<PodId>;
  /// `NAMESPACE/NAME`
  [[nodiscard]] auto key(PodId id, const Snapshot& cluster) const -> std::string;
};

/// Returns true if nodes or victims were chosen among equals, so that another result may be possible.
[[nodiscard]] auto chose_among_equals(const SimulationResult& play) -> bool;

/// One possible ending of a race, and what it depends on.
struct Ending {
  std::vector<End> ends{};
  std::vector<std::string> evicted{};  ///< pods of the input that are evicted for others, by name
  std::string when{};                  ///< in words
  std::size_t courses = 0;             ///< number of simulated scenarios with this ending
  Time length = 0;
  bool by_order = false;  ///< it depends on the order in which pods of equal priority are tried
};

/// How long pods wait until they are bound: those that are pending at the start, that arrive, or that recur.
struct Waits {
  std::vector<Time> bound{};  ///< waits of the bound pods, in the order of binding
  Time longest = 0;           ///< the longest of these
  Time still = 0;             ///< the longest wait of a pod that is still pending when the simulation is cut
  std::size_t forever = 0;    ///< number of pods that are never bound

  /// `5m30.007s`, `over 1h0m0s`, `2s, 1 never`
  [[nodiscard]] auto words() const -> std::string;
};

/// The results of preemptors that arrive at a constant rate.
struct RateResult {
  double per_second = 0;
  bool asynchronous = true;
  Metrics metrics{};
  Waits waits{};
};

/// The results of failures by rate with one seed.
struct SeedResult {
  std::uint64_t seed = 0;
  std::size_t preemptions = 0;  ///< preemptions that have ended
  std::size_t failed = 0;       ///< how many of them failed
  std::size_t evicted = 0;      ///< number of evicted pods
  std::size_t bound = 0;        ///< number of bound pods that were pending or arrived
  Time length = 0;
};

/// The simulated future of a scheduler.
struct Sequence {
  std::string engine{};
  std::string behaves{};
  SimulationResult play{};        ///< the primary scenario: calls are made in the order in which they are listed
  std::vector<Ending> endings{};  ///< all endings found, the primary one first; one: no race was found
  std::size_t courses = 1;
  bool evictions_differ = false;  ///< between endings, other pods of the input are evicted
  bool others_thrash = false;     ///< pods are evicted over and over in a course of events other than the primary one
  bool more_choices = false;      ///< nodes may be chosen among equals in more ways than were simulated
  bool more_orders = false;       ///< pods of equal priority may be tried in more orders than were simulated
  /// other scenarios that were not simulated to their end, because too much happens in them
  std::size_t unfinished = 0;
  /// The simulation in the other mode, asynchronous or synchronous; only if pods are evicted and the plugin supports
  /// both.
  std::optional<SimulationResult> other_mode{};
  bool calls_played = false;        ///< calls to the API server take time, under the client's rate limit
  std::vector<SeedResult> seeds{};  ///< the primary one first; empty: no call fails by rate
  std::vector<RateResult> rates{};  ///< the requested rates, each in both modes
  std::vector<Gap> gaps{};
};

}  // namespace previct::sequence
