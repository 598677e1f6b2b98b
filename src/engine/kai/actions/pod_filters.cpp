#include "engine/kai/actions/pod_filters.h"

#include <algorithm>
#include <array>

namespace previct::kai {
namespace {

constexpr std::array<std::string_view, 3> kFilters = {"NodePorts", "VolumeBinding", "InterPodAffinity"};

}  // namespace

PodFilters::PodFilters(const Session& session) : session_(session) {
  for (const Pod& pod : session.pool().cluster().pods()) {
    anti_affinity_ = anti_affinity_ || !pod.spec.affinity.pod_anti.required.empty();
  }
}

auto PodFilters::concerned(const Pod& pod) const -> bool {
  const PodSpec& spec = pod.spec;
  if (anti_affinity_ || spec.has_storage() || !spec.affinity.pod.required.empty()) return true;
  const auto has_ports = [](const Container& c) {
    return std::any_of(c.ports.begin(), c.ports.end(), [](const ContainerPort& p) { return p.host_port > 0; });
  };
  return std::any_of(spec.containers.begin(), spec.containers.end(), has_ports) ||
         std::any_of(spec.init_containers.begin(), spec.init_containers.end(), has_ports);
}

auto PodFilters::filters_of(TaskId task) -> OfTask& {
  const auto [at, is_new] = by_task_.try_emplace(task.index);
  OfTask& of = at->second;
  if (!is_new) return of;
  const Pool& pool = session_.pool();
  auto& world = pool.cluster().derived<kube::World>();
  of.incoming = std::make_unique<kube::Incoming>(kube::Incoming{world, world.incoming(pool.task(task).pod)});
  static const kube::FilterSettings kDefaults;
  for (const std::string_view name : kFilters) {
    const kube::FilterInfo* info = kube::find_filter(name);
    if (info == nullptr) continue;
    auto filter = info->make(*of.incoming, kDefaults);
    kube::Prepared prepared = filter->prepare();
    if (prepared.skip) continue;
    of.rejected = of.rejected || !prepared.rejection.ok();
    of.no_volume = of.no_volume || (name == "VolumeBinding" && prepared.rejection.code == kube::Code::unresolvable);
    if (prepared.only_nodes) {
      of.only_nodes = *prepared.only_nodes;
      of.has_only_nodes = true;
    }
    of.filters.push_back(std::move(filter));
  }
  return of;
}

auto PodFilters::no_volume(TaskId task) -> bool {
  return session_.pool().cluster().pod(session_.pool().task(task).pod).spec.has_storage() && filters_of(task).no_volume;
}

auto PodFilters::accept(TaskId task, RoomId room) -> bool {
  const Pool& pool = session_.pool();
  if (!concerned(pool.cluster().pod(pool.task(task).pod))) return true;
  OfTask& of = filters_of(task);
  if (of.rejected) return false;
  const NodeId node = pool.rooms()[room].node;
  const Symbol name = pool.cluster().node(node).meta.name;
  if (of.has_only_nodes && std::find(of.only_nodes.begin(), of.only_nodes.end(), name) == of.only_nodes.end())
    return false;
  auto& world = pool.cluster().derived<kube::World>();
  return std::all_of(of.filters.begin(), of.filters.end(), [&](const auto& filter) {
    filter->enter(node);
    for (const TaskId other : session_.newcomers(room)) filter->add(world.incoming(pool.task(other).pod));
    return filter->check(nullptr) == kube::Code::success;
  });
}

}  // namespace previct::kai
