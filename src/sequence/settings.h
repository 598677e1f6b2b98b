#pragma once

#include "engine/engine.h"
#include "engine/kube/client_limits.h"
#include "sequence/makers.h"
#include "sequence/play.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::sequence {

/// A call to the API server that is to go wrong.
struct Failure {
  enum class Verb : std::uint8_t { remove, mark, nominate, any } verb = Verb::any;
  PodId pod{};    ///< none for `any`
  Time from = 0;  ///< `any`: every call in [from, until) fails, as if the server refused connections
  Time until = 0;
  std::uint32_t per_million = 0;  ///< so many of all such calls fail, of any pod; 0: what is said above
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

/// Pods that end by themselves after they have run so long.
struct Lasting {
  std::string pods{};  ///< `NAMESPACE/NAME` or `NAME`, which may end with `*`
  Time length = 0;
};

/// Reads `train-*=15m`. `flag` is named if it is none.
[[nodiscard]] auto read_lasting(std::string_view text, std::string_view flag) -> Result<Lasting>;

/// Does the name, or the name with its namespace, match?
[[nodiscard]] auto matches(const Lasting& lasting, std::string_view ns, std::string_view name) -> bool;

/// A pod like this one comes again and again, as a CronJob makes them.
struct Recurring {
  PodId pod{};
  Time every = 0;
};

/// Reads `NS/POD=10m`.
[[nodiscard]] auto read_recurring(std::string_view text, const Snapshot& cluster) -> Result<Recurring>;

/// How many pods and nodes the decisions of one play may look at (Play::work) in a cluster of so many, so that it ends
/// in seconds.
[[nodiscard]] constexpr auto work_limit(std::size_t pods_and_nodes) -> std::uint64_t {
  return 4'000'000 + 2'000 * std::uint64_t{pods_and_nodes};
}

/// How the play is set up. Times are the play's own.
struct Settings {
  Question question{};              ///< engine options and the moment at which the play begins; its subject is not used
  std::vector<PodId> pods{};        ///< the pending pods that take part
  std::vector<Arrival> arrivals{};  ///< of some of them; the others are there from the beginning
  std::vector<Failure> failures{};
  std::uint64_t seed = 1;       ///< which calls those are that fail by rate
  std::vector<double> rates{};  ///< also compare both modes of preemption with so many of the pods arriving a second
  std::vector<Lasting> lasting{};
  std::vector<Recurring> recurring{};
  std::vector<Lasting> epochs{};  ///< how long a run must be for its work to count
  Makers makers{};
  bool controllers = false;             ///< victims are made again by what made them
  Time api_latency = 5 * kMillisecond;  ///< from leaving the client to being in effect and answered
  kube::Pace pace{};
  Time cycle_time = 2 * kMillisecond;  ///< one scheduling cycle
  bool to_the_horizon = false;  ///< it is asked for: attempts in vain count until then, though nothing happens any more
  Time horizon = 3600 * kSecond;
  std::size_t most_steps = 100'000;  ///< the play is cut behind them: pods that have no grace may come and go for ever
  std::uint64_t most_work = work_limit(0);  ///< and behind so many pods and nodes looked at: see Play::work
};

/// Do calls fail by rate?
[[nodiscard]] auto fails_by_rate(const Settings& settings) -> bool;

/// Fails if more than 2,000 pods would come by --every within the horizon: such a play would not end in any useful
/// time.
[[nodiscard]] auto check_recurring(const Settings& settings) -> Result<void>;

}  // namespace previct::sequence
