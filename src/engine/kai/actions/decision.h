#pragma once

#include "engine/kai/actions/cycle.h"

#include <cstdint>
#include <memory>

namespace previct::kai {

/// One cycle decided for one instant. Parts refer to each other, so it stays where it was made.
struct Decision {
  Decision(const Snapshot& cluster, const Settings& settings, Instant now, Instant first_seen,
           const AssumedGroup* assumed, Chance chance)
      : moment(now),
        cluster_info(cluster, settings, moment, assumed),
        start(cluster_info),
        cycle(cluster_info, moment, first_seen, chance) {
    cycle.run();
  }

  /// How much it took: pods and nodes looked at.
  [[nodiscard]] auto work() const -> std::uint64_t {
    const Effort& effort = cycle.effort();
    return cluster_info.tasks().size() + cluster_info.shard_nodes().size() * (1 + effort.simulated) +
           effort.victims_popped;
  }

  Moment moment;  ///< its horizon: up to when nothing changes by time alone
  ClusterInfo cluster_info;
  Session start;  ///< nothing has happened in it
  Cycle cycle;
};

/// `first_seen`: when the question was asked; `now` is that or, to look ahead, later.
[[nodiscard]] inline auto decide(const Snapshot& cluster, const Settings& settings, Instant now, Instant first_seen,
                                 const AssumedGroup* assumed, Chance chance = Chance()) -> std::unique_ptr<Decision> {
  return std::make_unique<Decision>(cluster, settings, now, first_seen, assumed, chance);
}

}  // namespace previct::kai
