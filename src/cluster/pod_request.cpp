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

class Summing {
 public:
  Summing(const Snapshot& cluster, const Pod& pod, RequestOf who) : cluster_(cluster), pod_(pod), who_(who) {
    const Condition* resize = pod.condition(cluster.symbol("PodResizePending"));
    infeasible_ = resize != nullptr && cluster.text(resize->reason) == "Infeasible";
  }

  [[nodiscard]] auto total() const -> ResourceList {
    ResourceList sum;
    ResourceList sidecars;  // those started so far
    ResourceList peaks;
    for (const Container& c : pod_.spec.containers) add_all(sum, resizable(c, pod_.status.container_statuses));
    for (const Container& c : pod_.spec.init_containers) {
      ResourceList peak = sidecars;
      if (c.restart_policy == cluster_.known().always) {
        const ResourceList request = resizable(c, pod_.status.init_container_statuses);
        add_all(sum, request);
        add_all(sidecars, request);
        peak = sidecars;
      } else {
        add_all(peak, c.resources.requests);
      }
      raise_to(peaks, peak);
    }
    raise_to(sum, peaks);
    if (pod_.spec.resources) {
      for (const auto& [name, quantity] : pod_.spec.resources->requests) {
        if (replaces(name)) sum.set(name, quantity);
      }
    }
    add_all(sum, pod_.spec.overhead);
    return sum;
  }

 private:
  [[nodiscard]] auto resizable(const Container& c, const SharedList<ContainerStatus>& statuses) const -> ResourceList {
    const ContainerStatus* status = who_ == RequestOf::placed ? status_of(statuses, c.name) : nullptr;
    if (status == nullptr || !status->resources) return c.resources.requests;
    ResourceList request;
    if (!infeasible_) request = c.resources.requests;
    raise_to(request, status->resources->requests);
    raise_to(request, status->allocated_resources);
    return request;
  }

  [[nodiscard]] auto replaces(Symbol name) const -> bool {
    const std::string_view text = cluster_.text(name);
    return name == cluster_.known().cpu || name == cluster_.known().memory || text.substr(0, 10) == "hugepages-";
  }

  const Snapshot& cluster_;
  const Pod& pod_;
  RequestOf who_;
  bool infeasible_ = false;
};

}  // namespace

auto pod_request(const Snapshot& cluster, const Pod& pod, RequestOf who) -> ResourceList {
  return Summing(cluster, pod, who).total();
}

}  // namespace previct
