#pragma once

#include "cluster/snapshot.h"

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace previct {

/// The owner of pods: a controller, or the pod itself if it has no controller.
struct PodOwner {
  std::string ns;
  std::string kind;  ///< of the controller: `Deployment` (recognized by the template's hash), `StatefulSet`, `Job` …;
                     ///< `Pod` without one
  std::string name;

  friend auto operator<(const PodOwner& a, const PodOwner& b) -> bool {
    return std::tie(a.ns, a.kind, a.name) < std::tie(b.ns, b.kind, b.name);
  }
  friend auto operator==(const PodOwner&, const PodOwner&) -> bool = default;
};
[[nodiscard]] auto owner_of_pod(const Snapshot& cluster, const Pod& pod) -> PodOwner;

/// The text for an owner: `Deployment ml/web`, `Pod ml/eval`.
[[nodiscard]] auto describe_owner(const PodOwner& owner) -> std::string;

/// The number of pods of this owner that are on nodes and not being deleted.
[[nodiscard]] auto running_pods(const Snapshot& cluster, const PodOwner& owner) -> std::size_t;

/// A phrase for pods in a sentence: `ml/eval` for one pod, `2 of 5 pods of Deployment ml/web`, or `4 pods`.
[[nodiscard]] auto describe_pods(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string;

/// Returns true if the pod exists only with its node: a pod of a DaemonSet, or a static pod.
[[nodiscard]] auto belongs_to_node(const Pod& pod, const Snapshot& cluster) -> bool;

/// Returns true if the API server creates no objects in the namespace, because it is being deleted.
/// Source: kubernetes: apiserver pkg/admission/plugin/namespace/lifecycle, v1.35.
[[nodiscard]] auto is_terminating(const Snapshot& cluster, Symbol ns) -> bool;

}  // namespace previct
