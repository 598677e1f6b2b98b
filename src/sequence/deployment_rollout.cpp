#include "sequence/deployment_rollout.h"

#include <algorithm>
#include <numeric>

namespace previct::sequence {
namespace {

constexpr NumberOrPercent kUsual{25, true};

auto sum_of(const std::vector<RolledSet>& sets, std::int64_t RolledSet::*member) -> std::int64_t {
  return std::accumulate(sets.begin(), sets.end(), std::int64_t{0},
                         [&](std::int64_t sum, const RolledSet& set) { return sum + set.*member; });
}

}  // namespace

auto scaled(NumberOrPercent value, std::int64_t all, bool rounds_up) -> std::int64_t {
  constexpr std::int64_t kWhole = 100;
  if (!value.percent) return value.number;
  return (value.number * all + (rounds_up ? kWhole - 1 : 0)) / kWhole;
}

// If both limits are 0, which only rounding can make them, one pod may be unavailable.
DeploymentRollout::DeploymentRollout(const DeploymentSpec& spec, const Symbols& symbols)
    : replicas_(spec.replicas.value_or(1)), recreates_(symbols.text(spec.strategy.type) == "Recreate") {
  if (recreates_) return;
  const DeploymentRollingUpdate& limits = spec.strategy.rolling_update;
  max_surge_ = scaled(limits.max_surge.value_or(kUsual), replicas_, true);
  max_unavailable_ = scaled(limits.max_unavailable.value_or(kUsual), replicas_, false);
  if (max_surge_ == 0 && max_unavailable_ == 0) max_unavailable_ = 1;
  max_unavailable_ = std::min(max_unavailable_, replicas_);
}

auto DeploymentRollout::synchronize(std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool {
  if (recreates_) return recreate(old_sets, current);
  return scales_up(old_sets, current) || scales_down(old_sets, current);
}

auto DeploymentRollout::scales_up(const std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool {
  const std::int64_t before = current.replicas;
  if (current.replicas > replicas_) {
    current.replicas = replicas_;
  } else {
    const std::int64_t more = most() - sum_of(old_sets, &RolledSet::replicas) - current.replicas;
    if (more > 0) current.replicas += std::min(more, replicas_ - current.replicas);
  }
  return current.replicas != before;
}

// Pods that are not available go first, even if others may not go. An unavailable new pod keeps an old one.
auto DeploymentRollout::scales_down(std::vector<RolledSet>& old_sets, const RolledSet& current) const -> bool {
  const std::int64_t least = replicas_ - max_unavailable_;
  const std::int64_t all = sum_of(old_sets, &RolledSet::replicas) + current.replicas;
  const std::int64_t most = all - least - (current.replicas - current.available);
  if (sum_of(old_sets, &RolledSet::replicas) == 0 || most <= 0) return false;
  std::int64_t unhealthy = 0;
  for (RolledSet& set : old_sets) {
    const std::int64_t deleted = std::clamp<std::int64_t>(set.replicas - set.available, 0, most - unhealthy);
    set.replicas -= deleted;
    unhealthy += deleted;
  }
  const std::int64_t spare = sum_of(old_sets, &RolledSet::available) + current.available - least;
  std::int64_t healthy = 0;
  for (RolledSet& set : old_sets) {
    const std::int64_t deleted = std::clamp<std::int64_t>(spare - healthy, 0, set.replicas);
    set.replicas -= deleted;
    healthy += deleted;
  }
  return unhealthy + healthy > 0;
}

auto DeploymentRollout::recreate(std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool {
  if (sum_of(old_sets, &RolledSet::replicas) > 0) {
    for (RolledSet& set : old_sets) set.replicas = 0;
    return true;
  }
  const bool waits = std::any_of(old_sets.begin(), old_sets.end(), [](const RolledSet& set) { return set.has_pods; });
  if (waits || current.replicas == replicas_) return false;
  current.replicas = replicas_;
  return true;
}

}  // namespace previct::sequence
