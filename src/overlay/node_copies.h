#pragma once

#include "api/load.h"
#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Returns true for the key of a taint that says in which state a node is: it is temporary, and a pod that tolerated
/// it would be scheduled on a node that is not ready, or is about to be deleted.
[[nodiscard]] auto is_taint_of_state(std::string_view key) -> bool;

/// A new node, and what its kubelet, its drivers and the DaemonSets create for it.
struct NewNode {
  Node node{};
  std::vector<Pod> pods{};              ///< like those that a DaemonSet or the kubelet created on the model
  std::vector<ResourceSlice> slices{};  ///< like those of the model alone
  std::optional<CsiNode> csi_node{};
};

/// Returns a new node like `model`, a node of the cluster. It is not cordoned, and has no taints of a state.
[[nodiscard]] auto new_node_like(const Snapshot& cluster, NodeId model, std::string_view name) -> NewNode;
void add(NewNode made, ChangedCluster& changed);

/// Binds a pod of a DaemonSet to its node by affinity to the node's name, which replaces other required terms.
/// Source: kubernetes pkg/controller/daemon/util/daemonset_util.go ReplaceDaemonSetPodNodeNameNodeAffinity.
void pin_to_node(PodSpec& spec, Symbol node, Symbols& symbols);

/// What add_nodes() added.
struct AddedNodes {
  std::string remark{};
  std::vector<Gap> unknown{};
};
/// Adds `count` nodes like the only object of the file, a Node, and the pods that DaemonSets create there: like those
/// of the node of this name, if there is one; otherwise those of every DaemonSet whose pods select the node and
/// tolerate its taints.
[[nodiscard]] auto add_nodes(const std::string& file, std::size_t count, const LoadOptions& options, Objects& objects)
    -> Result<AddedNodes>;

}  // namespace previct
