#include "engine/kai/actions/pod_filters.h"

#include <algorithm>
#include <array>

namespace previct::kai {
namespace {

// Neither of them names the only nodes worth looking at.
constexpr std::array<std::string_view, 2> kFilters = {"NodePorts", "VolumeBinding"};

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

// Mostly that of the cluster, which all cycles share.
auto PodFilters::world() -> kube::World& {
  if (world_ != nullptr) return *world_;
  const Pool& pool = session_.pool();
  const Snapshot& cluster = pool.cluster();
  IdVector<NodeId, const std::vector<PodId>*> residents(cluster.nodes().size());
  for (const RoomId room : pool.rooms().ids()) residents[pool.rooms()[room].node] = &pool.residents(room);
  static const std::vector<PodId> kNobody;
  world_ = &cluster.derived<kube::World>();
  for (const NodeId node : cluster.nodes().ids()) {
    const std::vector<PodId>& here = residents[node] == nullptr ? kNobody : *residents[node];
    const auto listed = cluster.pods_on(node);
    if (std::equal(here.begin(), here.end(), listed.begin(), listed.end())) continue;
    if (own_world_ == nullptr) {
      own_world_ = std::make_unique<kube::World>(cluster);
      world_ = own_world_.get();
    }
    world_->arrange(node, here);
  }
  return *world_;
}

auto PodFilters::filters_of(TaskId task) -> OfTask& {
  const auto [at, is_new] = by_task_.try_emplace(task.index);
  OfTask& of = at->second;
  if (!is_new) return of;
  const Pool& pool = session_.pool();
  kube::World& world = this->world();
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
    of.filters.push_back(std::move(filter));
  }
  if (const kube::FilterInfo* info = kube::find_filter("InterPodAffinity")) {
    of.affinity = info->make(*of.incoming, kDefaults);
    (void)of.affinity->prepare();
  }
  return of;
}

void PodFilters::begin(TaskId task) {
  const Pool& pool = session_.pool();
  if (!concerned(pool.cluster().pod(pool.task(task).pod))) return;
  OfTask& of = filters_of(task);
  if (of.affinity == nullptr) return;
  if (of.counted_version != session_.newcomers_version()) {
    kube::World& world = this->world();
    const auto settle = [&](std::int64_t by) {
      for (const auto& [other, room] : of.counted) {
        of.affinity->settle(world.incoming(pool.task(other).pod), pool.rooms()[room].node, by);
      }
    };
    settle(-1);
    of.counted.clear();
    for (const RoomId room : pool.rooms().ids()) {
      for (const TaskId other : session_.newcomers(room)) of.counted.emplace_back(other, room);
    }
    settle(1);
    of.counted_version = session_.newcomers_version();
  }
  if (of.affinity->would_skip()) of.affinity.reset();
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
  if (of.affinity != nullptr) {
    of.affinity->enter(node);
    if (of.affinity->check(nullptr) != kube::Code::success) return false;
  }
  kube::World& world = this->world();
  return std::all_of(of.filters.begin(), of.filters.end(), [&](const auto& filter) {
    filter->enter(node);
    for (const TaskId other : session_.newcomers(room)) filter->add(world.incoming(pool.task(other).pod));
    return filter->check(nullptr) == kube::Code::success;
  });
}

}  // namespace previct::kai
