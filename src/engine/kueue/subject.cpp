#include "engine/kueue/subject.h"

#include "base/text.h"
#include "cluster/where_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace previct::kueue {
namespace {

/// The workloads that pods belong to.
struct Owners {
  explicit Owners(const Snapshot& cluster) {
    const Symbol named = cluster.symbol("kueue.x-k8s.io/workload");
    const Symbol group = cluster.symbol("kueue.x-k8s.io/pod-group-name");
    for (const Workload& each : cluster.objects().kueue_workloads) {
      for (const OwnerReference& owner : each.meta.owners) {
        if (owner.uid) by_owner.emplace(owner.uid.index, &each);
      }
      by_name.emplace(key(each.meta.ns, each.meta.name), &each);
    }
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      for (const Symbol mark :
           {named ? pod.meta.annotations.get(named) : Symbol{}, group ? pod.meta.labels.get(group) : Symbol{}}) {
        const auto found = mark ? by_name.find(key(pod.meta.ns, mark)) : by_name.end();
        if (found != by_name.end()) of_pod.try_emplace(id.index, found->second);
      }
      for (const OwnerReference& owner : pod.meta.owners) {
        const auto found = owner.uid ? by_owner.find(owner.uid.index) : by_owner.end();
        if (found != by_owner.end()) of_pod.try_emplace(id.index, found->second);
      }
      const auto own = pod.meta.uid ? by_owner.find(pod.meta.uid.index) : by_owner.end();
      if (own != by_owner.end()) of_pod.try_emplace(id.index, own->second);
    }
  }
  static auto key(Symbol ns, Symbol name) -> std::uint64_t { return (std::uint64_t{ns.index} << 32U) | name.index; }

  std::unordered_map<std::uint32_t, const Workload*> by_owner;
  std::unordered_map<std::uint64_t, const Workload*> by_name;
  std::unordered_map<std::uint32_t, const Workload*> of_pod;
};

auto id_of(const Inventory& inventory, const Workload& workload) -> WorkloadId {
  return inventory.find(inventory.text(workload.meta.ns), inventory.text(workload.meta.name));
}

auto no_such_workload(const Inventory& inventory, const std::string& wanted) {
  std::vector<std::string> keys;
  for (const WorkloadInfo& each : inventory.workloads()) keys.push_back(each.key);
  const auto meant = nearest(wanted, keys);
  return fail(fmt::format("no workload {} {}{} ({})", wanted, where_read(inventory.cluster().objects()),
                          meant ? fmt::format("; did you mean {}?", *meant) : "",
                          counted(keys.size(), "workload", "workloads")),
              {}, keys.empty() ? "add them: kubectl get workloads.kueue.x-k8s.io -A -o yaml" : "");
}

}  // namespace

auto has_workload(const Snapshot& cluster, PodId pod) -> bool {
  return cluster.derived<Owners>().of_pod.contains(pod.index);
}

auto workload_of(const Inventory& inventory, PodId pod) -> WorkloadId {
  const auto& owners = inventory.cluster().derived<Owners>();
  const auto found = owners.of_pod.find(pod.index);
  return found == owners.of_pod.end() ? WorkloadId{} : id_of(inventory, *found->second);
}

auto pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId> {
  const auto& owners = inventory.cluster().derived<Owners>();
  std::vector<PodId> pods;
  for (const auto& [pod, of] : owners.of_pod) {
    if (of == inventory.workloads()[workload].object) pods.push_back({pod});
  }
  std::sort(pods.begin(), pods.end());
  return pods;
}

auto running_pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId> {
  std::vector<PodId> pods = pods_of(inventory, workload);
  const Snapshot& cluster = inventory.cluster();
  std::erase_if(pods, [&](PodId pod) { return cluster.pending(pod) || cluster.finished(pod); });
  return pods;
}

auto find_asked(const Inventory& inventory, const Question& question) -> Result<WorkloadId> {
  const Snapshot& cluster = inventory.cluster();
  const std::string wanted = fmt::format("{}/{}", question.ns, question.name);
  if (question.kind == "pod") {
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (!pod) return fail(fmt::format("no pod {} in the input", wanted));
    if (const WorkloadId found = workload_of(inventory, pod)) return found;
    return fail(fmt::format("the input has no workload of pod {}", wanted), cluster.pod(pod).meta.source,
                "Kueue creates one when the pod is created; to explain the workload, use workload/NAMESPACE/NAME");
  }
  if (const WorkloadId found = inventory.find(question.ns, question.name)) return found;
  return no_such_workload(inventory, wanted);
}

}  // namespace previct::kueue
