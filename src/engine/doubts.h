#pragma once

#include "cluster/device_taints.h"
#include "cluster/snapshot.h"
#include "engine/verdict.h"

#include <optional>
#include <vector>

namespace previct {

/// Adds to the verdict's gaps what the input as a whole leaves open, for every engine: pods of other namespaces or of
/// unreadable files, nodes that pods run on but the input lacks, a RuntimeClass that it lacks, what the API server
/// would add to a manifest. `decisive_nodes`: the only nodes, in the input or not, that can change the verdict;
/// nothing: any node can.
void add_input_gaps(const Snapshot& cluster, const std::optional<std::vector<Symbol>>& decisive_nodes,
                    Verdict& verdict);

/// The gap of terminating pods that exist although their grace period is over at `now`: only a kubelet or a finalizer
/// keeps them, so that nothing shows when they go. None if there are none.
[[nodiscard]] auto overdue_gap(const Snapshot& cluster, Instant now) -> std::optional<Gap>;

/// The gap of those of `nodes` that are being deleted, if any is: nothing shows when they are gone.
[[nodiscard]] auto deleting_nodes_gap(const Snapshot& cluster, std::vector<NodeId> nodes) -> std::optional<Gap>;

/// Adds a gap for pods that NoExecute taints delete at `now`: engines decide about the cluster as it is. Without these
/// pods, the pod may fit, or need other victims.
void add_taint_gap(const Snapshot& cluster, Instant now, Verdict& verdict);
/// The same for taints of devices.
void add_device_taint_gap(const Snapshot& cluster, TaintRules rules, Instant now, Verdict& verdict);

}  // namespace previct
