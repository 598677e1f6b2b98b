#include "engine/kai/cycles.h"

#include "engine/kai/snapshot/nesting.h"

#include <algorithm>
#include <utility>

namespace previct::kai {
namespace {

// The cycles of the time of the last question.
struct KeptCycles {
  explicit KeptCycles(const Snapshot& /*cluster*/) {}

  std::vector<std::pair<OfShard, std::shared_ptr<Cycles>>> all;
};

}  // namespace

auto ShardState::pods_without_config_map() const -> std::size_t {
  if (pods_without_config_map_) return *pods_without_config_map_;
  std::size_t count = 0;
  for (const Task& task : cluster_info.tasks()) {
    const bool waits = task.status == Status::pending;
    count += waits && !cluster_info.config_maps().missing(cluster_info.cluster().pod(task.pod)).empty() ? 1U : 0U;
  }
  return *(pods_without_config_map_ = count);
}

auto Cycles::in_order(std::uint64_t seed) -> const Decision& {
  while (by_seed_.size() <= seed) {
    if (state_ == nullptr) state_ = std::make_shared<ShardState>(cluster_, settings, now_, assumed());
    by_seed_.push_back(std::make_unique<Decision>(state_, first_seen_, MapOrder(by_seed_.size())));
    work_ += by_seed_.back()->work();
  }
  if (std::exchange(looked_ahead_, false)) work_ += by_seed_.front()->work();
  return *by_seed_[static_cast<std::size_t>(seed)];
}

auto Cycles::look_ahead(Instant at) -> std::shared_ptr<const Decision> {
  ahead_ = std::make_shared<Cycles>(cluster_, settings, at, assumed_);
  ahead_->first_seen_ = now_;
  const Decision& decision = ahead_->in_order(0);
  ahead_->work_ = 0;
  ahead_->looked_ahead_ = true;
  return {ahead_, &decision};
}

auto Cycles::ahead(Instant at) -> std::shared_ptr<Cycles> {
  if (ahead_ == nullptr || ahead_->now_ != at || ahead_->by_seed_.front()->cycle.depends_on_first_seen()) return {};
  ahead_->first_seen_ = at;
  return ahead_;
}

auto Cycles::later(const Snapshot& cluster, Instant at) const -> std::unique_ptr<Cycles> {
  auto cycles = std::make_unique<Cycles>(cluster, settings, at, assumed_);
  cycles->first_seen_ = first_seen_;
  return cycles;
}

auto cycles_of(const Snapshot& cluster, const OfShard& shard, Instant now, const std::optional<AssumedGroup>& assumed)
    -> Result<std::shared_ptr<Cycles>> {
  auto& kept = cluster.derived<KeptCycles>().all;
  if (!assumed) {
    const auto found = std::find_if(kept.begin(), kept.end(),
                                    [&](const auto& each) { return each.first == shard && each.second->now() == now; });
    if (found != kept.end()) return found->second;
    for (auto& [of_shard, cycles] : kept) {
      std::shared_ptr<Cycles> ahead = of_shard == shard ? cycles->ahead(now) : nullptr;
      if (ahead == nullptr) continue;
      cycles = ahead;
      std::erase_if(kept, [&](const auto& each) { return each.second->now() != now; });
      return ahead;
    }
  }
  PREVICT_CHECK(check_nesting(cluster));
  PREVICT_TRY(Settings settings, effective_settings(cluster, shard.shard, shard.version));
  settings.config_maps_exist = shard.config_maps_exist;
  auto cycles = std::make_shared<Cycles>(cluster, std::move(settings), now, assumed);
  if (assumed) return cycles;
  std::erase_if(kept, [&](const auto& each) { return each.second->now() != now; });
  kept.emplace_back(shard, cycles);
  return cycles;
}

}  // namespace previct::kai
