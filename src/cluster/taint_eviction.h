#pragma once

#include "cluster/snapshot.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

/// Which pods the taint eviction controller deletes, and when.
/// Source: kubernetes pkg/controller/tainteviction/taint_eviction.go processPodOnNode, getMinTolerationTime, v1.35.
namespace previct {

/// How long a pod may stay on a node with NoExecute taints.
struct Stay {
  const Taint* taint = nullptr;  ///< the taint that ends it
  std::int64_t seconds = 0;      ///< from the moment at which the controller sees the pod there; 0: it ends at once
};
/// Of a pod that comes to the node; none: as long as it runs. Of the tolerations, the first that tolerates a taint
/// counts for it.
[[nodiscard]] auto stay_of(const Pod& pod, const Node& node, const Snapshot& cluster) -> std::optional<Stay>;

/// The deletion of a running pod that is still to come.
struct TaintEviction {
  PodId pod{};
  NodeId node{};
  const Taint* taint = nullptr;
  Instant at{};                ///< not before the time in question
  bool since_missing = false;  ///< it is not known when the taint was added: counted from the time in question
};
/// Those of the input, in the order of nodes. Static pods stay: their kubelet runs them without the API server.
[[nodiscard]] auto taint_evictions(const Snapshot& cluster, Instant now) -> std::vector<TaintEviction>;

/// `maintenance:NoExecute`, `team=a:NoExecute`; of a node or a device.
template <class T>
[[nodiscard]] auto describe_taint(const T& taint, const Snapshot& cluster) -> std::string {
  return fmt::format("{}{}{}:{}", cluster.text(taint.key), taint.value ? "=" : "", cluster.text(taint.value),
                     cluster.text(taint.effect));
}

/// Returns true if the control plane cannot reach the kubelet of the node: pods that are deleted do not end.
[[nodiscard]] auto is_unreachable(const Node& node, const Snapshot& cluster) -> bool;

/// Returns true if the garbage collection of pods deletes the terminating pods of the node, whether or not its kubelet
/// has ended them: the node is not ready, and has the out-of-service taint.
/// Source: kubernetes pkg/controller/podgc/gc_controller.go gcTerminating, v1.35.
[[nodiscard]] auto is_out_of_service(const Node& node, const Snapshot& cluster) -> bool;

/// Returns true if the node is not ready, and the node lifecycle controller has yet to taint it.
/// Source: kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass, v1.35.
[[nodiscard]] auto awaits_taint(const Node& node, const Snapshot& cluster) -> bool;

}  // namespace previct
