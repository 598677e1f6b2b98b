#pragma once

#include "engine/kube/filter.h"
#include "engine/yunikorn/partition_context.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace previct::yunikorn {

/// Checks whether a node suits a pod. Like YuniKorn, previct runs kube-scheduler's own filters. They see every pod of a
/// node, including those that the core does not know. One instance serves one pending pod, which is read once.
/// Source: apache/yunikorn-k8shim 1.9 pkg/plugin/predicates/predicate_manager.go, with the filters of Kubernetes 1.35.
class Predicates {
 public:
  /// `volumes_everywhere`: assume that every node can reach the pod's volumes, whatever the input says about them.
  Predicates(const PartitionContext& core, PodId pod, bool volumes_everywhere = false);

  /// Why a filter rejects the node; none if all filters pass.
  using Refusal = std::optional<kube::Reason>;

  /// Before the pod is placed: all filters.
  [[nodiscard]] auto allocation(NodeId node) -> Refusal { return check(node, Phase::allocation, {}, Leaving::none); }

  /// Before a node is reserved for the pod, or before it replaces a placeholder: free resources and volumes are not
  /// checked.
  [[nodiscard]] auto reservation(NodeId node) -> Refusal { return check(node, Phase::reservation, {}, Leaving::none); }

  /// With victims of the node removed as a preemption simulates it: what was counted across the cluster beforehand
  /// stays, so preemption never satisfies affinity, topology spread or a ReadWriteOncePod claim.
  [[nodiscard]] auto preemption(NodeId node, std::span<const PodId> victims) -> Refusal {
    return check(node, Phase::allocation, victims, Leaving::vacates);
  }

  /// With victims of the node really removed.
  [[nodiscard]] auto afterwards(NodeId node, std::span<const PodId> victims) -> Refusal {
    return check(node, Phase::allocation, victims, Leaving::is_removed);
  }

 private:
  enum class Phase : std::uint8_t { allocation, reservation };
  enum class Leaving : std::uint8_t { none, vacates, is_removed };

  struct Asked {
    std::unique_ptr<kube::Filter> filter;
    kube::Prepared prepared;
    bool at_reservation = false;
  };

  [[nodiscard]] auto check(NodeId node, Phase phase, std::span<const PodId> victims, Leaving leaving) -> Refusal;
  [[nodiscard]] auto outside(const Asked& asked, NodeId node) const -> Refusal;

  const Snapshot& cluster_;
  kube::NodeInfoSnapshot& core_;
  kube::Incoming incoming_;
  std::vector<Asked> filters_;
};

}  // namespace previct::yunikorn
