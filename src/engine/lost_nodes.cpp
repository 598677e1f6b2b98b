#include "engine/lost_nodes.h"

#include <set>

namespace previct {
namespace {

auto read_at_once(const Objects& objects) -> bool {
  return objects.files.live(objects.nodes.items().front().meta.source.file) || !objects.captures.empty();
}

// Of several lists behind each other in one file, that of the nodes may be a selection (kubectl get nodes -l …).
auto only_list_in(const Objects& objects, FileId file) -> bool {
  const auto lists = objects.lists.find(file);
  return lists == objects.lists.end() || lists->second == 1;
}

}  // namespace

LostNodes::LostNodes(const Snapshot& cluster) : listed(cluster.objects().listed.contains("Node")) {
  for (const Node& node : cluster.nodes()) machines = machines || node.status.info.boot_id;
  if (cluster.nodes().empty() || read_at_once(cluster.objects())) return;
  const FileId of_nodes = cluster.objects().nodes.items().front().meta.source.file;
  const bool together = listed && only_list_in(cluster.objects(), of_nodes);
  std::set<Symbol> seen;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const Symbol name = pod.spec.node_name;
    if (!name || cluster.node_of(id) || cluster.finished(id) || pod.meta.deleting) continue;
    if (together && pod.meta.source.file == of_nodes) continue;
    if (seen.insert(name).second) names.push_back(name);
  }
}

}  // namespace previct
