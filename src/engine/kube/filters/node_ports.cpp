#include "engine/kube/filter.h"

#include <algorithm>

namespace previct::kube {
namespace {

struct HostPort {
  Symbol ip;        // none: 0.0.0.0
  Symbol protocol;  // none: TCP
  std::int32_t port = 0;

  friend auto operator==(const HostPort&, const HostPort&) -> bool = default;
};

auto conflict(const HostPort& a, const HostPort& b) -> bool {
  return a.port == b.port && a.protocol == b.protocol && (a.ip == b.ip || !a.ip || !b.ip);
}

// Returns the host ports of a pod: those of its containers and sidecars.
class PortsOf {
 public:
  explicit PortsOf(const NodeInfoSnapshot& node_infos)
      : sidecars_(node_infos.release().has(Change::sidecars_have_ports)),
        always_(node_infos.cluster().known().always),
        any_ip_(node_infos.cluster().symbol("0.0.0.0")),
        tcp_(node_infos.cluster().symbol("TCP")) {}

  [[nodiscard]] auto operator()(const Pod& pod) const -> std::vector<HostPort> {
    std::vector<HostPort> ports;
    for (const Container& c : pod.spec.containers) collect(c, ports);
    for (const Container& c : pod.spec.init_containers) {
      if (sidecars_ && c.restart_policy == always_) collect(c, ports);
    }
    return ports;
  }

 private:
  void collect(const Container& c, std::vector<HostPort>& ports) const {
    for (const ContainerPort& p : c.ports) {
      if (p.host_port <= 0) continue;
      const HostPort port{p.host_ip == any_ip_ ? Symbol{} : p.host_ip, p.protocol == tcp_ ? Symbol{} : p.protocol,
                          p.host_port};
      if (std::find(ports.begin(), ports.end(), port) == ports.end()) ports.push_back(port);
    }
  }

  bool sidecars_;
  Symbol always_;
  Symbol any_ip_;
  Symbol tcp_;
};

// The requested host ports must be free. Upstream keeps the used ports of a node as a set, so removing one of two pods
// with the same port frees it, and this filter does the same.
// Source: plugins/nodeports; framework HostPortInfo.
class NodePorts final : public Filter {
 public:
  explicit NodePorts(const Incoming& incoming)
      : incoming_(incoming), ports_of_(incoming.node_infos), wanted_(ports_of_(incoming.pod())) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    return {.skip = wanted_.empty(), .rejection = {}, .only_nodes = {}};
  }

  void enter(NodeId node) override {
    used_.clear();
    for (const PodInfo& p : incoming_.node_infos.pods_on(node)) add(p);
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    for (const HostPort& want : wanted_) {
      for (const Used& have : used_) {
        if (!conflict(want, have.port)) continue;
        add_reason(reasons, {Rule::host_port, want.port, operand(have.by)});
        return Code::unschedulable;
      }
    }
    return Code::success;
  }

  void add(const PodInfo& pod) override {
    for (const HostPort& port : ports_of_(incoming_.cluster().pod(pod.pod))) {
      if (find(port) == used_.end()) used_.push_back({port, pod.pod});
    }
  }
  void remove(const PodInfo& pod) override {
    for (const HostPort& port : ports_of_(incoming_.cluster().pod(pod.pod))) {
      if (const auto at = find(port); at != used_.end()) used_.erase(at);
    }
  }
  void save() override { saved_ = used_; }
  void restore() override { used_ = saved_; }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override { return std::make_unique<NodePorts>(*this); }

 private:
  struct Used {
    HostPort port;
    PodId by;  // the first pod that uses it
  };
  auto find(const HostPort& port) -> std::vector<Used>::iterator {
    return std::find_if(used_.begin(), used_.end(), [&](const Used& u) { return u.port == port; });
  }

  const Incoming& incoming_;
  PortsOf ports_of_;
  std::vector<HostPort> wanted_;
  std::vector<Used> used_;
  std::vector<Used> saved_;
};

// Source: plugins/nodeports/node_ports.go isSchedulableAfterPodDeleted.
auto port_is_freed(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const NodeInfoSnapshot& node_infos = rejected.node_infos;
  if (!has_node(*event.old_pod, node_infos.release().has(Change::nominations_are_events))) return false;
  const PortsOf ports_of(node_infos);
  const std::vector<HostPort> wanted = ports_of(rejected.object());
  const std::vector<HostPort> freed = ports_of(*event.old_pod);
  return std::any_of(wanted.begin(), wanted.end(), [&](const HostPort& want) {
    return std::any_of(freed.begin(), freed.end(), [&](const HostPort& have) { return conflict(want, have); });
  });
}

}  // namespace

const FilterInfo& node_ports_filter = FilterInfo{
    .name = "NodePorts",
    .make = [](const Incoming& incoming,
               const FilterSettings&) { return std::unique_ptr<Filter>(std::make_unique<NodePorts>(incoming)); },
    .looks_at = LooksAt::its_pods,
    .events = [](const Release& release) -> EventTable {
      return {{assigned_pods(release), action::kDelete, port_is_freed}, {Resource::node, new_nodes(release)}};
    },
    .without_state = Rule::state_missing_reading,
    .kubelet = true,
    .kai = true,
    .at_reservation = true};

}  // namespace previct::kube
