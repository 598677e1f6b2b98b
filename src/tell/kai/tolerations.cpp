#include "tell/kai/tolerations.h"

#include <fmt/format.h>

namespace previct::kai {

auto behaves_words(const Settings& settings) -> std::string {
  return fmt::format("{}, shard {}{}", settings.running.words(), settings.shard,
                     settings.shard_given ? "" : " with default settings");
}

auto resolved_from(const ClusterInfo& cluster_info, const MinRuntimeValue& value) -> std::string {
  if (value.from) return std::string(cluster_info.queue(value.from).name);
  return cluster_info.settings().plugins.min_runtime ? "default of the shard" : "none: plugin minruntime is disabled";
}

auto path_words(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value, QueueId victim)
    -> std::string {
  if (!value.from && !cluster_info.settings().plugins.min_runtime) return resolved_from(cluster_info, value);
  if (!victim || !value.asked_first)
    return fmt::format("{}: the default of the shard, because a queue is missing", go_duration(value.nanos));
  std::string path;
  for (const QueueId queue : cluster_info.queue(victim).path) {
    path += fmt::format("{}{}", path.empty() ? "" : " > ", cluster_info.queue(queue).name);
  }
  const bool lca = action == Action::reclaim && cluster_info.settings().method == ResolveMethod::lca;
  return fmt::format("{} ({}: {}, from {} upward)", resolved_from(cluster_info, value), lca ? "lca" : "queue", path,
                     cluster_info.queue(value.asked_first).name);
}

auto evidence_of_queue(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value)
    -> std::vector<Evidence> {
  if (!value.from || cluster_info.queue(value.from).object == nullptr) return {};
  const TreeQueue& queue = cluster_info.queue(value.from);
  return {{fmt::format("Queue/{}", queue.name),
           action == Action::reclaim ? "spec.reclaimMinRuntime" : "spec.preemptMinRuntime", queue.object->meta.source}};
}

auto evidence_for(const ClusterInfo& cluster_info, Action action, GroupId group, const Shield& shield)
    -> std::vector<Evidence> {
  std::vector<Evidence> out = evidence_of_queue(cluster_info, action, shield.value);
  if (const PodGroup* object = cluster_info.group(group).object; object != nullptr && shield.until) {
    out.push_back({fmt::format("PodGroup/{}", cluster_info.key(group)),
                   "metadata.annotations[kai.scheduler/last-start-timestamp]", object->meta.source});
  }
  return out;
}

}  // namespace previct::kai
