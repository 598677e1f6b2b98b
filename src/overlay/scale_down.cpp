#include "overlay/scale_down.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/surplus_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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
  std::vector<const Pod*> active;
  for (const PodId id : pods) {
    active.push_back(&cluster.pod(id));
    ++on_node[cluster.pod(id).spec.node_name];
  }
  const auto first = first_to_delete(
      of.workload.owner == "Job" ? DeletedBy::job : DeletedBy::replica_set, active,
      pods.size() - static_cast<std::size_t>(of.wanted), [&](const Pod& pod) { return on_node[pod.spec.node_name]; },
      now, cluster.symbols());
  if (!first) return {};
  Pods deleted;
  for (const PodId id : pods) {
    if (std::find(first->begin(), first->end(), &cluster.pod(id)) != first->end()) deleted.push_back(id);
  }
  return deleted;
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

auto scale_down(const ScaledDown& of, const Pods& pods, Instant now, const Snapshot& cluster) -> ScaleDown {
  ScaleDown result;
  if (static_cast<std::int64_t>(pods.size()) <= of.wanted) return result;
  const std::string what = fmt::format("{} {}/{}", of.workload.kind, cluster.text(of.ns), of.name);
  std::optional<Pods> deleted = pods;
  if (of.workload.kind == "StatefulSet") {
    deleted = of_set(of, pods, cluster);
  } else if (of.wanted > 0) {
    deleted = in_order(of, pods, now, cluster);
  }
  if (!deleted) {
    result.unknown = {what, std::to_string(pods.size()), std::to_string(of.wanted)};
    return result;
  }
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  for (const PodId id : *deleted) names.push_back(cluster.key(id));
  result.remark = fmt::format("{} has deleted {} of its {}: {}", what, deleted->size(),
                              counted(pods.size(), "pod", "pods"), joined_up_to(kNamed, std::move(names)));
  result.deleted = *std::move(deleted);
  return result;
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
