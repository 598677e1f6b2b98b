#pragma once

#include "api/load.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Returns a new node like this one.
[[nodiscard]] auto node_like(const Node& like, std::string_view name, Symbols& symbols) -> Node;

/// Returns the pods that run on `made`, a new node like `model`: a copy of each pod there that a DaemonSet or the
/// kubelet created.
[[nodiscard]] auto pods_of_node_like(const Snapshot& cluster, NodeId model, const Node& made) -> std::vector<Pod>;

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
