#include "base/text.h"
#include "fit/remedy.h"
#include "overlay/scale_down.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace previct::fit {
namespace {

constexpr std::size_t kMostWorkloads = 10;
constexpr std::size_t kMostPods = 200;  // of one workload

/// The pods that a workload deletes when it is scaled down to a number of replicas.
struct Scale {
  std::int64_t replicas = 0;
  std::vector<PodId> deleted;
  std::vector<std::string> names;  ///< of the pods
};

// The store of the workload's objects, for its source; null: the input lacks the object.
template <class T>
auto meta_in(const std::vector<T>& store, Symbol ns, std::string_view name, const Snapshot& cluster)
    -> const ObjectMeta* {
  const auto found = std::find_if(store.begin(), store.end(), [&](const T& each) {
    return each.meta.ns == ns && cluster.text(each.meta.name) == name;
  });
  return found == store.end() ? nullptr : &found->meta;
}

auto meta_of(const PodOwner& owner, Symbol ns, const Snapshot& cluster) -> const ObjectMeta* {
  const Objects& objects = cluster.objects();
  if (owner.kind == "Deployment") return meta_in(objects.deployments, ns, owner.name, cluster);
  if (owner.kind == "StatefulSet") return meta_in(objects.stateful_sets, ns, owner.name, cluster);
  if (owner.kind == "ReplicaSet") return meta_in(objects.replica_sets, ns, owner.name, cluster);
  return meta_in(objects.replication_controllers, ns, owner.name, cluster);
}

// Numbers of replicas for which the pods are not known are left out.
auto scales_of(const ScaledDown& workload, const std::vector<PodId>& pods, Instant now, const Snapshot& cluster)
    -> std::vector<Scale> {
  std::vector<Scale> scales;
  ScaledDown to = workload;
  for (to.wanted = static_cast<std::int64_t>(pods.size()) - 1; to.wanted >= 0; --to.wanted) {
    auto deleted = deleted_by(to, pods, now, cluster);
    if (!deleted || deleted->empty()) continue;
    Scale& scale = scales.emplace_back(Scale{to.wanted, *std::move(deleted), {}});
    for (const PodId id : scale.deleted) scale.names.push_back(cluster.key(id));
  }
  return scales;
}

auto remedy_of(const PodOwner& owner, std::size_t existing, std::vector<Scale> scales, const ObjectMeta* meta)
    -> Remedy {
  Step step{.kind = Kind::scale,
            .what = fmt::format("{} from {} to ", describe_owner(owner), existing),
            .object = fmt::format("{}/{}/{}", owner.kind, owner.ns, owner.name),
            .field = "spec.replicas",
            .before = std::to_string(existing)};
  if (meta != nullptr) step.source = meta->source;
  const auto all = std::make_shared<const std::vector<Scale>>(std::move(scales));
  const auto at = [all](std::int64_t degree) -> const Scale& { return (*all)[static_cast<std::size_t>(degree) - 1]; };
  return {.kind = Kind::scale,
          .most = static_cast<std::int64_t>(all->size()),
          .turn =
              [at](ChangedCluster& changed, std::int64_t degree) {
                for (const PodId pod : at(degree).deleted) changed.remove(pod);
              },
          .step =
              [at, step](std::int64_t degree) {
                constexpr std::size_t kPodsNamed = 3;
                const Scale& scale = at(degree);
                Step made = step;
                made.after = std::to_string(scale.replicas);
                made.what += counted(static_cast<std::size_t>(scale.replicas), "replica", "replicas");
                made.note = fmt::format("deletes {}", joined_up_to(kPodsNamed, scale.names));
                return made;
              }};
}

}  // namespace

auto remedies_of_scale(const Snapshot& cluster, PodId subject, const std::vector<PodId>& pods, Instant now)
    -> std::vector<Remedy> {
  std::set<PodOwner> seen = {owner_of_pod(cluster, cluster.pod(subject))};
  std::vector<Remedy> remedies;
  for (const PodId id : pods) {
    if (remedies.size() == kMostWorkloads) break;
    const Pod& pod = cluster.pod(id);
    const PodOwner owner = owner_of_pod(cluster, pod);
    const bool scales = owner.kind == "Deployment" || owner.kind == "StatefulSet" || owner.kind == "ReplicaSet" ||
                        owner.kind == "ReplicationController";
    if (!scales || !seen.insert(owner).second) continue;
    const std::string_view owner_kind = owner.kind == "Deployment" ? "ReplicaSet" : std::string_view(owner.kind);
    const ScaledDown workload{{owner.kind, owner_kind}, pod.meta.ns, owner.name};
    const std::vector<PodId> active = active_pods(workload.workload, pod.meta.ns, owner.name, cluster);
    if (active.size() > kMostPods) continue;
    std::vector<Scale> to = scales_of(workload, active, now, cluster);
    if (to.empty()) continue;
    remedies.push_back(remedy_of(owner, active.size(), std::move(to), meta_of(owner, pod.meta.ns, cluster)));
  }
  return remedies;
}

}  // namespace previct::fit
