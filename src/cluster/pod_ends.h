#pragma once

#include "api/workloads.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace previct {

/// The end of a running pod that follows from its own fields: only time has to pass.
struct PodEnd {
  enum class By : std::uint8_t {
    grace,            ///< it is terminating, and leaves its node for good
    recreated,        ///< it is terminating, and its controller then makes a pod of the same name, or for the same node
    deadline,         ///< its activeDeadlineSeconds end
    deadline_of_job,  ///< the activeDeadlineSeconds of its Job end, which deletes all its pods
    taint             ///< a NoExecute taint deletes it; not among PodEnds: see ends_after()
  };

  PodId pod;
  NodeId node;
  Instant at;
  By by = By::grace;

  [[nodiscard]] auto is_deadline() const -> bool { return by == By::deadline || by == By::deadline_of_job; }
};

/// When activeDeadlineSeconds of the pod or Job end; none: it has not started, or has none.
/// Source: kubernetes/kubernetes: pkg/kubelet/active_deadline.go pastActiveDeadline,
/// pkg/controller/job/job_controller.go pastActiveDeadline; v1.35.
[[nodiscard]] auto deadline_of(const Pod& pod) -> std::optional<Instant>;
[[nodiscard]] auto deadline_of(const Job& job) -> std::optional<Instant>;

/// The ends of all running pods, earliest first. Those on unreachable nodes have none: their kubelets end them. A pod
/// of a StatefulSet or a DaemonSet is created again when the old one is gone; a ReplicaSet has replaced it when it was
/// deleted. Source: kubernetes/kubernetes: pkg/registry/core/pod/strategy.go CheckGracefulDelete,
/// pkg/controller/statefulset/stateful_set_control.go updateStatefulSet, pkg/controller/daemon/daemon_controller.go
/// podsShouldBeOnNode, pkg/controller/controller_utils.go FilterActivePods; v1.35.
class PodEnds {
 public:
  explicit PodEnds(const Snapshot& cluster);

  /// A pod whose time is over and that still exists has no known end.
  [[nodiscard]] auto after(Instant from) const -> std::span<const PodEnd>;

 private:
  std::vector<PodEnd> all_;
};

/// The ends after `from`, and the deletions by NoExecute taints whose times are known, earliest first,
/// then by name.
[[nodiscard]] auto ends_after(const Snapshot& cluster, Instant from) -> std::vector<PodEnd>;

}  // namespace previct
