#pragma once

#include "engine/engine.h"
#include "engine/kube/client_limits.h"
#include "engine/kube/node_info_snapshot.h"
#include "sequence/controller_objects.h"
#include "sequence/simulation_result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::sequence {

/// An API server call that is to fail.
struct Failure {
  enum class Verb : std::uint8_t { remove, mark, nominate, any } verb = Verb::any;
  PodId pod{};  ///< none for `any`
  /// `any`: every call in [from, until) fails, as if the server refused connections
  Time from = 0;
  Time until = 0;
  /// this share of all such calls fails, for any pod; 0: the fields above decide
  std::uint32_t per_million = 0;
};

/// Reads `delete:NS/POD`, `patch-status:NS/POD`, `nominate:NS/POD` (the first such call fails), `api:+1s..+20s`, or a
/// rate: `delete:5%`, `api:0.5%`.
[[nodiscard]] auto read_failure(std::string_view text, const Snapshot& cluster) -> Result<Failure>;

struct Arrival {
  PodId pod{};
  Time at = 0;
};

/// Reads `NS/POD=+2s`.
[[nodiscard]] auto read_arrival(std::string_view text, const Snapshot& cluster) -> Result<Arrival>;

/// Pods that end by themselves after they have run for `length`.
struct PodDuration {
  std::string pods{};  ///< `NAMESPACE/NAME` or `NAME`, which may end with `*`
  Time length = 0;
};

/// Reads `train-*=15m`. An error names `flag`.
[[nodiscard]] auto read_lasting(std::string_view text, std::string_view flag) -> Result<PodDuration>;

/// Returns true if the pattern matches the name, or the name with its namespace.
[[nodiscard]] auto matches(const PodDuration& duration, std::string_view ns, std::string_view name) -> bool;

/// A pod like this one is created again and again, as by a CronJob.
struct Recurring {
  PodId pod{};
  Time every = 0;
};

/// Reads `NS/POD=10m`.
[[nodiscard]] auto read_recurring(std::string_view text, const Snapshot& cluster) -> Result<Recurring>;

/// Returns how many pods and nodes the decisions of one simulation may examine (Play::work), given the size of the
/// cluster, so that it ends within seconds.
[[nodiscard]] constexpr auto work_limit(std::size_t pods_and_nodes) -> std::uint64_t {
  return 4'000'000 + 2'000 * std::uint64_t{pods_and_nodes};
}

/// The setup of a simulation. Times are relative to its start.
struct Settings {
  Question question{};              ///< engine options and the start time of the simulation; the subject is not used
  std::vector<PodId> pods{};        ///< the pending pods that take part
  std::vector<Arrival> arrivals{};  ///< of some of these pods; the others exist from the start
  /// Pods that are gone when the simulation begins, because their nodes are lost; the objects lack these nodes.
  std::vector<PodId> lost{};
  /// Running pods that are evicted through the API, in this order, because their nodes are drained; these nodes are
  /// cordoned in the objects.
  std::vector<PodId> drained{};
  /// The requests of pods, which many simulations share; null: each reads them again.
  std::shared_ptr<const kube::NodeInfoSnapshot> requests{};
  std::vector<Failure> failures{};
  std::uint64_t seed = 1;  ///< selects the calls that fail by rate
  /// also compare both modes of preemption with this many of the pods arriving per second
  std::vector<double> rates{};
  std::vector<PodDuration> run_durations{};
  std::vector<Recurring> recurring{};
  std::vector<PodDuration> epochs{};  ///< how long a run must be for its work to count
  ControllerObjects controller_objects{};
  bool controllers = false;             ///< controllers recreate their evicted pods
  Time api_latency = 5 * kMillisecond;  ///< from sending a call until it has taken effect and is answered
  kube::RateLimits pace{};
  Time cycle_time = 2 * kMillisecond;  ///< duration of a scheduling cycle
  /// the horizon was requested: futile attempts count until then, even if nothing else happens
  bool to_the_horizon = false;
  Time horizon = 3600 * kSecond;
  /// the simulation is cut after these: pods without a grace period may come and go forever
  std::size_t most_steps = 100'000;
  std::uint64_t most_work = work_limit(0);  ///< and after this many examined pods and nodes: see Play::work
};

/// Returns true if some calls fail by rate.
[[nodiscard]] auto fails_by_rate(const Settings& settings) -> bool;

/// Reads the requests of pods for all simulations of this cluster, which must outlive the settings. Errors: as for
/// simulate_kube().
[[nodiscard]] auto share_requests(const Snapshot& cluster, Settings& settings) -> Result<void>;

/// Fails if --every would create more than 2,000 pods within the horizon: such a simulation would take too long.
[[nodiscard]] auto check_recurring(const Settings& settings) -> Result<void>;

}  // namespace previct::sequence
