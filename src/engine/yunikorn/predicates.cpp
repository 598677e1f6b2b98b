#include "engine/yunikorn/predicates.h"

#include "cluster/matching.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// The ports that a pod takes on its node; init containers that are no sidecars have ended.
template <class Visit>
void each_host_port(const Snapshot& cluster, const Pod& pod, Visit visit) {
  const auto all = [&](const SharedList<Container>& containers, bool only_sidecars) {
    for (const Container& c : containers) {
      if (only_sidecars && c.restart_policy != cluster.known().always) continue;
      for (const ContainerPort& port : c.ports) {
        if (port.host_port > 0) visit(port);
      }
    }
  };
  all(pod.spec.containers, false);
  all(pod.spec.init_containers, true);
}

auto conflict(const Snapshot& cluster, const ContainerPort& a, const ContainerPort& b) -> bool {
  const auto text_or = [&](Symbol symbol, std::string_view otherwise) {
    return symbol ? cluster.text(symbol) : otherwise;
  };
  if (a.host_port != b.host_port || text_or(a.protocol, "TCP") != text_or(b.protocol, "TCP")) return false;
  const std::string_view ip_a = text_or(a.host_ip, "0.0.0.0");
  const std::string_view ip_b = text_or(b.host_ip, "0.0.0.0");
  return ip_a == ip_b || ip_a == "0.0.0.0" || ip_b == "0.0.0.0";
}

auto ports_free(const Snapshot& cluster, const Pod& pod, NodeId node, const std::vector<PodId>& without) -> bool {
  std::vector<const ContainerPort*> wanted;
  each_host_port(cluster, pod, [&](const ContainerPort& port) { wanted.push_back(&port); });
  if (wanted.empty()) return true;
  bool is_free = true;
  for (const PodId other : cluster.pods_on(node)) {
    if (std::find(without.begin(), without.end(), other) != without.end()) continue;
    each_host_port(cluster, cluster.pod(other), [&](const ContainerPort& taken) {
      for (const ContainerPort* port : wanted) is_free = is_free && !conflict(cluster, *port, taken);
    });
  }
  return is_free;
}

}  // namespace

auto check_node(const Snapshot& cluster, PodId id, NodeId node_id, const std::vector<PodId>& without) -> Rule {
  const Pod& pod = cluster.pod(id);
  const Node& node = cluster.node(node_id);
  const WellKnown& known = cluster.known();
  const Taint cordon{known.unschedulable_taint, {}, known.no_schedule};
  if (node.spec.unschedulable && !tolerates(pod.spec.tolerations, cordon, known)) return Rule::node_cordoned;
  if (pod.spec.node_name && pod.spec.node_name != node.meta.name) return Rule::node_name;
  if (first_untolerated_taint(pod.spec, node, known) != nullptr) return Rule::node_taint;
  if (!matches_required_affinity(pod.spec, node, cluster)) return Rule::node_affinity;
  return ports_free(cluster, pod, node_id, without) ? Rule::suits : Rule::node_ports;
}

auto unmodelled_predicates(const Pod& pod) -> std::vector<std::string> {
  std::vector<std::string> result;
  if (!pod.spec.affinity.pod.required.empty()) result.emplace_back("pod affinity");
  if (!pod.spec.affinity.pod_anti.required.empty()) result.emplace_back("pod anti-affinity");
  if (!pod.spec.topology_spread.empty()) result.emplace_back("topology spread");
  if (!pod.spec.volumes.empty()) result.emplace_back("volumes");
  if (pod.spec.has_resource_claims) result.emplace_back("resource claims");
  return result;
}

}  // namespace previct::yunikorn
