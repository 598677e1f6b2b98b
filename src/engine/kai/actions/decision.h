#pragma once

#include "engine/kai/actions/cycle.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace previct::kai {

/// Whether a group can be a victim of the group asked about: `candidate`, or the reason why not, from the action that
/// considers its queue.
struct Standing {
  Action action;
  Rule rule;
  Shield shield;
};
struct GroupStanding {
  GroupId group;
  Standing standing;
};

/// The standings of all groups for the last group asked about. They are the same for a group alike in these.
struct LastStandings {
  QueueId queue;
  std::int32_t priority = 0;
  Ask need{};
  Instant now;
  std::shared_ptr<const std::vector<GroupStanding>> all;  ///< null: none asked about
};

/// What a shard's scheduler sees at one time: decisions that differ only in map orders share it.
struct ShardState {
  ShardState(const Snapshot& cluster, const Settings& settings, Instant now, const AssumedGroup* assumed)
      : moment(now), cluster_info(cluster, settings, moment, assumed) {}
  ShardState(const ShardState&) = delete;
  auto operator=(const ShardState&) -> ShardState& = delete;

  /// Returns the number of pending pods that need a ConfigMap that the input does not contain.
  [[nodiscard]] auto pods_without_config_map() const -> std::size_t;

  Moment moment;
  ClusterInfo cluster_info;

 private:
  mutable std::optional<std::size_t> pods_without_config_map_;
};

/// One cycle, decided for one instant. Its parts refer to each other, so it cannot be moved.
struct Decision {
  Decision(std::shared_ptr<const ShardState> of, Instant first_seen, MapOrder chance)
      : state(std::move(of)),
        moment(state->moment),
        cluster_info(state->cluster_info),
        cycle(cluster_info, moment, first_seen, chance) {
    cycle.run();
  }
  Decision(const Decision&) = delete;
  auto operator=(const Decision&) -> Decision& = delete;

  /// The cost of the decision: the number of pods and nodes looked at.
  [[nodiscard]] auto work() const -> std::uint64_t {
    const Effort& effort = cycle.effort();
    return cluster_info.tasks().size() + cluster_info.shard_nodes().size() * (1 + effort.simulated) +
           effort.victims_popped;
  }

  /// The state before the cycle; nothing of it changes but what it keeps computed.
  [[nodiscard]] auto start() const -> Session& {
    if (start_ == nullptr) start_ = std::make_unique<Session>(cluster_info);
    return *start_;
  }
  [[nodiscard]] auto last_standings() const -> LastStandings& { return last_standings_; }

  std::shared_ptr<const ShardState> state;
  Moment moment;  ///< its horizon is the time until which nothing changes by the passing of time alone
  const ClusterInfo& cluster_info;
  Cycle cycle;

 private:
  mutable std::unique_ptr<Session> start_;
  mutable LastStandings last_standings_;
};

/// `first_seen`: the time of the question. `now`: the same, or later to look ahead.
[[nodiscard]] inline auto decide(const Snapshot& cluster, const Settings& settings, Instant now, Instant first_seen,
                                 const AssumedGroup* assumed) -> std::unique_ptr<Decision> {
  return std::make_unique<Decision>(std::make_shared<ShardState>(cluster, settings, now, assumed), first_seen,
                                    MapOrder());
}

}  // namespace previct::kai
