#include "engine/population.h"

#include "engine/required_kind.h"
#include "engine/versions.h"

#include <map>

namespace previct {

Population::Population(const Snapshot& cluster)
    : one_by_one(cluster.objects().captures.empty()), read_by_previct(!one_by_one) {
  std::map<FileId, Symbol> namespace_of;
  const Symbol daemon_set = cluster.symbol("DaemonSet");
  auto last_namespace = namespaces.end();  // neighbors often share it, so the search begins there
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const FileId file = pod.meta.source.file;
    read_by_previct = read_by_previct || cluster.objects().files.live(file);
    // A pending pod may have been added to a dump of other namespaces.
    if (pod.spec.node_name) last_namespace = namespaces.insert(last_namespace, pod.meta.ns);
    if (!cluster.node_of(id)) continue;
    ++running;
    if (nodes.size() < 2) nodes.insert(pod.spec.node_name);
    apart = apart || !listed_with_nodes(cluster.objects(), file);
    const OwnerReference* const owner = controller_of(pod.meta);
    daemons = daemons || (daemon_set && owner != nullptr && owner->kind == daemon_set);
    of_running.insert(pod.meta.ns);
    const std::string_view ns = cluster.text(pod.meta.ns);
    by_users += is_platform(ns) ? 0U : 1U;
    of_platform = of_platform || (is_platform(ns) && ns != "default");
    one_by_one = one_by_one && namespace_of.emplace(file, pod.meta.ns).first->second == pod.meta.ns &&
                 !cluster.objects().files.live(file);
  }
  for (const Node& node : cluster.nodes()) {
    used_nodes += node.status.has_been_used() ? 1U : 0U;
    booted = booted || node.status.info.boot_id;
    reported = reported || (node.meta.uid && minor_of(cluster.text(node.status.info.kubelet_version), 1));
    has_run_containers = has_run_containers || !node.status.images.empty();
    of_server = of_server || node.meta.uid;
  }
  lists_namespaces = !lacks(cluster.objects(), kinds::namespaces) && !has_run_containers;
}

auto Population::is_whole(const Snapshot& cluster) const -> bool {
  return lists_namespaces && cluster.objects().listed.contains("Pod");
}

auto no_running_pods(const Snapshot& cluster) -> std::optional<Gap> {
  const auto& all = cluster.derived<Population>();
  if (all.running > 0 || cluster.objects().overlaid.removed_running || cluster.nodes().empty() || all.is_whole(cluster))
    return {};
  return Gap{GapRule::no_running_pods, {}, all.booted || all.reported || may_hold_more(cluster.objects(), kinds::pods)};
}

}  // namespace previct
