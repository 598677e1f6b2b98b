#include "cluster/pod_request.h"

#include <algorithm>

namespace previct {
namespace {

void raise_to(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    if (const auto have = list.get(name); !have || *have < quantity) list.set(name, quantity);
  }
}

void add_all(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, quantity] : other) list.add(name, quantity);
}

auto status_of(const SharedList<ContainerStatus>& statuses, Symbol name) -> const ContainerStatus* {
  const auto found =
      std::find_if(statuses.begin(), statuses.end(), [&](const ContainerStatus& s) { return s.name == name; });
  return found == statuses.end() ? nullptr : &*found;
}

// Before 1.33 the status said it in a field of its own.
auto infeasible_by_condition(const Snapshot& cluster, const Pod& pod) -> bool {
  const Condition* resize = pod.condition(cluster.symbol("PodResizePending"));
  return resize != nullptr && cluster.text(resize->reason) == "Infeasible";
}

auto infeasible_by_field(const Snapshot& cluster, const Pod& pod) -> bool {
  return cluster.text(pod.status.resize) == "Infeasible";
}

// Does a container have, or was it promised, more than it asks for?
auto resizing(const SharedList<Container>& containers, const SharedList<ContainerStatus>& statuses) -> bool {
  return std::any_of(containers.begin(), containers.end(), [&](const Container& c) {
    const ContainerStatus* status = status_of(statuses, c.name);
    if (status == nullptr) return false;
    const auto beyond = [&](const auto& entry) {
      const auto wanted = c.resources.requests.get(entry.first);
      return !wanted || *wanted < entry.second;
    };
    const auto any_beyond = [&](const ResourceList& list) { return std::any_of(list.begin(), list.end(), beyond); };
    return (status->resources && any_beyond(status->resources->requests)) || any_beyond(status->allocated_resources);
  });
}

class Summing {
 public:
  Summing(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules)
      : cluster_(cluster), pod_(pod), who_(who), rules_(rules) {
    infeasible_ =
        rules.resize == ResizeRule::largest ? infeasible_by_condition(cluster, pod) : infeasible_by_field(cluster, pod);
  }

  [[nodiscard]] auto total() const -> ResourceList {
    ResourceList sum;
    ResourceList sidecars;  // those started so far
    ResourceList peaks;
    for (const Container& c : pod_.spec.containers) add_all(sum, resizable(c, pod_.status.container_statuses));
    for (const Container& c : pod_.spec.init_containers) {
      ResourceList peak = sidecars;
      if (c.restart_policy == cluster_.known().always) {
        const bool as_others = rules_.resize == ResizeRule::largest;
        const ResourceList request =
            as_others ? resizable(c, pod_.status.init_container_statuses) : c.resources.requests;
        add_all(sum, request);
        add_all(sidecars, request);
        peak = sidecars;
      } else {
        add_all(peak, c.resources.requests);
      }
      raise_to(peaks, peak);
    }
    raise_to(sum, peaks);
    for (const auto& [name, quantity] : of_pod_level()) sum.set(name, quantity);
    add_all(sum, pod_.spec.overhead);
    return sum;
  }

 private:
  [[nodiscard]] auto resizable(const Container& c, const SharedList<ContainerStatus>& statuses) const -> ResourceList {
    const bool counts = rules_.resize != ResizeRule::wanted && who_ == RequestOf::placed;
    const ContainerStatus* status = counts ? status_of(statuses, c.name) : nullptr;
    if (status == nullptr) return c.resources.requests;
    if (rules_.resize == ResizeRule::admitted) return resized(c.resources.requests, {}, status->allocated_resources);
    if (!status->resources) return c.resources.requests;
    const bool in_use = rules_.resize == ResizeRule::in_use;
    return resized(c.resources.requests, status->resources->requests,
                   in_use ? ResourceList() : status->allocated_resources);
  }

  // The largest of what is wanted, what is in use and what is admitted; of what cannot be done, what is wanted does
  // not count.
  [[nodiscard]] auto resized(const ResourceList& wanted, const ResourceList& actual,
                             const ResourceList& allocated) const -> ResourceList {
    ResourceList request;
    if (!infeasible_) request = wanted;
    raise_to(request, actual);
    raise_to(request, allocated);
    return request;
  }

  // What takes the place of the containers' sum. Of a resize only the names that the spec has count.
  [[nodiscard]] auto of_pod_level() const -> ResourceList {
    ResourceList request;
    if (!rules_.pod_level || !pod_.spec.resources) return request;
    const ResourceList& wanted = pod_.spec.resources->requests;
    const bool resizing = rules_.pod_level_resize && who_ == RequestOf::placed && pod_.status.resources;
    const ResourceList now =
        resizing ? resized(wanted, pod_.status.resources->requests, pod_.status.allocated_resources) : wanted;
    for (const auto& [name, quantity] : wanted) {
      if (replaces(name)) request.set(name, now.get(name).value_or(Quantity()));
    }
    return request;
  }

  [[nodiscard]] auto replaces(Symbol name) const -> bool {
    const std::string_view text = cluster_.text(name);
    return name == cluster_.known().cpu || name == cluster_.known().memory ||
           (rules_.pod_level_hugepages && text.substr(0, 10) == "hugepages-");
  }

  const Snapshot& cluster_;
  const Pod& pod_;
  RequestOf who_;
  RequestRules rules_;
  bool infeasible_ = false;
};

}  // namespace

auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules) -> ResourceList {
  return Summing(cluster, pod, who, rules).total();
}

auto request_hangs_on_rules(const Snapshot& cluster, const Pod& pod) -> bool {
  const PodStatus& status = pod.status;
  return pod.spec.resources || infeasible_by_condition(cluster, pod) || infeasible_by_field(cluster, pod) ||
         resizing(pod.spec.containers, status.container_statuses) ||
         resizing(pod.spec.init_containers, status.init_container_statuses);
}

}  // namespace previct
