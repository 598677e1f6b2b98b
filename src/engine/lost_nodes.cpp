#include "engine/lost_nodes.h"

#include <set>

namespace previct {

MissingNodes::MissingNodes(const Snapshot& cluster) : listed(cluster.objects().listed.contains("Node")) {
  for (const Node& node : cluster.nodes()) machines = machines || node.status.info.boot_id;
  if (cluster.nodes().empty()) return;
  std::set<Symbol> seen;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const Symbol name = pod.spec.node_name;
    if (!name || cluster.node_of(id) || cluster.finished(id) || pod.meta.deleting) continue;
    if (listed_with_nodes(cluster.objects(), pod.meta.source.file)) continue;
    if (seen.insert(name).second) names.push_back(name);
  }
}

}  // namespace previct
