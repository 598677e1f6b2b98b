#pragma once

#include "base/go.h"
#include "engine/kube/score.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// A pod's request of the resources named in a plugin's arguments, and the amounts of these resources on nodes.
/// Source: plugins/noderesources/resource_allocation.go calculateResourceAllocatableRequest,
/// calculatePodResourceRequest.
class ScoredResources {
 public:
  /// `with_defaults`: count cpu and memory as in scored_request.h.
  ScoredResources(const Incoming& incoming, const std::vector<ResourceWeight>& resources, bool with_defaults);

  struct Amounts {
    std::int64_t before = 0;       ///< requested by the pods on the node
    std::int64_t requested = 0;    ///< requested including the incoming pod
    std::int64_t allocatable = 0;  ///< 0: the resource is ignored on this node
  };
  [[nodiscard]] auto size() const -> std::size_t { return resources_.size(); }
  [[nodiscard]] auto weight(std::size_t i) const -> std::int64_t { return resources_[i].weight; }
  [[nodiscard]] auto on(NodeId node, std::size_t i) const -> Amounts {
    // Without bounds checks: every node that fits is scored for every pod.
    const Resource& resource = resources_.data()[i];
    if (resource.column == nullptr) return {};
    const std::int64_t allocatable = resource.column->allocatable.items().data()[node.index];
    if (allocatable <= 0) return {};
    const std::int64_t before = resource.of_before->used.items().data()[node.index];
    return {before, go::add(before, resource.wanted), allocatable};
  }

  /// Returns true if the pod requests none of them.
  [[nodiscard]] auto nothing_requested() const -> bool;

  /// Returns a gap if some node may offer a resource as devices (DRAExtendedResource), which are not counted here.
  [[nodiscard]] auto doubt() const -> std::optional<Gap>;

 private:
  struct Resource {
    Symbol name;
    std::int64_t weight = 1;
    std::int64_t wanted = 0;
    const ResourceColumn* column = nullptr;     // null: ignored on all nodes
    const ResourceColumn* of_before = nullptr;  // requests of the pods on the node
  };
  const Incoming& incoming_;
  std::vector<Resource> resources_;
};

}  // namespace previct::kube
