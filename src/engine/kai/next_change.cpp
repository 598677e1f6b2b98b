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

auto is_of_terminating(const PodEnd& end) -> bool {
  return end.by == PodEnd::By::grace || end.by == PodEnd::By::recreated;
}

/// The ends of pods on nodes of the shard, earliest first; those of pods that are not terminating only for a pending
/// group.
auto ends_in_shard(const Explained& e) -> std::vector<PodEnd> {
  std::vector<bool> in_shard(e.cluster.nodes().size(), false);
  for (const ShardNodeId id : e.cluster_info().shard_nodes().ids())
    in_shard[e.cluster_info().shard_nodes()[id].node.index] = true;
  const bool pending = fate_of(e.decision, e.subject).outcome == Outcome::pending;
  std::vector<PodEnd> ends = ends_after(e.cluster, e.question.now);
  std::erase_if(ends,
                [&](const PodEnd& end) { return !in_shard[end.node.index] || !(pending || is_of_terminating(end)); });
  return ends;
}

}  // namespace

auto next_change(Cycles& cycles, const Explained& e) -> NextChange {
  const std::string now = fate_key(e.decision, e.subject);
  const std::vector<PodEnd> all = ends_in_shard(e);
  std::span<const PodEnd> ends = all;
  std::shared_ptr<Later> later;
  std::vector<PodId> left;
  bool certain = true;     // false: a pod is gone whose controller may create another one
  std::uint64_t work = 0;  // pods looked at
  Instant horizon = e.decision.moment.horizon();
  for (std::size_t tried = 0;; ++tried) {
    const Instant at = ends.empty() ? horizon : std::min(horizon, ends.front().at);
    if (at.is_never()) return {};
    if (tried == kMostInstants || work > kMostWork) return {at, nullptr, tried, std::move(left), {}};
    std::optional<PodEnd> last;
    for (; !ends.empty() && ends.front().at <= at; ends = ends.subspan(1)) {
      last = ends.front();
      if (last->by == PodEnd::By::recreated) return {at, nullptr, tried, std::move(left), last};
      if (later == nullptr) later = std::make_shared<Later>(e.cluster);
      later->changed.evict(last->pod);
      certain = certain && last->by == PodEnd::By::grace;
      if (last->by == PodEnd::By::grace) left.push_back(last->pod);
    }
    auto then = later == nullptr ? cycles.look_ahead(at) : Later::decide_at(later, cycles, at);
    if (fate_key(*then, e.subject) != now) {
      if (!certain) return {at, nullptr, tried, std::move(left), last};
      return {at, std::move(then), tried, std::move(left), {}};
    }
    work += then->cluster_info.tasks().size() + then->cycle.effort().victims_popped;
    horizon = then->moment.horizon();
  }
}

}  // namespace previct::kai
