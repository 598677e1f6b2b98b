#include "fit/remedy.h"

#include <algorithm>
#include <array>

namespace previct::fit {

auto kind_name(Kind kind) -> std::string_view {
  switch (kind) {
    case Kind::wait: return "wait";
    case Kind::request: return "request";
    case Kind::toleration: return "toleration";
    case Kind::node_selector: return "node-selector";
    case Kind::node_affinity: return "node-affinity";
    case Kind::pod_affinity: return "pod-affinity";
    case Kind::pod_anti_affinity: return "pod-anti-affinity";
    case Kind::topology_spread: return "topology-spread";
    case Kind::gate: return "scheduling-gate";
    case Kind::active: return "active";
    case Kind::preemption_policy: return "preemption-policy";
    case Kind::priority: return "priority";
    case Kind::label: return "label";
    case Kind::count: return "count";
    case Kind::preemption: return "preemption";
    case Kind::borrowing_limit: return "borrowing-limit";
    case Kind::quota: return "quota";
    case Kind::node: return "node";
    case Kind::uncordon: return "uncordon";
    case Kind::stop_policy: return "stop-policy";
    case Kind::budget: return "budget";
    case Kind::resize: return "resize";
    case Kind::move: return "move";
    case Kind::finish: return "finish";
    case Kind::remove: return "delete";
  }
  return "";
}

// Sources: kubernetes/kubernetes: staging/src/k8s.io/api/core/v1/well_known_taints.go,
// staging/src/k8s.io/cloud-provider api/well_known_taints.go; kubernetes/autoscaler:
// cluster-autoscaler/utils/taints/taints.go; kubernetes-sigs/karpenter: pkg/apis/v1/taints.go.
auto is_taint_of_state(std::string_view key) -> bool {
  constexpr std::array<std::string_view, 6> kPrefixes = {"node.kubernetes.io/",
                                                         "node.cloudprovider.kubernetes.io/",
                                                         "ToBeDeletedByClusterAutoscaler",
                                                         "DeletionCandidateOfClusterAutoscaler",
                                                         "karpenter.sh/disrupt",  // disrupted; before v1, disruption
                                                         "karpenter.sh/unregistered"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view each) { return key.starts_with(each); });
}

}  // namespace previct::fit
