#include "fit/remedy.h"

#include "overlay/limits.h"

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
    case Kind::scale: return "scale";
    case Kind::finish: return "finish";
    case Kind::remove: return "delete";
  }
  return "";
}

auto most_admitted(const Pod& pod, std::int64_t most, const Snapshot& cluster,
                   const std::function<void(Pod&, std::int64_t degree)>& change) -> std::int64_t {
  const auto is_admitted = [&](std::int64_t degree) {
    Pod made = pod;
    change(made, degree);
    return refusal_in_place(pod, made, cluster).empty();
  };
  if (is_admitted(most)) return most;
  std::int64_t admitted = 0;
  for (std::int64_t refused = most; refused - admitted > 1;) {
    const std::int64_t middle = admitted + (refused - admitted) / 2;
    (is_admitted(middle) ? admitted : refused) = middle;
  }
  return admitted;
}

}  // namespace previct::fit
