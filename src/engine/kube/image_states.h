#pragma once

#include "cluster/snapshot.h"

#include <span>
#include <vector>

namespace previct::kube {

/// Which nodes hold an image, by each of its names (Snapshot::derived).
/// Source: pkg/scheduler/backend/cache/cache.go addNodeImageStates, v1.35.4.
class ImageStates {
 public:
  explicit ImageStates(const Snapshot& cluster);

  /// As the first node has it that holds an image of that name.
  [[nodiscard]] auto size_of(Symbol name) const -> std::int64_t;
  /// In the order of the input.
  [[nodiscard]] auto nodes_with(Symbol name) const -> std::span<const NodeId>;

  /// What the list of a node leaves open: a kubelet reports no more than 50 images, the largest, and no more than five
  /// names of each. An image that it does not list may be there with this size at most; -1: it is not there.
  /// Source: pkg/kubelet/nodestatus/setters.go Images, MaxNamesPerImageInNodeStatus, v1.35.4.
  [[nodiscard]] auto largest_unlisted(NodeId node) const -> std::int64_t { return largest_unlisted_[node]; }

 private:
  std::vector<std::uint32_t> begin_;  // by symbol; its nodes end where those of the next begin
  std::vector<NodeId> nodes_;
  std::vector<std::int64_t> sizes_;  // by symbol
  IdVector<NodeId, std::int64_t> largest_unlisted_;
};

}  // namespace previct::kube
