#include "sequence/drained_nodes.h"

#include "sequence/controllers.h"

#include <algorithm>

namespace previct::sequence {
namespace {

auto has_empty_dir(const Pod& pod) -> bool {
  const auto& volumes = pod.spec.volumes;
  return std::any_of(volumes.begin(), volumes.end(),
                     [](const Volume& each) { return each.disk.kind == DiskKind::empty_dir; });
}

class DrainList {
 public:
  explicit DrainList(const Snapshot& cluster)
      : cluster_(cluster), mirror_(cluster.symbol("kubernetes.io/config.mirror")) {}

  void add(PodId id) {
    const Pod& pod = cluster_.pod(id);
    const Owner owner = owner_of(cluster_, pod);
    if (owner.maker == ControllerKind::daemon_set) return need("--ignore-daemonsets");
    if (owner.maker == ControllerKind::kubelet || (mirror_ && pod.meta.annotations.has(mirror_))) return;
    if (has_empty_dir(pod)) need("--delete-emptydir-data");
    if (controller_of(pod.meta) == nullptr) need("--force");
    drain_.evicted.push_back(id);
  }

  [[nodiscard]] auto run() -> Drain {
    std::sort(drain_.evicted.begin(), drain_.evicted.end(),
              [&](PodId a, PodId b) { return cluster_.key(a) < cluster_.key(b); });
    std::sort(drain_.flags.begin(), drain_.flags.end());
    return std::move(drain_);
  }

 private:
  void need(const char* flag) {
    if (std::find(drain_.flags.begin(), drain_.flags.end(), flag) == drain_.flags.end())
      drain_.flags.emplace_back(flag);
  }

  const Snapshot& cluster_;
  Symbol mirror_;
  Drain drain_;
};

}  // namespace

auto drain_of(std::span<const NodeId> nodes, const Snapshot& cluster) -> Drain {
  DrainList list(cluster);
  for (const NodeId node : nodes) {
    for (const PodId pod : cluster.pods_on(node)) list.add(pod);
  }
  return list.run();
}

void cordon(std::span<const NodeId> nodes, ChangedCluster& changed) {
  for (const NodeId node : nodes) changed.node(node).spec.unschedulable = true;
}

}  // namespace previct::sequence
