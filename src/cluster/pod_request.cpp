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

// Before 1.33, the status had a field of its own for this: see infeasible_by_field().
auto infeasible_by_condition(const Snapshot& cluster, const Pod& pod) -> bool {
  const Condition* resize = pod.condition(cluster.known().pod_resize_pending);
  return resize != nullptr && resize->reason == cluster.known().infeasible;
}

auto infeasible_by_field(const Snapshot& cluster, const Pod& pod) -> bool {
  return pod.status.resize == cluster.known().infeasible;
}

// Returns true if a container has more, or was promised more, than it requests.
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

class RequestCalculator {
 public:
  RequestCalculator(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules,
                    const ResourceList& missing)
      : cluster_(cluster), pod_(pod), who_(who), rules_(rules), missing_(missing) {
    const bool by_condition = rules.resize == ResizeRule::largest || rules.resize == ResizeRule::whole_pod;
    infeasible_ = by_condition ? infeasible_by_condition(cluster, pod) : infeasible_by_field(cluster, pod);
  }

  [[nodiscard]] auto total() const -> ResourceList {
    const bool whole = rules_.resize == ResizeRule::whole_pod && who_ == RequestOf::placed;
    ResourceList sum = whole ? resized_as_one()
                             : of_containers([this](const Container& c, Role role) { return of_container(c, role); });
    for (const auto& [name, quantity] : of_pod_level()) sum.set(name, quantity);
    add_all(sum, pod_.spec.overhead);
    return sum;
  }

  [[nodiscard]] auto as_pod() const -> bool {
    return rules_.pod_level && pod_.spec.resources && any_replaces(pod_.spec.resources->requests);
  }

 private:
  enum class Role : std::uint8_t { main, sidecar, init };

  // The sum of all containers that run together, or the highest peak during initialization.
  template <class Of>
  [[nodiscard]] auto of_containers(Of of_each) const -> ResourceList {
    const auto of = [&](const Container& c, Role role) {
      ResourceList request = of_each(c, role);
      for (const auto& [name, quantity] : missing_) {
        if (!request.get(name)) request.set(name, quantity);
      }
      return request;
    };
    ResourceList sum;
    ResourceList sidecars;  // the sidecars started so far
    ResourceList peaks;
    for (const Container& c : pod_.spec.containers) add_all(sum, of(c, Role::main));
    for (const Container& c : pod_.spec.init_containers) {
      ResourceList peak = sidecars;
      if (c.restart_policy == cluster_.known().always) {
        const ResourceList request = of(c, Role::sidecar);
        add_all(sum, request);
        add_all(sidecars, request);
        peak = sidecars;
      } else {
        add_all(peak, of(c, Role::init));
      }
      raise_to(peaks, peak);
    }
    raise_to(sum, peaks);
    return sum;
  }

  // Up to 1.36, each container is resized separately.
  [[nodiscard]] auto of_container(const Container& c, Role role) const -> ResourceList {
    if (role == Role::main) return resizable(c, pod_.status.container_statuses);
    const bool as_others = role == Role::sidecar && rules_.resize == ResizeRule::largest;
    return as_others ? resizable(c, pod_.status.init_container_statuses) : c.resources.requests;
  }

  // Since 1.37, the pod is resized as a whole: the largest of what all containers request, have and were promised.
  [[nodiscard]] auto resized_as_one() const -> ResourceList {
    const ResourceList wanted = of_containers([](const Container& c, Role) { return c.resources.requests; });
    const PodStatus& status = pod_.status;
    if (rules_.pod_level_resize && status.resources && !status.resources->requests.empty() &&
        !status.allocated_resources.empty())
      return resized(wanted, status.resources->requests, status.allocated_resources);
    const auto actual = [this](const Container& c, Role) {
      const ContainerStatus* of = status_of(c);
      return of != nullptr && of->resources && !of->resources->requests.empty() ? of->resources->requests
                                                                                : promised(c, of);
    };
    const auto allocated = [this](const Container& c, Role) { return promised(c, status_of(c)); };
    return resized(wanted, of_containers(actual), of_containers(allocated));
  }

