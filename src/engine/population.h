#pragma once

#include "cluster/snapshot.h"
#include "engine/gap.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>

namespace previct {

/// Where the pods of an input are, counted once for all questions (Snapshot::derived): what shows that the cluster has
/// more pods than the input.
struct Population {
  explicit Population(const Snapshot& cluster);

  // The namespaces that a must-gather and similar tools collect; user workloads run in others.
  static auto is_platform(std::string_view ns) -> bool {
    return ns.starts_with("kube-") || ns.starts_with("openshift-") || ns == "openshift" || ns == "default";
  }

  std::set<Symbol> namespaces;  ///< of pods that are, or were, on a node
  std::set<Symbol> of_running;  ///< namespaces with a running pod
  std::set<Symbol> nodes;       ///< nodes with a running pod; two of them if there are more
  std::size_t running = 0;
  std::size_t by_users = 0;         ///< running pods in user namespaces
  std::size_t used_nodes = 0;       ///< number of machines on which containers have run
  bool daemons = false;             ///< some pod belongs to a DaemonSet, which has a pod on most nodes
  bool apart = false;               ///< the pods may be a subset although the nodes are complete
  bool of_platform = false;         ///< some pod is in a platform namespace
  bool one_by_one;                  ///< each file has the pods of one namespace
  bool booted = false;              ///< some node is a machine; no cluster leaves one without pods of its own
  bool reported = false;            ///< a kubelet of a cluster has registered some node
  bool has_run_containers = false;  ///< containers have run on some node
  bool of_server = false;           ///< some node comes from an API server
  bool read_by_previct;             ///< a live cluster, or a capture of one: what was read is known
  /// The Namespaces were listed for the whole cluster, so that pods were, too. But kubectl get without -A gives the
  /// pods of one namespace and all Namespaces; images on the nodes reveal that.
  bool lists_namespaces;

  /// Returns true if the input is known to have all pods.
  [[nodiscard]] auto is_whole(const Snapshot& cluster) const -> bool;
};

/// The gap of an input whose nodes have no running pod; it decides if the cluster has some. None if there are running
/// pods, or if it is known that none runs.
[[nodiscard]] auto no_running_pods(const Snapshot& cluster) -> std::optional<Gap>;

}  // namespace previct
