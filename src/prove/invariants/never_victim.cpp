#include "prove/invariants/never_victim.h"

#include <algorithm>

namespace previct::prove {

NeverVictim::NeverVictim(const Snapshot& cluster, std::string words, const std::function<bool(PodId)>& is_meant)
    : cluster_(cluster), words_(std::move(words)) {
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.finished(pod) || cluster.pending(pod) || !is_meant(pod)) continue;
    if (cluster.node_of(pod)) {
      pods_.insert(pod);
    } else {
      ++on_unknown_nodes_;
    }
  }
}

auto NeverVictim::pods_on(NodeId node) const -> std::size_t {
  const auto pods = cluster_.pods_on(node);
  return static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [&](PodId pod) { return pods_.contains(pod); }));
}

auto NeverVictim::pods_elsewhere(std::span<const NodeId> nodes) const -> std::size_t {
  std::size_t here = 0;
  for (const NodeId node : nodes) here += pods_on(node);
  return pods_.size() - here + on_unknown_nodes_;
}

auto NeverVictim::holds_among(std::span<const PodId> potential_victims) const -> bool {
  return std::none_of(potential_victims.begin(), potential_victims.end(),
                      [&](PodId pod) { return pods_.contains(pod); });
}

auto NeverVictim::is_broken_by(const Verdict& verdict) const -> bool {
  const std::vector<PodId> victims = possible_victims(verdict);
  return !holds_among(victims);
}

}  // namespace previct::prove
