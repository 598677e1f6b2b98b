#pragma once

#include "engine/kai/actions/cycle.h"

#include <cstdint>
#include <memory>

namespace previct::kai {

/// One cycle, decided for one instant. Its parts refer to each other, so it cannot be moved.
struct Decision {
  Decision(const Snapshot& cluster, const Settings& settings, Instant now, Instant first_seen,
           const AssumedGroup* assumed, MapOrder chance)
      : moment(now),
        cluster_info(cluster, settings, moment, assumed),
        start(cluster_info),
        cycle(cluster_info, moment, first_seen, chance) {
    cycle.run();
  }

  /// The cost of the decision: the number of pods and nodes looked at.
  [[nodiscard]] auto work() const -> std::uint64_t {
    const Effort& effort = cycle.effort();
    return cluster_info.tasks().size() + cluster_info.shard_nodes().size() * (1 + effort.simulated) +
           effort.victims_popped;
  }

  Moment moment;  ///< its horizon is the time until which nothing changes by the passing of time alone
  ClusterInfo cluster_info;
  Session start;  ///< the state before the cycle
  Cycle cycle;
};

/// `first_seen`: the time of the question. `now`: the same, or later to look ahead.
[[nodiscard]] inline auto decide(const Snapshot& cluster, const Settings& settings, Instant now, Instant first_seen,
                                 const AssumedGroup* assumed, MapOrder chance = MapOrder())
    -> std::unique_ptr<Decision> {
  return std::make_unique<Decision>(cluster, settings, now, first_seen, assumed, chance);
}

}  // namespace previct::kai