  [[nodiscard]] auto promised(const Container& c, const ContainerStatus* status) const -> ResourceList {
    if (status != nullptr && !status->allocated_resources.empty()) return status->allocated_resources;
    return infeasible_ ? ResourceList() : c.resources.requests;
  }

  [[nodiscard]] auto status_of(const Container& c) const -> const ContainerStatus* {
    const ContainerStatus* status = previct::status_of(pod_.status.container_statuses, c.name);
    return status != nullptr ? status : previct::status_of(pod_.status.init_container_statuses, c.name);
  }

  [[nodiscard]] auto resizable(const Container& c, const SharedList<ContainerStatus>& statuses) const -> ResourceList {
    const bool counts = rules_.resize != ResizeRule::wanted && who_ == RequestOf::placed;
    const ContainerStatus* status = counts ? previct::status_of(statuses, c.name) : nullptr;
    if (status == nullptr) return c.resources.requests;
    if (rules_.resize == ResizeRule::admitted) return resized(c.resources.requests, {}, status->allocated_resources);
    if (!status->resources) return c.resources.requests;
    const bool in_use = rules_.resize == ResizeRule::in_use;
    return resized(c.resources.requests, status->resources->requests,
                   in_use ? ResourceList() : status->allocated_resources);
  }

  // The largest of the requested, actual and allocated resources. The requested resources of an infeasible resize do
  // not count.
  [[nodiscard]] auto resized(const ResourceList& wanted, const ResourceList& actual,
                             const ResourceList& allocated) const -> ResourceList {
    ResourceList request;
    if (!infeasible_) request = wanted;
    raise_to(request, actual);
    raise_to(request, allocated);
    return request;
  }

  // The requests that replace the sum of the containers. Before 1.37, a resize counts only for the resource names in
  // the spec.
  [[nodiscard]] auto of_pod_level() const -> ResourceList {
    ResourceList request;
    if (!rules_.pod_level || !pod_.spec.resources) return request;
    const ResourceList& wanted = pod_.spec.resources->requests;
    const bool resizing = rules_.pod_level_resize && who_ == RequestOf::placed && pod_.status.resources;
    const ResourceList now =
        resizing ? resized(wanted, pod_.status.resources->requests, pod_.status.allocated_resources) : wanted;
    if (!any_replaces(wanted)) return request;
    for (const auto& [name, quantity] : rules_.resize == ResizeRule::whole_pod ? now : wanted) {
      if (replaces(name)) request.set(name, now.get(name).value_or(Quantity()));
    }
    return request;
  }

  [[nodiscard]] auto any_replaces(const ResourceList& wanted) const -> bool {
    return std::any_of(wanted.begin(), wanted.end(), [&](const auto& entry) { return replaces(entry.first); });
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
  const ResourceList& missing_;
  bool infeasible_ = false;
};

}  // namespace

auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who, RequestRules rules,
                 const ResourceList& missing) -> ResourceList {
  return RequestCalculator(cluster, pod, who, rules, missing).total();
}

auto requests_as_pod(const Snapshot& cluster, const Pod& pod, RequestRules rules) -> bool {
  return RequestCalculator(cluster, pod, RequestOf::placed, rules, {}).as_pod();
}

auto request_depends_on_rules(const Snapshot& cluster, const Pod& pod) -> bool {
  const PodStatus& status = pod.status;
  const bool own_status = status.resources && !status.allocated_resources.empty();
  return pod.spec.resources || own_status || infeasible_by_condition(cluster, pod) ||
         infeasible_by_field(cluster, pod) || resizing(pod.spec.containers, status.container_statuses) ||
         resizing(pod.spec.init_containers, status.init_container_statuses);
}

}  // namespace previct
