#pragma once

#include "base/id.h"
#include "base/instant.h"
#include "tell/answer.h"

#include <string>
#include <vector>

/// What happens after a decision: the next cycles of a scheduler, played forward from a dump.
namespace previct::sequence {

/// Nanoseconds since the play began.
using Time = std::int64_t;
constexpr Time kSecond = 1'000'000'000;
constexpr Time kMillisecond = 1'000'000;
constexpr Time kNever = INT64_MAX;

/// How long after `start` it is `at` (negative: before it), a hundred years at most, which is for ever in a play.
[[nodiscard]] auto since(Instant start, Instant at) -> Time;

/// One thing that happens. What the API server shows is told apart from what only the scheduler knows.
enum class What : std::uint8_t {
  arrives,      ///< a pod is created
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
  call_failed,  ///< an API call came back with an error
  takes,        ///< a cycle finds room; from here on the scheduler counts the pod on the node
  bound         ///< the API server has the pod on the node
};
[[nodiscard]] auto what_name(What what) -> std::string_view;

struct Step {
  Time at = 0;
  What what = What::arrives;
  PodId pod{};                   ///< whom it happens to
  NodeId node{};                 ///< none if no node is concerned
  PodId by{};                    ///< for whose sake; none if for its own
  std::vector<PodId> victims{};  ///< preempts: most important first; pods that were terminating already included
  std::string why{};
  Time until = 0;  ///< deleting: end of the grace period; requeued: latest moment; 0: none
};

/// How the play leaves a pod that was to be placed.
struct End {
  enum class Kind : std::uint8_t {
    bound,
    evicted,  ///< was bound, and had to go for another
    waits,    ///< victims of its preemption have not gone, or calls are under way
    stuck,    ///< room is there, or may be, and nothing brings it back into the queue by itself
    unschedulable,
    gated,
    deleting,
    error
  };

  PodId pod{};
  Kind kind = Kind::unschedulable;
  NodeId node{};  ///< bound there, or nominated to it
  Time at = 0;    ///< when it came to this
  std::size_t attempts = 0;
  std::vector<PodId> victims{};  ///< deleted for its sake
  std::string why{};
};
[[nodiscard]] auto end_name(End::Kind kind) -> std::string_view;

/// One course of events.
struct Play {
  std::vector<Step> steps{};  ///< in order of time
  std::vector<End> ends{};    ///< one a pending pod, in queue order
  Time length = 0;            ///< when nothing more happens, or the horizon
  bool cut = false;           ///< the horizon came first
  bool scored = false;        ///< some pod had several nodes to go to, where upstream's scores decide
};

/// One of the ways a race can end, and what it depends on.
struct Ending {
  std::vector<End> ends{};
  std::string when{};       ///< in words
  std::size_t courses = 0;  ///< how many of the courses that were played end so
  Time length = 0;
};

/// A scheduler's future.
struct Sequence {
  std::string engine{};
  std::string behaves{};
  Play play{};                    ///< the course of events if calls are made in the order in which they are listed
  std::vector<Ending> endings{};  ///< all that were found, that of `play` first; one: no race was found
  std::size_t courses = 1;
  bool calls_played = false;  ///< calls to the API server take their time, under the client's rate limit
  std::vector<Gap> gaps{};
};

}  // namespace previct::sequence
