#include "cluster/controlled_pods.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

// The number of running pods of each owner, counted once for all answers.
struct RunningPods {
  explicit RunningPods(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      if (cluster.node_of(id) && !cluster.pod(id).meta.deleting) ++of[owner_of_pod(cluster, cluster.pod(id))];
    }
  }
  std::map<PodOwner, std::size_t> of;
};

}  // namespace

// The name of a ReplicaSet of a Deployment is the Deployment's name and the hash of its pod template.
auto owner_of_pod(const Snapshot& cluster, const Pod& pod) -> PodOwner {
  const ObjectMeta& meta = pod.meta;
  const std::string ns(cluster.text(meta.ns));
  const OwnerReference* const owner = controller_of(meta);
  if (owner == nullptr) return {ns, "Pod", std::string(cluster.text(meta.name))};
  const std::string kind(cluster.text(owner->kind));
  const std::string name(cluster.text(owner->name));
  const Symbol label = cluster.symbol("pod-template-hash");
  const std::string ending = label ? fmt::format("-{}", cluster.text(meta.labels.get(label))) : std::string();
  const bool of_deployment =
      kind == "ReplicaSet" && ending.size() > 1 && name.size() > ending.size() && name.ends_with(ending);
  if (of_deployment) return {ns, "Deployment", name.substr(0, name.size() - ending.size())};
  return {ns, kind, name};
}

auto describe_owner(const PodOwner& owner) -> std::string {
  return fmt::format("{} {}/{}", owner.kind, owner.ns, owner.name);
}

auto running_pods(const Snapshot& cluster, const PodOwner& owner) -> std::size_t {
  const std::map<PodOwner, std::size_t>& running = cluster.derived<RunningPods>().of;
  const auto found = running.find(owner);
  return found == running.end() ? 0 : found->second;
}

auto describe_pods(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string {
  if (pods.size() == 1) return cluster.key(pods.front());
  const std::string many = counted(pods.size(), "pod", "pods");
  if (pods.empty() || controller_of(cluster.pod(pods.front()).meta) == nullptr) return many;
  const PodOwner owner = owner_of_pod(cluster, cluster.pod(pods.front()));
  const bool one_owner = std::all_of(pods.begin(), pods.end(),
                                     [&](PodId pod) { return owner_of_pod(cluster, cluster.pod(pod)) == owner; });
  if (!one_owner) return many;
  const std::size_t all = running_pods(cluster, owner);
  return all > pods.size() ? fmt::format("{} of {} pods of {}", pods.size(), all, describe_owner(owner))
                           : fmt::format("{} of {}", many, describe_owner(owner));
}

auto belongs_to_node(const Pod& pod, const Snapshot& cluster) -> bool {
  return std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(), [&](const OwnerReference& owner) {
    const std::string_view kind = cluster.text(owner.kind);
    return kind == kinds::daemon_sets.name || kind == kinds::nodes.name;
  });
}

auto is_terminating(const Snapshot& cluster, Symbol ns) -> bool {
  const auto& all = cluster.objects().namespaces;
  return std::any_of(all.begin(), all.end(),
                     [&](const Namespace& each) { return each.meta.name == ns && each.meta.deleting; });
}

}  // namespace previct
