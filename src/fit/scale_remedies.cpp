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
  bool fewest = false;             ///< it is not known which pods would be deleted if one replica more stayed
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
  if (owner.kind == "ReplicationController") return meta_in(objects.replication_controllers, ns, owner.name, cluster);
  return nullptr;
}

auto scales(const PodOwner& owner) -> bool {
  return owner.kind == "Deployment" || owner.kind == "StatefulSet" || owner.kind == "ReplicaSet" ||
         owner.kind == "ReplicationController";
}

// The controller at the top: it sets the replicas of those that it controls, so only its own number lasts.
// Source: kubernetes pkg/controller/deployment/sync.go scale, v1.35.
auto topmost(PodOwner owner, Symbol ns, const Snapshot& cluster) -> PodOwner {
  constexpr int kMostLevels = 4;  // references may form a cycle
  for (int level = 0; level < kMostLevels; ++level) {
    const ObjectMeta* const meta = meta_of(owner, ns, cluster);
    const OwnerReference* const above = meta == nullptr ? nullptr : controller_of(*meta);
    if (above == nullptr) break;
    owner.kind = cluster.text(above->kind);
    owner.name = cluster.text(above->name);
  }
  return owner;
}

// A Deployment with several ReplicaSets divides its replicas among them.
auto has_other_replica_set(const PodOwner& top, const PodOwner& owner, Symbol ns, const Snapshot& cluster) -> bool {
  const auto& sets = cluster.objects().replica_sets;
  return std::any_of(sets.begin(), sets.end(), [&](const ReplicaSet& set) {
    const OwnerReference* const above = controller_of(set.meta);
    return set.meta.ns == ns && above != nullptr && cluster.text(above->kind) == top.kind &&
           cluster.text(above->name) == top.name && cluster.text(set.meta.name) != owner.name &&
           set.spec.replicas.value_or(1) > 0;
  });
}

// Numbers of replicas for which the pods are not known are left out.
auto scales_of(const ScaledDown& workload, const std::vector<PodId>& pods, Instant now, const Snapshot& cluster)
    -> std::vector<Scale> {
  std::vector<Scale> scales;
  ScaledDown to = workload;
  bool open = false;
  for (to.wanted = static_cast<std::int64_t>(pods.size()) - 1; to.wanted >= 0; --to.wanted) {
    auto deleted = deleted_by(to, pods, now, cluster);
    const bool after_open = open;
    open = !deleted;
    if (!deleted || deleted->empty()) continue;
    Scale& scale = scales.emplace_back(Scale{to.wanted, *std::move(deleted), {}, after_open});
    for (const PodId id : scale.deleted) scale.names.push_back(cluster.key(id));
  }
  return scales;
}

auto remedy_of(const PodOwner& owner, std::size_t existing, std::vector<Scale> scales, Symbol ns,
               const Snapshot& cluster) -> Remedy {
  const ObjectMeta* const meta = meta_of(owner, ns, cluster);
  const bool autoscaled = cluster.objects().counts.contains("autoscaling/HorizontalPodAutoscaler");
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
              [at, step, autoscaled](std::int64_t degree) {
                constexpr std::size_t kPodsNamed = 3;
                const Scale& scale = at(degree);
                Step made = step;
                made.after = std::to_string(scale.replicas);
                made.what += counted(static_cast<std::size_t>(scale.replicas), "replica", "replicas");
                made.note = fmt::format("deletes {}", joined_up_to(kPodsNamed, scale.names));
                if (scale.fewest)
                  made.note +=
                      fmt::format("; {} may be enough, but it is not known which pods would be deleted",
                                  counted(static_cast<std::size_t>(scale.replicas) + 1, "replica", "replicas"));
                // Their targets and limits are not read.
                if (autoscaled)
                  made.note += "; lasts only if no HorizontalPodAutoscaler of the input scales it up again";
                return made;
              }};
}

}  // namespace

auto remedies_of_scale(const Snapshot& cluster, PodId subject, const std::vector<PodId>& pods, Instant now,
                       std::vector<std::string>& not_searched) -> std::vector<Remedy> {
  std::set<PodOwner> seen = {owner_of_pod(cluster, cluster.pod(subject))};
  std::vector<Remedy> remedies;
  std::vector<std::string> owned;
  for (const PodId id : pods) {
    if (remedies.size() == kMostWorkloads) break;
    const Pod& pod = cluster.pod(id);
    const PodOwner owner = owner_of_pod(cluster, pod);
    if (!scales(owner) || !seen.insert(owner).second) continue;
    const PodOwner top = topmost(owner, pod.meta.ns, cluster);
    if (!scales(top)) {
      owned.push_back(fmt::format("{} of {}", describe_owner(owner), describe_owner(top)));
      continue;
    }
    if (owner.kind == "ReplicaSet" && top != owner && has_other_replica_set(top, owner, pod.meta.ns, cluster)) continue;
    const std::string_view owner_kind = owner.kind == "Deployment" ? "ReplicaSet" : owner.kind;
    const ScaledDown workload{{owner.kind, owner_kind}, pod.meta.ns, std::string(owner.name)};
    const std::vector<PodId> active = active_pods(workload.workload, pod.meta.ns, owner.name, cluster);
    if (active.size() > kMostPods) continue;
    std::vector<Scale> to = scales_of(workload, active, now, cluster);
    if (to.empty()) continue;
    remedies.push_back(remedy_of(top, active.size(), std::move(to), pod.meta.ns, cluster));
  }
  if (!owned.empty()) {
    constexpr std::size_t kNamed = 3;
    const std::string_view whose = owned.size() == 1 ? "its owner sets" : "their owners set";
    not_searched.push_back(fmt::format("scaling {}, whose replicas {}", joined_up_to(kNamed, std::move(owned)), whose));
  }
  return remedies;
}

}  // namespace previct::fit
