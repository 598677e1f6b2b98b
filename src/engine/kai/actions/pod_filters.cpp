#include "engine/kai/actions/pod_filters.h"

#include "engine/kube/unknown_volumes.h"

#include <algorithm>

namespace previct::kai {

PodFilters::PodFilters(const Session& session) : session_(session) {
  for (const Pod& pod : session.cluster_info().cluster().pods()) {
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

// Usually returns the NodeInfos of the cluster, which all cycles share.
auto PodFilters::node_infos() -> kube::NodeInfoSnapshot& {
  if (node_infos_ != nullptr) return *node_infos_;
  const ClusterInfo& cluster_info = session_.cluster_info();
  const Snapshot& cluster = cluster_info.cluster();
  IdVector<NodeId, const std::vector<PodId>*> residents(cluster.nodes().size());
  for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids())
    residents[cluster_info.shard_nodes()[shard_node].node] = &cluster_info.residents(shard_node);
  static const std::vector<PodId> kNobody;
  node_infos_ = &cluster.derived<kube::NodeInfoSnapshot>();
  const auto arrange = [&](NodeId node, const std::vector<PodId>& here) {
    if (own_node_infos_ == nullptr) {
      own_node_infos_ = std::make_unique<kube::NodeInfoSnapshot>(cluster);
      node_infos_ = own_node_infos_.get();
    }
    node_infos_->arrange(node, here);
  };
  for (const NodeId node : cluster.nodes().ids()) {
    const std::vector<PodId>& here = residents[node] == nullptr ? kNobody : *residents[node];
    const auto listed = cluster.pods_on(node);
    if (!std::equal(here.begin(), here.end(), listed.begin(), listed.end())) arrange(node, here);
  }
  return *node_infos_;
}

auto PodFilters::filters_of(TaskId task) -> OfTask& {
  const auto [at, is_new] = by_task_.try_emplace(task.index);
  OfTask& of = at->second;
  if (!is_new) return of;
  const ClusterInfo& cluster_info = session_.cluster_info();
  kube::NodeInfoSnapshot& node_infos = this->node_infos();
  of.incoming =
      std::make_unique<kube::Incoming>(kube::Incoming{node_infos, node_infos.incoming(cluster_info.task(task).pod)});
  static const kube::FilterSettings kDefaults;
  const Pod& pod = cluster_info.cluster().pod(cluster_info.task(task).pod);
  const bool in_reach = kube::unknown_volumes(cluster_info.cluster(), pod).has_value();
  // None of these filters restricts the set of nodes to check.
  for (const kube::FilterInfo* info : kube::filters()) {
    if (!info->kai || (in_reach && kube::looks_at_volumes(info))) continue;
    auto filter = info->make(*of.incoming, kDefaults);
    kube::Prepared prepared = filter->prepare();
    if (info->looks_at == kube::LooksAt::all_pods) {
      of.affinity = std::move(filter);
      continue;
    }
    if (prepared.skip) continue;
    of.rejected = of.rejected || !prepared.rejection.ok();
    of.no_volume =
        of.no_volume || (kube::looks_at_volumes(info) && prepared.rejection.code == kube::Code::unresolvable);
    of.filters.push_back(std::move(filter));
  }
  return of;
}

void PodFilters::begin(TaskId task) {
  const ClusterInfo& cluster_info = session_.cluster_info();
  if (!concerned(cluster_info.cluster().pod(cluster_info.task(task).pod))) return;
  OfTask& of = filters_of(task);
  if (of.affinity == nullptr) return;
  if (of.counted_version != session_.newcomers_version()) {
    kube::NodeInfoSnapshot& node_infos = this->node_infos();
    const auto settle = [&](std::int64_t by) {
      for (const auto& [other, shard_node] : of.counted) {
        of.affinity->settle(node_infos.incoming(cluster_info.task(other).pod),
                            cluster_info.shard_nodes()[shard_node].node, by);
      }
    };
    settle(-1);
    of.counted.clear();
    for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids()) {
      for (const TaskId other : session_.newcomers(shard_node)) of.counted.emplace_back(other, shard_node);
    }
    settle(1);
    of.counted_version = session_.newcomers_version();
  }
  if (of.affinity->would_skip()) of.affinity.reset();
}

auto PodFilters::no_volume(TaskId task) -> bool {
  return session_.cluster_info().cluster().pod(session_.cluster_info().task(task).pod).spec.has_storage() &&
         filters_of(task).no_volume;
}

auto PodFilters::accept(TaskId task, ShardNodeId shard_node) -> bool {
  const ClusterInfo& cluster_info = session_.cluster_info();
  if (!concerned(cluster_info.cluster().pod(cluster_info.task(task).pod))) return true;
  OfTask& of = filters_of(task);
  if (of.rejected) return false;
  const NodeId node = cluster_info.shard_nodes()[shard_node].node;
  if (of.affinity != nullptr) {
    of.affinity->enter(node);
    if (of.affinity->check(nullptr) != kube::Code::success) return false;
  }
  kube::NodeInfoSnapshot& node_infos = this->node_infos();
  return std::all_of(of.filters.begin(), of.filters.end(), [&](const auto& filter) {
    filter->enter(node);
    for (const TaskId other : session_.newcomers(shard_node))
      filter->add(node_infos.incoming(cluster_info.task(other).pod));
    return filter->check(nullptr) == kube::Code::success;
  });
}

}  // namespace previct::kai
