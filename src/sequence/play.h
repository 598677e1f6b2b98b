#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "cluster/snapshot.h"
#include "tell/answer.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

/// What happens after a decision: the next cycles of a scheduler, played forward from a dump.
namespace previct::sequence {

/// Nanoseconds since the play began.
using Time = std::int64_t;
constexpr Time kSecond = 1'000'000'000;
constexpr Time kMillisecond = 1'000'000;
constexpr Time kNever = INT64_MAX;

[[nodiscard]] constexpr auto seconds(Time at) -> double {
  return static_cast<double>(at) / static_cast<double>(kSecond);
}

/// How long after `start` it is `at` (negative: before it), a hundred years at most, which is for ever in a play.
[[nodiscard]] auto since(Instant start, Instant at) -> Time;

/// One thing that happens. What the API server shows is told apart from what only the scheduler knows.
enum class EventKind : std::uint8_t {
  arrives,      ///< a pod is created
  created,      ///< a controller makes a pod in place of one that was evicted
  preempts,     ///< a cycle decides for victims
  fails,        ///< a cycle finds no way
  waits,        ///< a cycle finds earlier victims still terminating
  held,         ///< PreEnqueue holds the preemptor back while its own preemption runs
  released,     ///< PreEnqueue would let the preemptor pass from here on; that alone wakes nobody
  requeued,     ///< back into the queue for a reason worth telling: flush, activation
  nominated,    ///< status.nominatedNodeName set
  cleared,      ///< status.nominatedNodeName emptied
  marked,       ///< condition DisruptionTarget on a victim
  deleting,     ///< a victim's grace period begins
  gone,         ///< a pod has left its node
  finished,     ///< a pod has ended by itself
  gives_up,     ///< a Job has failed: it makes no more pods
  call_failed,  ///< an API call came back with an error
  takes,        ///< a cycle finds room; from here on the scheduler counts the pod on the node
  bound         ///< the API server has the pod on the node
};
[[nodiscard]] auto what_name(EventKind what) -> std::string_view;

struct Step {
  Time at = 0;
  EventKind what = EventKind::arrives;
  PodId pod{};                   ///< whom it happens to
  NodeId node{};                 ///< none if no node is concerned
  PodId by{};                    ///< for whose sake; none if for its own
  std::vector<PodId> victims{};  ///< preempts: most important first; pods that were terminating already included
  /// preempts: victims whose eviction violates a PodDisruptionBudget, and its NAMESPACE/NAME.
  std::vector<std::pair<PodId, std::string>> violates{};
  OpenVictims open{};  ///< preempts: those of them that are not certain
  std::string why{};
  Time from = 0;   ///< requeued: earliest moment
  Time until = 0;  ///< deleting: end of the grace period; requeued: latest moment; 0: none
};

/// How the play leaves a pod that was to be placed.
struct End {
  enum class Kind : std::uint8_t {
    bound,
    evicted,  ///< was bound, and had to leave for another
    waits,    ///< victims of its preemption have not gone, or calls are under way
    stuck,    ///< room is there, or may be, and nothing brings it back into the queue by itself
    unschedulable,
    pending,  ///< not tried yet when the play ends
    gated,
    deleting,
    finished,       ///< ran as long as it had to
    removed,        ///< deleted by its controller, which has given up
    not_simulated,  ///< waits for another scheduler, or hangs on what the input does not hold
    error
  };

  PodId pod{};
  std::string name{};  ///< `NAMESPACE/NAME`
  Kind kind = Kind::unschedulable;
  NodeId node{};  ///< bound there, or nominated to it
  Time at = 0;    ///< when it came to this
  std::size_t attempts = 0;
  std::vector<PodId> victims{};        ///< deleted for its sake; new pods among them are those of this play only
  std::vector<std::string> deleted{};  ///< their names
  std::string why{};
  std::string after{};   ///< in whose place a controller made it; empty: it is none of the new ones
  bool leaving = false;  ///< of a new pod that is bound: it is being deleted
};
[[nodiscard]] auto end_name(End::Kind kind) -> std::string_view;

/// A pod that came into being in a play. Its id stands behind those of the input, in the order of creation.
struct NewPod {
  Pod pod{};      ///< as it was created
  PodId after{};  ///< in whose place it was made; none: it is another one like `like`
  PodId like{};   ///< the pod of the input from which it descends
};

/// A pod on its node, from when it ran until its deletion began or it ended.
struct Run {
  enum class Ending : std::uint8_t { evicted, finished, goes_on } ending = Ending::goes_on;
  PodId pod{};
  std::optional<Time> from{};  ///< before 0: it ran when the play began; none: so it did, and since when is not known
  Time until = 0;

  [[nodiscard]] auto began_in_play() const -> bool { return from && *from >= 0; }
  [[nodiscard]] auto length() const -> std::optional<Time> { return from ? std::optional(until - *from) : from; }
};

/// The state of the cluster comes back, up to the names of pods: from here on the same happens over and over.
struct Circle {
  Time from = 0;
  Time period = 0;
  /// How many of Play::runs had ended when the circle, and when the last round of it that was played, began. What ended
  /// in that round began in the circle, too. (By the moment alone it is not told: more may end at the very moment at
  /// which the state is seen.)
  std::size_t runs_before = 0;
  std::size_t runs_before_last = 0;
};

/// What kube-scheduler's own counters would show of a play, and how fast its preemption was.
/// Source: kubernetes v1.35 pkg/scheduler/metrics/metrics.go; observed in schedule_one.go,
/// framework/plugins/defaultpreemption, framework/preemption.
struct Metrics {
  std::size_t scheduled = 0;  ///< schedule_attempts_total, by result
  std::size_t unschedulable = 0;
  std::size_t error = 0;
  std::size_t preemption_attempts = 0;   ///< preemption_attempts_total
  std::size_t preemptions = 0;           ///< cycles that decided for victims
  std::vector<std::size_t> victims{};    ///< preemption_victims: its observations
  std::size_t goroutines_succeeded = 0;  ///< asynchronous preemptions that ended, by how they did
  std::size_t goroutines_failed = 0;
  Time goroutines_took = 0;
  bool goroutines_count_by_result = false;  ///< preemption_goroutines_* of this release say so
  std::size_t synchronous_succeeded = 0;    ///< preemptions within their cycle
  std::size_t synchronous_failed = 0;
  Time first_preemption = kNever;    ///< when the first cycle decided for victims …
  Time last_preemption = 0;          ///< … and the last one
  std::vector<Time> time_to_bind{};  ///< of each preemptor that was bound: since its first attempt decided for victims

