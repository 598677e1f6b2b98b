#pragma once

#include "cluster/snapshot.h"

#include <vector>

namespace previct {

/// The nodes of manifests among those of an API server. What their drivers would publish is not in the input, unless
/// manifests of that are given, too: ResourceSlices and the CSINode.
class ManifestNodes {
 public:
  explicit ManifestNodes(const Snapshot& cluster);

  /// Returns true if the devices that drivers offer on the node alone are not known.
  [[nodiscard]] auto lacks_slices(NodeId node) const -> bool { return no_slices_[node.index]; }
  /// Returns true if the limits on its volumes are not known.
  [[nodiscard]] auto lacks_volume_limits(NodeId node) const -> bool { return no_limits_[node.index]; }

 private:
  std::vector<bool> no_slices_;
  std::vector<bool> no_limits_;
};

}  // namespace previct
