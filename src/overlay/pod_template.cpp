#include "overlay/pod_template.h"

#include "api/fields.h"
#include "api/known_class.h"
#include "api/pod_defaults.h"
#include "api/upstream.h"
#include "base/add_once.h"
#include "engine/required_kind.h"
#include "overlay/limits.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace previct {
namespace {

auto same_amounts(const ResourceList& a, const ResourceList& b) -> bool {
  const auto within = [](const ResourceList& some, const ResourceList& all) {
    return std::all_of(some.begin(), some.end(), [&](const auto& each) {
      const auto other = all.get(each.first);
      return other && *other == each.second;
    });
  };
  return within(a, b) && within(b, a);
}

// The ports of its node that a container takes.
auto same_host_ports(const Container& a, const Container& b) -> bool {
  const auto taken = [](const Container& container) {
    std::vector<std::tuple<std::int32_t, Symbol, Symbol>> ports;
    for (const ContainerPort& port : container.ports) {
      if (port.host_port != 0) ports.emplace_back(port.host_port, port.host_ip, port.protocol);
    }
    std::sort(ports.begin(), ports.end());
    return ports;
  };
  return taken(a) == taken(b);
}

class Follower {
 public:
  // `bare` is the pod without what LimitRanges added.
  Follower(const PodSpec& pods, bool change, bool fixed, Pod& pod, Objects& objects)
      : change_(change), fixed_(fixed), pod_(pod), bare_(pod), objects_(objects) {
    take_back_limits(bare_, objects.symbols);
    made_.meta = pod.meta;
    made_.spec = pods;
    default_pod(made_, objects.symbols);
  }

  auto run() -> std::vector<std::string> {
    follow(made_.spec.containers, bare_.spec.containers, pod_.spec.containers);
    follow(made_.spec.init_containers, bare_.spec.init_containers, pod_.spec.init_containers);
    follow_class();
    follow_selector();
    follow_affinity();
    follow_tolerations();
    follow_gates();
    if (!fixed_) {
      follow_spread();
      follow_times();
    }
    return std::move(differ_);
  }

 private:
  void differs_in(const char* field) { add_once(differ_, std::string(field)); }

  void follow(const SharedList<Container>& from, const SharedList<Container>& now, SharedList<Container>& to) {
    bool differs = false;
    SharedList<Container> all = to;
    const auto is_in = [](const SharedList<Container>& list) {
      return [&list](const Container& each) {
        return std::any_of(list.begin(), list.end(), [&](const Container& other) { return other.name == each.name; });
      };
    };
    // Webhooks add containers, so that others than those of the template say nothing unless one of these is new, too.
    if (!std::all_of(from.begin(), from.end(), is_in(now))) {
      all = {};
      std::copy_if(now.begin(), now.end(), std::back_inserter(all), is_in(from));
    }
    for (const Container& each : from) {
      const auto same_name = [&](const Container& other) { return other.name == each.name; };
      const auto present = std::find_if(now.begin(), now.end(), same_name);
      const bool same_requests =
          present != now.end() && same_amounts(present->resources.requests, each.resources.requests);
      const bool same_ports = present != now.end() && same_host_ports(*present, each);
      if (same_requests && same_ports) continue;
      differs = true;
      if (!same_requests) differs_in("requests");
      if (!same_ports) differs_in("host ports");
      SharedList<Container> next;
      for (const Container& other : std::as_const(all)) next.push_back(same_name(other) ? each : other);
      if (present == now.end()) next.push_back(each);
      all = std::move(next);
    }
    if (differs && change_) to = std::move(all);
  }

  void follow_class() {
    const Symbol wanted = made_.spec.priority_class_name;
    const Symbol has = pod_.spec.priority_class_name;
    if (wanted == has) return;
    if (!wanted && lacks(objects_, kinds::priority_classes) && objects_.priority_classes.empty()) return;
    const PriorityClass* usual = default_class(objects_);
    if (!wanted && usual != nullptr && usual->meta.name == has) return;
    differs_in("priorityClassName");
    if (!change_) return;
    pod_.spec.priority_class_name = wanted;
    pod_.spec.has_priority = false;
    pod_.spec.priority = 0;
    pod_.spec.preemption_policy = {};
  }

