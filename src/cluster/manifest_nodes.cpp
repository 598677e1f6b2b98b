#include "cluster/manifest_nodes.h"

#include <algorithm>
#include <set>

namespace previct {

ManifestNodes::ManifestNodes(const Snapshot& cluster) {
  const Objects& objects = cluster.objects();
  std::set<Symbol> with_slices;
  for (const ResourceSlice& slice : objects.resource_slices) {
    if (slice.spec.node_name) with_slices.insert(slice.spec.node_name);
  }
  const bool any_limits = std::any_of(objects.csi_nodes.begin(), objects.csi_nodes.end(), [](const CsiNode& each) {
    return std::any_of(each.spec.drivers.begin(), each.spec.drivers.end(),
                       [](const CsiNodeDriver& driver) { return driver.allocatable.count.has_value(); });
  });
  const bool any_dumped =
      std::any_of(objects.nodes.begin(), objects.nodes.end(), [](const Node& node) { return bool{node.meta.uid}; });
  for (const Node& node : objects.nodes) {
    const bool of_manifest = any_dumped && !node.meta.uid;
    no_slices_.push_back(of_manifest && !with_slices.empty() && !with_slices.contains(node.meta.name));
    no_limits_.push_back(of_manifest && any_limits && cluster.csi_node(node.meta.name) == nullptr);
  }
}

}  // namespace previct
