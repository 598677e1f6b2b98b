#include "cluster/pod_ends.h"

#include <algorithm>
#include <optional>

namespace previct {
namespace {

auto is_created_again(const Pod& pod, const Snapshot& cluster) -> bool {
  const OwnerReference* const owner = controller_of(pod.meta);
  if (owner == nullptr) return false;
  const std::string_view kind = cluster.text(owner->kind);
  return kind == "StatefulSet" || kind == "DaemonSet";
}

}  // namespace

PodEnds::PodEnds(const Snapshot& cluster) {
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const NodeId node = cluster.node_of(id);
    if (!node || cluster.finished(id)) continue;
    std::optional<Instant> deadline;
    if (pod.spec.active_deadline_seconds && pod.status.start_time) {
      // The API server accepts at most this many seconds.
      deadline = pod.status.start_time->plus_seconds(
          std::clamp<std::int64_t>(*pod.spec.active_deadline_seconds, 0, INT32_MAX));
    }
    if (pod.meta.deleting && (!deadline || *pod.meta.deleting <= *deadline)) {
      const bool again = is_created_again(pod, cluster);
      all_.push_back({id, node, *pod.meta.deleting, again ? PodEnd::By::recreated : PodEnd::By::grace});
    } else if (deadline) {
      all_.push_back({id, node, *deadline, PodEnd::By::deadline});
    }
  }
  std::stable_sort(all_.begin(), all_.end(), [](const PodEnd& a, const PodEnd& b) { return a.at < b.at; });
}

auto PodEnds::after(Instant from) const -> std::span<const PodEnd> {
  const auto first = std::find_if(all_.begin(), all_.end(), [&](const PodEnd& each) { return each.at > from; });
  return {first, all_.end()};
}

}  // namespace previct
