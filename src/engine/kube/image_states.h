#pragma once

#include "cluster/snapshot.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// The nodes that have an image, by each of its names (Snapshot::derived).
/// Source: pkg/scheduler/backend/cache/cache.go addNodeImageStates, v1.35.4.
class ImageStates {
 public:
  explicit ImageStates(const Snapshot& cluster);

  /// Returns the size that the first node with an image of that name reports.
  [[nodiscard]] auto size_of(Symbol name) const -> std::int64_t;
  /// Returns the nodes with the image, in the order of the input.
  [[nodiscard]] auto nodes_with(Symbol name) const -> std::span<const NodeId>;

  /// A kubelet reports at most its 50 largest images, with at most five names each. Returns the largest size that an
  /// image missing from the node's list may have; -1: the list is complete.
  /// Source: pkg/kubelet/nodestatus/setters.go Images, MaxNamesPerImageInNodeStatus, v1.35.4.
  [[nodiscard]] auto largest_unlisted(NodeId node) const -> std::int64_t { return largest_unlisted_[node]; }

 private:
  struct Image {
    std::int64_t size = 0;
    std::vector<NodeId> nodes{};
  };
  std::unordered_map<std::uint32_t, Image> images_;  // by symbol of the name
  IdVector<NodeId, std::int64_t> largest_unlisted_;
};

}  // namespace previct::kube
