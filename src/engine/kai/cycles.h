#pragma once

#include "engine/kai/actions/decision.h"
#include "engine/kai/snapshot/grouper.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

/// The next cycle of one shard at one instant, and the same cycle in other orders of what upstream leaves to chance.
/// All questions about the groups of the shard share it.
class Cycles {
 public:
  Cycles(const Snapshot& cluster, Settings of_shard, Instant now, std::optional<AssumedGroup> assumed)
      : settings(std::move(of_shard)), assumed_(std::move(assumed)), cluster_(cluster), now_(now) {}
  Cycles(const Cycles&) = delete;
  auto operator=(const Cycles&) -> Cycles& = delete;

  /// Decided on first use. `seed` as in Chance; the seeds are asked for in turn.
  [[nodiscard]] auto in_order(std::uint64_t seed) -> const Decision&;
  [[nodiscard]] auto now() const -> Instant { return now_; }
  /// Of all that were decided so far.
  [[nodiscard]] auto work() const -> std::uint64_t { return work_; }
  /// The group that the pod-grouper would make for the pod asked about; null if the pod has one.
  [[nodiscard]] auto assumed() const -> const AssumedGroup* { return assumed_ ? &*assumed_ : nullptr; }

  const Settings settings;

 private:
  std::optional<AssumedGroup> assumed_;
  const Snapshot& cluster_;
  Instant now_;
  std::vector<std::unique_ptr<const Decision>> by_seed_;
  std::uint64_t work_ = 0;
};

/// Whose cycle it is.
struct OfShard {
  std::string shard;               ///< as for effective_settings
  std::string version{};           ///< likewise
  bool config_maps_exist = false;  ///< as in Settings
  auto operator==(const OfShard&) const -> bool = default;
};

/// Errors: as of check_nesting and effective_settings. An assumed group is no part of the cluster, so that its cycles
/// are not kept.
[[nodiscard]] auto cycles_of(const Snapshot& cluster, const OfShard& shard, Instant now,
                             const std::optional<AssumedGroup>& assumed = {}) -> Result<std::shared_ptr<Cycles>>;

}  // namespace previct::kai