  // Admission adds labels to the selector (a RuntimeClass, PodNodeSelector for the namespace), so that more labels than
  // those of the template say nothing.
  void follow_selector() {
    SymbolMap& has = pod_.spec.node_selector;
    const SymbolMap& wanted = made_.spec.node_selector;
    const bool lacks_one =
        std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) { return has.get(each.first) != each.second; });
    if (!lacks_one) return;
    differs_in("nodeSelector");
    if (!change_) return;
    for (const auto& [key, value] : wanted) has.set(key, value);
  }

  template <class Member>
  void follow_member(Member PodSpec::*member, const char* field) {
    const auto fields = [&](const Pod& pod) {
      PodSpec spec;
      spec.*member = pod.spec.*member;
      return fields_of(spec, objects_.symbols);
    };
    if (fields(made_) == fields(pod_)) return;
    differs_in(field);
    if (change_) pod_.spec.*member = made_.spec.*member;
  }
  void follow_affinity() { follow_member(&PodSpec::affinity, "affinity"); }
  // Since 1.34, the API server adds the values of matchLabelKeys to the selectors of pods.
  void follow_spread() {
    const SharedList<TopologySpreadConstraint>& spread = made_.spec.topology_spread;
    const bool merged = std::any_of(spread.begin(), spread.end(), [](const TopologySpreadConstraint& each) {
      return !each.match_label_keys.empty();
    });
    if (!merged) follow_member(&PodSpec::topology_spread, "topologySpreadConstraints");
  }

  // The gates of a running pod have been removed.
  void follow_gates() {
    const auto& gates = made_.spec.scheduling_gates;
    const auto& has = pod_.spec.scheduling_gates;
    const auto present = [&](const Named& gate) {
      return std::any_of(has.begin(), has.end(), [&](const Named& other) { return other.name == gate.name; });
    };
    if (std::all_of(gates.begin(), gates.end(), present)) return;
    differs_in("schedulingGates");
    if (change_) pod_.spec.scheduling_gates = gates;
  }

  void follow_times() {
    const auto grace = [](const Pod& pod) {
      return pod.spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds);
    };
    if (grace(made_) != grace(pod_)) {
      differs_in("terminationGracePeriodSeconds");
      if (change_) pod_.spec.termination_grace_seconds = grace(made_);
    }
    if (made_.spec.active_deadline_seconds != pod_.spec.active_deadline_seconds) {
      differs_in("activeDeadlineSeconds");
      if (change_) pod_.spec.active_deadline_seconds = made_.spec.active_deadline_seconds;
    }
  }

  void follow_tolerations() {
    const SharedList<TaintToleration> has = pod_.spec.tolerations;
    bool differs = false;
    for (const TaintToleration& each : std::as_const(made_.spec.tolerations)) {
      const bool present = std::any_of(has.begin(), has.end(), [&](const TaintToleration& other) {
        return other.key == each.key && other.op == each.op && other.value == each.value &&
               other.effect == each.effect && other.seconds == each.seconds;
      });
      if (present) continue;
      differs = true;
      if (change_) pod_.spec.tolerations.push_back(each);
    }
    if (differs) differs_in("tolerations");
  }

  bool change_;
  bool fixed_;
  Pod& pod_;
  Pod bare_;
  Pod made_;
  Objects& objects_;
  std::vector<std::string> differ_;
};

}  // namespace

auto follow_template(const PodSpec& pods, bool change, bool fixed, Pod& pod, Objects& objects)
    -> std::vector<std::string> {
  return Follower(pods, change, fixed, pod, objects).run();
}

}  // namespace previct
