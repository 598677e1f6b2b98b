#pragma once

#include "engine/kube/filter.h"
#include "engine/yunikorn/partition_context.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace previct::yunikorn {

/// Does a node suit a pod? YuniKorn asks kube-scheduler's own filters, and so does previct; they see every pod of a
/// node, also those that the core does not know. For one waiting pod, which is read once.
/// Source: apache/yunikorn-k8shim 1.9 pkg/plugin/predicates/predicate_manager.go, with the filters of Kubernetes 1.35.
class Predicates {
 public:
  /// `volumes_everywhere`: every node reaches the pod's volumes, whatever the input holds of them.
  Predicates(const PartitionContext& core, PodId pod, bool volumes_everywhere = false);

  /// Why a filter says no; none if all let the pod pass.
  using Refusal = std::optional<kube::Reason>;

  /// Before it is placed: all filters.
  [[nodiscard]] auto allocation(NodeId node) -> Refusal { return check(node, Phase::allocation, {}, Leaving::none); }

  /// Before a node is reserved for it, or before it takes a placeholder's place: neither room nor volumes count.
  [[nodiscard]] auto reservation(NodeId node) -> Refusal { return check(node, Phase::reservation, {}, Leaving::none); }

  /// With victims of the node gone as a preemption tries it: what was counted across the cluster beforehand stays, so
  /// that no affinity, no spread and no ReadWriteOncePod claim is ever cured by preempting.
  [[nodiscard]] auto preemption(NodeId node, std::span<const PodId> victims) -> Refusal {
    return check(node, Phase::allocation, victims, Leaving::vacates);
  }

  /// With victims of the node really gone.
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
