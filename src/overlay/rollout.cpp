#include "overlay/rollout.h"

#include "cluster/controlled_pods.h"
#include "cluster/deployment_sets.h"
#include "cluster/snapshot.h"
#include "overlay/scale_down.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace previct {
namespace {

// The object before the overlay; null: the input lacks it.
template <class T>
auto stored(const std::vector<T>& store, Symbol ns, std::string_view name, const Symbols& symbols) -> const T* {
  const auto found = std::find_if(store.begin(), store.end(), [&](const T& each) {
    return each.meta.ns == ns && symbols.text(each.meta.name) == name && each.meta.uid && !each.meta.deleting;
  });
  return found == store.end() ? nullptr : &*found;
}

auto shows_deployment(Symbol ns, std::string_view name, const Snapshot& cluster) -> bool {
  const Objects& objects = cluster.objects();
  const Deployment* const deployment = stored(objects.deployments, ns, name, cluster.symbols());
  if (deployment == nullptr) return false;
  std::map<Symbol, std::size_t> pods;  // by ReplicaSet
  for (const PodId id : active_pods({"Deployment", "ReplicaSet"}, ns, name, cluster))
    ++pods[controller_of(cluster.pod(id).meta)->name];
  std::vector<const ReplicaSet*> sets;
  for (const ReplicaSet& set : objects.replica_sets) {
    if (!controls(*deployment, set, cluster.symbols())) continue;
    sets.push_back(&set);
    if (set.spec.replicas != 0 && !is_whole(set, pods[set.meta.name], cluster.symbols())) return false;
    pods.erase(set.meta.name);
  }
  // With several active sets, a rollout is under way already.
  return pods.empty() && is_rolled_out(*deployment, sets, cluster.symbols());
}

auto shows_set(Symbol ns, std::string_view name, const Snapshot& cluster) -> bool {
  const StatefulSet* const set = stored(cluster.objects().stateful_sets, ns, name, cluster.symbols());
  const Symbol label = cluster.symbol("controller-revision-hash");
  if (set == nullptr || !set->status.update_revision || !set->spec.replicas || !label) return false;
  const std::vector<PodId> pods = active_pods({"StatefulSet", "StatefulSet"}, ns, name, cluster);
  return static_cast<std::int64_t>(pods.size()) == *set->spec.replicas && set->status.replicas == *set->spec.replicas &&
         std::all_of(pods.begin(), pods.end(),
                     [&](PodId id) { return cluster.pod(id).meta.labels.get(label) == set->status.update_revision; });
}

}  // namespace

auto shows_rollout(std::string_view kind, Symbol ns, std::string_view name, Objects& objects) -> bool {
  const Snapshot cluster(objects);
  if (kind == kinds::deployments.name) return shows_deployment(ns, name, cluster);
  return kind == kinds::stateful_sets.name && shows_set(ns, name, cluster);
}

void keep_settings(const Deployment& from, Deployment& to) {
  DeploymentSpec& spec = to.spec;
  if (!spec.replicas) spec.replicas = from.spec.replicas;
  if (spec.min_ready_seconds == 0) spec.min_ready_seconds = from.spec.min_ready_seconds;
  spec.paused = spec.paused || from.spec.paused;
  const DeploymentRollingUpdate& limits = spec.strategy.rolling_update;
  if (!spec.strategy.type && !limits.max_surge && !limits.max_unavailable) spec.strategy = from.spec.strategy;
}

void keep_settings(const StatefulSet& from, StatefulSet& to, Symbols& symbols) {
  if (!to.spec.replicas) to.spec.replicas = from.spec.replicas;
  if (to.spec.min_ready_seconds == 0) to.spec.min_ready_seconds = from.spec.min_ready_seconds;
  if (!to.spec.pod_management_policy) to.spec.pod_management_policy = from.spec.pod_management_policy;
  const StatefulSetUpdateStrategy& strategy = to.spec.update_strategy;
  if (!strategy.type && strategy.rolling_update.partition == 0) to.spec.update_strategy = from.spec.update_strategy;
  to.status.update_revision = symbols.intern(fmt::format("{}-new", symbols.text(to.meta.name)));
}

}  // namespace previct
