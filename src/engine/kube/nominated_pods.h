#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <span>
#include <vector>

namespace previct::kube {

/// The nominated pods that count for an incoming pod, by node. Most attempts have none.
class NominatedPods {
 public:
  explicit NominatedPods(std::size_t nodes) : nodes_(nodes) {}

  void add(NodeId node, const PodInfo& pod) {
    if (on_node_.empty()) on_node_ = IdVector<NodeId, std::vector<PodInfo>>(nodes_);
    on_node_[node].push_back(pod);
  }
  /// Returns the nodes that may have some: all, or none if there are no such pods.
  [[nodiscard]] auto nodes() const -> IdVector<NodeId, std::vector<PodInfo>>::Ids { return on_node_.ids(); }
  [[nodiscard]] auto operator[](NodeId node) const -> std::span<const PodInfo> {
    return on_node_.empty() ? std::span<const PodInfo>() : std::span<const PodInfo>(on_node_[node]);
  }

 private:
  std::size_t nodes_;
  IdVector<NodeId, std::vector<PodInfo>> on_node_;
};

}  // namespace previct::kube