  /// Preemptions that have ended, and those of them in which a call failed.
  [[nodiscard]] auto ended() const -> std::size_t {
    return goroutines_succeeded + goroutines_failed + synchronous_succeeded + synchronous_failed;
  }
  [[nodiscard]] auto failed() const -> std::size_t { return goroutines_failed + synchronous_failed; }
};

/// One course of events.
struct Play {
  std::vector<Step> steps{};    ///< in order of time
  std::vector<End> ends{};      ///< one a pending pod, in queue order; then the new pods that are left in the end
  std::size_t pods_before = 0;  ///< of the input: ids from here on are those of `created`
  std::vector<NewPod> created{};
  std::vector<Run> runs{};         ///< in order of their ends
  std::optional<Circle> circle{};  ///< the play ends where it closes
  Time length = 0;                 ///< when nothing more happens, or the horizon
  bool cut = false;                ///< the horizon came first, or
  bool too_much = false;           ///< Settings::most_steps did, or most_work
  std::uint64_t work = 0;       ///< pods and nodes that decisions looked at, each decision counted as 20 more of them
  bool asynchronous = true;     ///< preemptions make their calls beside the scheduling thread
  bool has_other_mode = false;  ///< they could do so otherwise; PreemptionToleration has one way
  std::set<PodId> node_open{};  ///< pods that fit on several nodes and might get another one of them
  bool likeliest = false;       ///< of some, a sample of the nodes decides that, or something that is not known
  bool among_many = false;      ///< a choice was among more than two nodes: courses take the first and last
  /// Pods of equal priority that are in the queue at the start, by priority: in which order they are tried is not
  /// known. Pods that stand for each other are one list.
  std::vector<std::vector<std::vector<PodId>>> equals{};
  Metrics metrics{};
  bool asynchronous_calls = false;  ///< SchedulerAsyncAPICalls is on, which is not played
  std::vector<Gap> assumed{};       ///< what is not known of controllers that had something to do

  /// A pod of the play, or of the input.
  [[nodiscard]] auto pod(PodId id, const Snapshot& cluster) const -> const Pod& {
    return id.index < pods_before ? cluster.pod(id) : created[id.index - pods_before].pod;
  }
  /// The pod of the input from which it descends, or it itself.
  [[nodiscard]] auto root(PodId id, const Snapshot& cluster) const -> const Pod& {
    return cluster.pod(id.index < pods_before ? id : created[id.index - pods_before].like);
  }
  /// `NAMESPACE/NAME`
  [[nodiscard]] auto key(PodId id, const Snapshot& cluster) const -> std::string;
};

/// One of the ways a race can end, and what it depends on.
struct Ending {
  std::vector<End> ends{};
  std::string when{};       ///< in words
  std::size_t courses = 0;  ///< how many of the courses that were played end so
  Time length = 0;
  bool by_order = false;  ///< of the order in which pods of equal priority are tried
};

/// How long those pods wait until they are bound that the play is about: that are pending at the start, that arrive, or
/// that come again and again.
struct Waits {
  std::vector<Time> bound{};  ///< of those that were bound, in the order in which they were
  Time longest = 0;           ///< of these
  Time still = 0;             ///< the longest of those that wait when the play is cut
  std::size_t forever = 0;    ///< pods that are never bound

  /// `5m30.007s`, `over 1h0m0s`, `2s, 1 never`
  [[nodiscard]] auto words() const -> std::string;
};

/// What comes of preemptors that arrive one after another, so many a second.
struct OfRate {
  double per_second = 0;
  bool asynchronous = true;
  Metrics metrics{};
  Waits waits{};
};

/// What came of failures by rate with one seed.
struct OfSeed {
  std::uint64_t seed = 0;
  std::size_t preemptions = 0;  ///< that have ended
  std::size_t failed = 0;       ///< of these
  std::size_t evicted = 0;      ///< pods
  std::size_t bound = 0;        ///< pods that were pending, or came
  Time length = 0;
};

/// A scheduler's future.
struct Sequence {
  std::string engine{};
  std::string behaves{};
  Play play{};                    ///< the course of events if calls are made in the order in which they are listed
  std::vector<Ending> endings{};  ///< all that were found, that of `play` first; one: no race was found
  std::size_t courses = 1;
  bool more_orders = false;    ///< pods of equal priority may be tried in more orders than were played
  std::size_t unfinished = 0;  ///< courses beside them in which so much happens that they were not played to their end
  /// Synchronous where `play` is asynchronous, and the reverse; if pods are evicted, and the plugin knows both.
  std::optional<Play> other_mode{};
  bool calls_played = false;    ///< calls to the API server take their time, under the client's rate limit
  std::vector<OfSeed> seeds{};  ///< that of `play` first; empty: no call fails by rate
  std::vector<OfRate> rates{};  ///< that are asked for, each in both modes
  std::vector<Gap> gaps{};
};

}  // namespace previct::sequence
