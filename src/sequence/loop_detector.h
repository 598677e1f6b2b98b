#pragma once

#include "input/digest.h"
#include "sequence/simulation_result.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace previct::sequence {

/// The states of a simulation, to detect a loop. The simulation is deterministic, so equal states have equal futures.
class LoopDetector {
 public:
  /// Returns a loop once a state has been seen for the third time: every run that ends in the second round also began
  /// in the loop. `runs` is the number of runs that have ended so far.
  [[nodiscard]] auto see(const std::string& state, Time now, std::size_t runs) -> std::optional<SimulationLoop> {
    return see_digest(sha256_of(state), {now, runs, 0});
  }

  /// The same with a periodic event: it has happened `ticks` times, and `phase` is the time since it was last due. The
  /// phase does not matter as long as the event does not happen.
  [[nodiscard]] auto see(const std::string& state, Time now, std::size_t runs, std::size_t ticks, Time phase)
      -> std::optional<SimulationLoop> {
    const std::string digest = sha256_of(state);
    std::optional<SimulationLoop> in_phase = see_digest(fmt::format("{}*{}", digest, phase), {now, runs, 0});
    std::optional<SimulationLoop> untouched = see_digest(digest, {now, runs, ticks});
    return untouched ? untouched : in_phase;
  }

 private:
  struct Moment {
    Time at = 0;
    std::size_t runs = 0;
    std::size_t ticks = 0;
  };
  struct Seen {
    Moment first{};
    Moment latest{};
    int times = 0;
  };

  auto see_digest(const std::string& digest, Moment now) -> std::optional<SimulationLoop> {
    constexpr std::size_t kMost = 10'000;
    if (seen_.size() >= kMost) return {};
    Seen& seen = seen_[digest];
    if (seen.times > 0 && seen.latest.at == now.at) return {};
    if (seen.latest.ticks != now.ticks) seen.times = 0;
    const Moment before = std::exchange(seen.latest, now);
    if (++seen.times == 1) seen.first = now;
    if (seen.times < 3) return {};
    return SimulationLoop{seen.first.at, now.at - before.at, seen.first.runs, before.runs};
  }

  std::map<std::string, Seen> seen_;  // by digest, because a state lists all pods
};

}  // namespace previct::sequence
