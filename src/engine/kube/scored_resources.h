#pragma once

#include "engine/kube/score.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// What a pod requests of the resources that a plugin's arguments name, and what nodes have of them.
/// Source: plugins/noderesources/resource_allocation.go calculateResourceAllocatableRequest,
/// calculatePodResourceRequest.
class ScoredResources {
 public:
  /// `with_defaults`: cpu and memory as scored_request.h counts them.
  ScoredResources(const Incoming& incoming, const std::vector<ResourceWeight>& resources, bool with_defaults);

  struct Amounts {
    std::int64_t before = 0;       ///< requested by the node's pods
    std::int64_t requested = 0;    ///< with the incoming one
    std::int64_t allocatable = 0;  ///< 0: the resource is left out there
  };
  [[nodiscard]] auto size() const -> std::size_t { return resources_.size(); }
  [[nodiscard]] auto weight(std::size_t i) const -> std::int64_t { return resources_[i].weight; }
  [[nodiscard]] auto on(NodeId node, std::size_t i) const -> Amounts;

  /// The pod requests none of them.
  [[nodiscard]] auto nothing_requested() const -> bool;

  /// Some node may have a resource as devices (DRAExtendedResource), of which nothing is counted here.
  [[nodiscard]] auto doubt() const -> std::optional<Gap>;

 private:
  struct Resource {
    Symbol name;
    std::int64_t weight = 1;
    std::int64_t wanted = 0;
    const ResourceColumn* column = nullptr;     // null: left out everywhere
    const ResourceColumn* of_before = nullptr;  // what the node's pods request
  };
  const Incoming& incoming_;
  std::vector<Resource> resources_;
};

}  // namespace previct::kube
