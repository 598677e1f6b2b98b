#pragma once

#include "engine/yunikorn/rules.h"
#include "engine/yunikorn/world.h"

#include <string>
#include <vector>

namespace previct::yunikorn {

/// Does the node suit the pod, apart from resources? `without`: pods of the node that are taken to be gone.
/// Only these filters are known: cordon, spec.nodeName, taints, node selector and affinity, host ports; see
/// `unmodelled_predicates` for the others. Rule::suits, or the first filter that says no.
/// Source: apache/yunikorn-k8shim 1.9 pkg/plugin/predicates, which runs the filters of Kubernetes 1.35.
[[nodiscard]] auto check_node(const Snapshot& cluster, PodId pod, NodeId node, const std::vector<PodId>& without)
    -> Rule;

/// What else of the pod a scheduler looks at, in words: `pod affinity` …
[[nodiscard]] auto unmodelled_predicates(const Pod& pod) -> std::vector<std::string>;

}  // namespace previct::yunikorn
