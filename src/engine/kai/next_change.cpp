#include "cluster/changed_cluster.h"
#include "cluster/pod_ends.h"
#include "engine/kai/account.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace previct::kai {
namespace {

// Limits of the look-ahead: the times tried, and the work of all cycles together.
constexpr std::size_t kMostInstants = 60;
constexpr std::uint64_t kMostWork = 200'000;

/// The cluster after terminating pods have left it, and the cycle that is next then.
struct Later {
  explicit Later(const Snapshot& cluster) : objects(cluster.objects()), changed(objects) {}

  // The owner of the decision keeps all that it refers to.
  static auto decide_at(const std::shared_ptr<Later>& later, const Cycles& now, Instant at)
      -> std::shared_ptr<const Decision> {
    later->cycles.reset();
    later->snapshot.emplace(later->objects);
    later->cycles = now.later(*later->snapshot, at);
    return {later, &later->cycles->in_order(0)};
  }

  Objects objects;  // a copy: the answer refers to the cluster of the question as well
  ChangedCluster changed;
  std::optional<Snapshot> snapshot;
  std::unique_ptr<Cycles> cycles;
};

/// The ends of terminating pods on nodes of the shard, earliest first. Deadlines are not looked for.
auto ends_in_shard(const Explained& e) -> std::vector<PodEnd> {
  std::vector<bool> in_shard(e.cluster.nodes().size(), false);
  for (const ShardNodeId id : e.cluster_info().shard_nodes().ids())
    in_shard[e.cluster_info().shard_nodes()[id].node.index] = true;
  std::vector<PodEnd> ends;
  for (const PodEnd& end : e.cluster.derived<PodEnds>().after(e.question.now)) {
    if (!end.is_deadline() && in_shard[end.node.index]) ends.push_back(end);
  }
  return ends;
}

}  // namespace

auto next_change(Cycles& cycles, const Explained& e) -> NextChange {
  const std::string now = fate_key(e.decision, e.subject);
  const std::vector<PodEnd> all = ends_in_shard(e);
  std::span<const PodEnd> ends = all;
  std::shared_ptr<Later> later;
  std::vector<PodId> left;
  std::uint64_t work = 0;  // pods looked at
  Instant horizon = e.decision.moment.horizon();
  for (std::size_t tried = 0;; ++tried) {
    const Instant at = ends.empty() ? horizon : std::min(horizon, ends.front().at);
    if (at.is_never()) return {};
    if (tried == kMostInstants || work > kMostWork) return {at, nullptr, tried, std::move(left), {}};
    for (; !ends.empty() && ends.front().at <= at; ends = ends.subspan(1)) {
      const PodEnd& end = ends.front();
      if (end.by == PodEnd::By::recreated) return {at, nullptr, tried, std::move(left), end.pod};
      if (later == nullptr) later = std::make_shared<Later>(e.cluster);
      later->changed.evict(end.pod);
      left.push_back(end.pod);
    }
    auto then = later == nullptr ? cycles.look_ahead(at) : Later::decide_at(later, cycles, at);
    if (fate_key(*then, e.subject) != now) return {at, std::move(then), tried, std::move(left), {}};
    work += then->cluster_info.tasks().size() + then->cycle.effort().victims_popped;
    horizon = then->moment.horizon();
  }
}

}  // namespace previct::kai
