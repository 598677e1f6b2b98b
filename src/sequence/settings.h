#pragma once

#include "engine/engine.h"
#include "engine/kube/pace.h"
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
};

/// Reads `delete:NS/POD`, `patch-status:NS/POD`, `nominate:NS/POD` (the first such call fails) or `api:+1s..+20s`.
[[nodiscard]] auto read_failure(std::string_view text, const Snapshot& cluster) -> Result<Failure>;

struct Arrival {
  PodId pod{};
  Time at = 0;
};

/// Reads `NS/POD=+2s`.
[[nodiscard]] auto read_arrival(std::string_view text, const Snapshot& cluster) -> Result<Arrival>;

/// How the play is set up. Times are the play's own.
struct Settings {
  Question question{};              ///< engine options and the moment at which the play begins; its subject is not used
  std::vector<PodId> pods{};        ///< the pending pods that take part
  std::vector<Arrival> arrivals{};  ///< of some of them; the others are there from the beginning
  std::vector<Failure> failures{};
  Time api_latency = 5 * kMillisecond;  ///< from leaving the client to being in effect and answered
  kube::Pace pace{};
  Time cycle_time = 2 * kMillisecond;  ///< one scheduling cycle
  Time horizon = 3600 * kSecond;
};

}  // namespace previct::sequence
