#include "overlay/scale_down.h"

#include "cluster/controlled_pods.h"
#include "cluster/surplus_pods.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct {
namespace {

using Pods = std::vector<PodId>;

// The object with this name in a store of workloads; null: the input lacks it.
template <class T>
auto find_object(std::vector<T>& store, Symbol ns, Symbol name) -> T* {
  const auto found = std::find_if(store.begin(), store.end(),
                                  [&](const T& each) { return each.meta.ns == ns && each.meta.name == name; });
  return found == store.end() ? nullptr : &*found;
}

auto controllers_of(const Pods& pods, const Snapshot& cluster) -> std::set<Symbol> {
  std::set<Symbol> names;
  for (const PodId id : pods) names.insert(controller_of(cluster.pod(id).meta)->name);
  return names;
}

// The pods of a StatefulSet beyond its replicas.
auto of_set(const ScaledDown& of, const Pods& pods, const Snapshot& cluster) -> std::optional<Pods> {
  const auto& sets = cluster.objects().stateful_sets;
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const StatefulSet& each) {
    return each.meta.ns == of.ns && cluster.text(each.meta.name) == of.name;
  });
  StatefulSet set = found == sets.end() ? StatefulSet() : *found;
  set.spec.replicas = static_cast<std::int32_t>(of.wanted);
  Pods deleted;
  for (const PodId id : pods) {
    const std::int64_t ordinal = ordinal_of(cluster.text(cluster.pod(id).meta.name));
    if (ordinal < 0) return {};
    if (!wants_ordinal(set, ordinal)) deleted.push_back(id);
  }
  return deleted;
}

// The pods of the only ReplicaSet of a Deployment, of a ReplicaSet, or of a Job.
auto in_order(const ScaledDown& of, const Pods& pods, Instant now, const Snapshot& cluster) -> std::optional<Pods> {
  const std::set<Symbol> controllers = controllers_of(pods, cluster);
  if (controllers.size() != 1) return {};
  for (const ReplicaSet& set : cluster.objects().replica_sets) {
    const bool ours = set.meta.ns == of.ns && set.meta.name == *controllers.begin();
    if (ours && set.status.replicas > static_cast<std::int64_t>(pods.size())) return {};  // the input lacks some
  }
  std::map<Symbol, std::size_t> on_node;
  for (const PodId id : pods) ++on_node[cluster.pod(id).spec.node_name];
  return first_to_delete(
      of.workload.owner == "Job" ? DeletedBy::job : DeletedBy::replica_set, pods,
      pods.size() - static_cast<std::size_t>(of.wanted), [&](const Pod& pod) { return on_node[pod.spec.node_name]; },
      now, cluster);
}

}  // namespace

auto active_pods(const WorkloadOwner& workload, Symbol ns, std::string_view name, const Snapshot& cluster)
    -> std::vector<PodId> {
  Pods found;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (pod.meta.ns != ns || controller_of(pod.meta) == nullptr || cluster.finished(id) || pod.meta.deleting) continue;
    const OwnerReference& controller = *controller_of(pod.meta);
    const bool by_itself = cluster.text(controller.kind) == workload.kind && cluster.text(controller.name) == name;
    const PodOwner owner = owner_of_pod(cluster, pod);
    const bool ours = owner.name == name && (owner.kind == workload.kind || owner.kind == workload.owner);
    if (by_itself || ours) found.push_back(id);
  }
  return found;
}

auto deleted_by(const ScaledDown& of, const Pods& pods, Instant now, const Snapshot& cluster) -> std::optional<Pods> {
  if (static_cast<std::int64_t>(pods.size()) <= of.wanted) return Pods();
  if (of.workload.kind == "StatefulSet") return of_set(of, pods, cluster);
  return of.wanted > 0 ? in_order(of, pods, now, cluster) : pods;
}

auto scale_replica_sets(const ScaledDown& of, Objects& objects) -> bool {
  std::set<Symbol> controllers;
  {
    const Snapshot cluster(objects);
    controllers = controllers_of(active_pods(of.workload, of.ns, of.name, cluster), cluster);
  }
  if (controllers.size() > 1 && of.wanted > 0) return false;
  std::vector<ReplicaSet*> sets;
  for (const Symbol name : controllers) sets.push_back(find_object(objects.replica_sets, of.ns, name));
  const auto unknown = [](const ReplicaSet* set) { return set == nullptr || !set->meta.uid || !set->spec.replicas; };
  if (sets.empty() || std::any_of(sets.begin(), sets.end(), unknown)) return false;
  for (ReplicaSet* const set : sets) set->spec.replicas = static_cast<std::int32_t>(of.wanted);
  return true;
}

}  // namespace previct
