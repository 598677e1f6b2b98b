#include "cluster/taint_eviction.h"

#include "cluster/controlled_pods.h"
#include "cluster/matching.h"

#include <algorithm>

namespace previct {

namespace {

// One for each taint that ends its stay. Of several taints that the pod does not tolerate, the first.
auto limits_of(const Pod& pod, const Node& node, const Snapshot& cluster) -> std::vector<Stay> {
  std::vector<Stay> limits;
  for (const Taint& taint : node.spec.taints) {
    if (taint.effect != cluster.known().no_execute) continue;
    const TaintToleration* used = first_toleration(pod.spec.tolerations, taint, cluster.known(), &cluster.symbols());
    if (used == nullptr) return {{&taint, 0}};
    if (used->seconds) limits.push_back({&taint, std::clamp<std::int64_t>(*used->seconds, 0, INT32_MAX)});
  }
  return limits;
}

auto shortest(const std::vector<Stay>& limits) -> const Stay& {
  return *std::min_element(limits.begin(), limits.end(),
                           [](const Stay& a, const Stay& b) { return a.seconds < b.seconds; });
}

}  // namespace

auto stay_of(const Pod& pod, const Node& node, const Snapshot& cluster) -> std::optional<Stay> {
  const std::vector<Stay> limits = limits_of(pod, node, cluster);
  return limits.empty() ? std::nullopt : std::optional(shortest(limits));
}

namespace {

// The controller sets the time when it sees the pod and the first of these taints. Taints that come later do not change
// it, unless the pod does not tolerate them.
auto eviction_of(PodId id, NodeId node, std::vector<Stay> limits, const Snapshot& cluster, Instant now)
    -> TaintEviction {
  TaintEviction eviction{id, node, shortest(limits).taint, now};
  if (shortest(limits).seconds == 0) return eviction;
  Instant begin = now;
  eviction.since_missing =
      std::any_of(limits.begin(), limits.end(), [](const Stay& each) { return !each.taint->time_added; });
  if (!eviction.since_missing) {
    const auto earliest = std::min_element(limits.begin(), limits.end(), [](const Stay& a, const Stay& b) {
      return *a.taint->time_added < *b.taint->time_added;
    });
    begin = *earliest->taint->time_added;
    if (const auto& started = cluster.pod(id).status.start_time) begin = std::max(begin, *started);
    std::erase_if(limits, [&](const Stay& each) { return begin < *each.taint->time_added; });
    eviction.taint = shortest(limits).taint;
  }
  eviction.at = std::max(now, begin.plus_seconds(shortest(limits).seconds));
  return eviction;
}

// Those with a NoExecute taint, found once for all answers.
struct NodesThatEvict {
  explicit NodesThatEvict(const Snapshot& cluster) {
    const auto executes = [&](const Taint& taint) { return taint.effect == cluster.known().no_execute; };
    for (const NodeId id : cluster.nodes().ids()) {
      const auto& taints = cluster.node(id).spec.taints;
      if (std::any_of(taints.begin(), taints.end(), executes)) nodes.push_back(id);
    }
  }
  std::vector<NodeId> nodes;
};

}  // namespace

auto taint_evictions(const Snapshot& cluster, Instant now) -> std::vector<TaintEviction> {
  std::vector<TaintEviction> all;
  for (const NodeId id : cluster.derived<NodesThatEvict>().nodes) {
    const Node& node = cluster.node(id);
    for (const PodId each : cluster.pods_on(id)) {
      const Pod& pod = cluster.pod(each);
      const OwnerReference* owner = controller_of(pod.meta);
      if (pod.meta.deleting || (owner != nullptr && cluster.text(owner->kind) == kinds::nodes.name)) continue;
      std::vector<Stay> limits = limits_of(pod, node, cluster);
      if (!limits.empty()) all.push_back(eviction_of(each, id, std::move(limits), cluster, now));
    }
  }
  return all;
}

namespace {

auto has_taint(const Node& node, std::string_view name, const Snapshot& cluster) -> bool {
  const Symbol key = cluster.symbol(name);
  return key && std::any_of(node.spec.taints.begin(), node.spec.taints.end(),
                            [&](const Taint& taint) { return taint.key == key; });
}

auto is_not_ready(const Node& node, const Snapshot& cluster) -> bool {
  const auto& conditions = node.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [&](const NodeCondition& each) {
    return cluster.text(each.type) == "Ready" && cluster.text(each.status) != "True";
  });
}

}  // namespace

auto is_unreachable(const Node& node, const Snapshot& cluster) -> bool {
  return has_taint(node, "node.kubernetes.io/unreachable", cluster);
}

auto is_out_of_service(const Node& node, const Snapshot& cluster) -> bool {
  return has_taint(node, "node.kubernetes.io/out-of-service", cluster) &&
         (is_not_ready(node, cluster) || is_unreachable(node, cluster));
}

auto awaits_taint(const Node& node, const Snapshot& cluster) -> bool {
  return is_not_ready(node, cluster) && !is_unreachable(node, cluster) &&
         !has_taint(node, "node.kubernetes.io/not-ready", cluster);
}

}  // namespace previct
