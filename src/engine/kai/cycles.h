#pragma once

#include "engine/kai/actions/decision.h"
#include "engine/kai/snapshot/grouper.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

/// The next cycle of one shard at one time, and the same cycle in other orders where upstream depends on map order. All
/// questions about groups of the shard share it.
class Cycles {
 public:
  Cycles(const Snapshot& cluster, Settings of_shard, Instant now, std::optional<AssumedGroup> assumed)
      : settings(std::move(of_shard)), assumed_(std::move(assumed)), cluster_(cluster), now_(now), first_seen_(now) {}
  Cycles(const Cycles&) = delete;
  auto operator=(const Cycles&) -> Cycles& = delete;

  /// Returns the decision for a seed (see Chance); decides it on first use, together with all smaller seeds.
  [[nodiscard]] auto in_order(std::uint64_t seed) -> const Decision&;
  [[nodiscard]] auto now() const -> Instant { return now_; }
  /// Returns the decision in input order of a later time at which the cluster is the same, and keeps it until another
  /// time is asked about.
  [[nodiscard]] auto look_ahead(Instant at) -> std::shared_ptr<const Decision>;
  /// Returns the cycles of the time that look_ahead() was asked about last, for a question about that time; null if it
  /// was asked about another one, or if a question about that time may be decided otherwise.
  [[nodiscard]] auto ahead(Instant at) -> std::shared_ptr<Cycles>;
  /// Returns the cycles of a later time at which the cluster is another one; both must outlive what is returned.
  [[nodiscard]] auto later(const Snapshot& cluster, Instant at) const -> std::unique_ptr<Cycles>;
  /// Returns the total work of all decisions so far.
  [[nodiscard]] auto work() const -> std::uint64_t { return work_; }
  /// Returns the group that the pod-grouper would create for the pod asked about; null if the pod has a group.
  [[nodiscard]] auto assumed() const -> const AssumedGroup* { return assumed_ ? &*assumed_ : nullptr; }

  const Settings settings;

 private:
  std::optional<AssumedGroup> assumed_;
  const Snapshot& cluster_;
  Instant now_;
  Instant first_seen_;
  std::shared_ptr<Cycles> ahead_;            // null: none
  std::shared_ptr<const ShardState> state_;  // null: nothing decided yet
  std::vector<std::unique_ptr<const Decision>> by_seed_;
  std::uint64_t work_ = 0;
  bool looked_ahead_ = false;  // the first decision was not asked for, and is not counted in work_
};

/// The key of a cycle.
struct OfShard {
  std::string shard;               ///< as for effective_settings
  std::string version{};           ///< as for effective_settings
  bool config_maps_exist = false;  ///< as in Settings
  auto operator==(const OfShard&) const -> bool = default;
};

/// Errors: those of check_nesting and effective_settings. Cycles with an assumed group are not cached, because the
/// group is not part of the cluster.
[[nodiscard]] auto cycles_of(const Snapshot& cluster, const OfShard& shard, Instant now,
                             const std::optional<AssumedGroup>& assumed = {}) -> Result<std::shared_ptr<Cycles>>;

}  // namespace previct::kai
