#include "engine/kueue/subject.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/where_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace previct::kueue {
namespace {

/// A label with which a controller marks the pods of its objects: its value is the name of an object of this kind.
struct MarkOfOwner {
  std::string_view label;
  std::string_view kind;
};
// The pods of these kinds may belong to other objects in between, which the input may lack.
// Source: kubernetes-sigs/jobset: api/jobset/v1alpha2/jobset_types.go JobSetNameKey; kubeflow/trainer:
// pkg/runtime/framework/plugins/jobset/jobset.go, whose JobSet has the name of the TrainJob; kubeflow/mpi-operator:
// pkg/apis/kubeflow/v2beta1/constants.go JobNameLabel; project-codeflare/appwrapper: api/v1beta2/appwrapper_types.go
// AppWrapperLabel.
constexpr std::array kMarks = {MarkOfOwner{"jobset.sigs.k8s.io/jobset-name", "JobSet"},
                               MarkOfOwner{"jobset.sigs.k8s.io/jobset-name", "TrainJob"},
                               MarkOfOwner{"training.kubeflow.org/job-name", "MPIJob"},
                               MarkOfOwner{"workload.codeflare.dev/appwrapper", "AppWrapper"}};

/// The workloads that pods belong to: those of the objects that own them, directly or through others.
/// Source: pkg/controller/jobframework/reconciler.go FindAncestorJobManagedByKueue.
struct Owners {
  explicit Owners(const Snapshot& cluster) {
    const Objects& objects = cluster.objects();
    const Symbol named = cluster.symbol("kueue.x-k8s.io/workload");
    const Symbol group = cluster.symbol("kueue.x-k8s.io/pod-group-name");
    for (const Workload& each : objects.kueue_workloads) {
      for (const OwnerReference& owner : each.meta.owners) {
        if (owner.uid) by_owner.emplace(owner.uid.index, &each);
        by_kind.emplace(std::tuple(each.meta.ns, owner.kind, owner.name), &each);
      }
      by_name.emplace(key(each.meta.ns, each.meta.name), &each);
    }
    for (const Job& each : objects.jobs) {
      add_owned(each.meta);
      if (each.meta.uid) jobs.emplace(each.meta.uid.index, &each);
    }
    for (const RayCluster& each : objects.ray_clusters) add_owned(each.meta);
    for (const StatefulSet& each : objects.stateful_sets) add_owned(each.meta);
    for (const ReplicaSet& each : objects.replica_sets) add_owned(each.meta);
    std::vector<std::pair<Symbol, Symbol>> marks;  // label and kind, of those that occur
    for (const MarkOfOwner& mark : kMarks) {
      const std::pair both{cluster.symbol(mark.label), cluster.symbol(mark.kind)};
      if (both.first && both.second) marks.push_back(both);
    }
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      for (const Symbol mark :
           {named ? pod.meta.annotations.get(named) : Symbol{}, group ? pod.meta.labels.get(group) : Symbol{}}) {
        const auto found = mark ? by_name.find(key(pod.meta.ns, mark)) : by_name.end();
        if (found != by_name.end()) of_pod.try_emplace(id.index, found->second);
      }
      for (const OwnerReference& owner : pod.meta.owners) {
        if (const Workload* const found = above(owner)) of_pod.try_emplace(id.index, found);
      }
      const auto own = pod.meta.uid ? by_owner.find(pod.meta.uid.index) : by_owner.end();
      if (own != by_owner.end()) of_pod.try_emplace(id.index, own->second);
      for (const auto& [label, kind] : marks) {
        const Symbol name = pod.meta.labels.get(label);
        const auto found = name ? by_kind.find(std::tuple(pod.meta.ns, kind, name)) : by_kind.end();
        if (found != by_kind.end()) of_pod.try_emplace(id.index, found->second);
      }
      if (const auto of = of_pod.find(id.index); of != of_pod.end()) {
        pods[of->second].push_back(id);
      } else if (pod.spec.node_name && !cluster.finished(id) && may_be_owned(pod.meta, cluster)) {
        unclear.insert(pod.meta.ns.index);
      }
    }
  }
  static auto key(Symbol ns, Symbol name) -> std::uint64_t { return (std::uint64_t{ns.index} << 32U) | name.index; }

  void add_owned(const ObjectMeta& meta) {
    if (meta.uid) owned.emplace(meta.uid.index, &meta);
  }

  // The owner above an object; null: it has none, or the input lacks the object.
  [[nodiscard]] auto next(const OwnerReference& owner) const -> const OwnerReference* {
    const auto found = owner.uid ? owned.find(owner.uid.index) : owned.end();
    return found == owned.end() ? nullptr : controller_of(*found->second);
  }

  // The nearest owner that has a workload; null: none is known.
  [[nodiscard]] auto above(const OwnerReference& owner) const -> const Workload* {
    const OwnerReference* at = &owner;
    for (int level = 0; level < kHighest && at != nullptr; ++level, at = next(*at)) {
      const auto found = at->uid ? by_owner.find(at->uid.index) : by_owner.end();
      if (found != by_owner.end()) return found->second;
    }
    return nullptr;
  }

  // Returns true if an owner of the object may have a workload: the input lacks the object at the end of the way up.
  // Owners of these kinds have none, because Kueue makes the workloads of their pods from the pods.
  [[nodiscard]] auto may_be_owned(const ObjectMeta& meta, const Snapshot& cluster) const -> bool {
    constexpr std::array<std::string_view, 6> kOfPods = {"ReplicaSet", "StatefulSet", "ReplicationController",
                                                         "DaemonSet",  "Node",        "CronJob"};
    const OwnerReference* at = controller_of(meta);
    for (int level = 0; level < kHighest && at != nullptr; ++level, at = next(*at)) {
      if (std::find(kOfPods.begin(), kOfPods.end(), cluster.text(at->kind)) != kOfPods.end()) return false;
      if (!at->uid || !owned.contains(at->uid.index)) return true;
    }
    return false;
  }

  static constexpr int kHighest = 8;  // references may form a cycle
  std::unordered_map<std::uint32_t, const Workload*> by_owner;
  std::unordered_map<std::uint64_t, const Workload*> by_name;
  std::map<std::tuple<Symbol, Symbol, Symbol>, const Workload*> by_kind;  ///< of the owner, with its namespace and name
  // By uid: what may be between pods and the objects with workloads; of it, Jobs.
  std::unordered_map<std::uint32_t, const ObjectMeta*> owned;
  std::unordered_map<std::uint32_t, const Job*> jobs;
  std::unordered_map<std::uint32_t, const Workload*> of_pod;
  std::unordered_map<const Workload*, std::vector<PodId>> pods;  ///< in input order
  std::unordered_set<std::uint32_t> unclear;  ///< namespaces with running pods whose owners are not all in the input
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
  const auto& all = inventory.cluster().derived<Owners>().pods;
  const auto found = all.find(inventory.workloads()[workload].object);
  return found == all.end() ? std::vector<PodId>() : found->second;
}

auto running_pods_of(const Inventory& inventory, WorkloadId workload) -> std::vector<PodId> {
  std::vector<PodId> pods = pods_of(inventory, workload);
  const Snapshot& cluster = inventory.cluster();
  std::erase_if(pods, [&](PodId pod) { return cluster.pending(pod) || cluster.finished(pod); });
  return pods;
}

auto lacks_pods(const Inventory& inventory, WorkloadId workload) -> bool {
  const Workload& object = *inventory.workloads()[workload].object;
  if (!inventory.cluster().derived<Owners>().unclear.contains(object.meta.ns.index)) return false;
  std::int64_t expected = 0;
  for (const std::int64_t count : counts_after_reclaim(object, inventory.settings())) expected += count;
  return static_cast<std::int64_t>(pods_of(inventory, workload).size()) < expected;
}

auto goes_with_its_pods(const Inventory& inventory, WorkloadId workload) -> bool {
  const Snapshot& cluster = inventory.cluster();
  const auto& owners = inventory.workloads()[workload].object->meta.owners;
  const bool of_pods = !owners.empty() && std::all_of(owners.begin(), owners.end(), [&](const OwnerReference& each) {
    return cluster.text(each.kind) == "Pod";
  });
  if (!of_pods) return false;
  const std::vector<PodId> pods = pods_of(inventory, workload);
  return !pods.empty() && std::all_of(pods.begin(), pods.end(),
                                      [&](PodId pod) { return controller_of(cluster.pod(pod).meta) == nullptr; });
}

auto pods_to_come(const Inventory& inventory, WorkloadId workload) -> std::int64_t {
  const Snapshot& cluster = inventory.cluster();
  const auto& jobs = cluster.derived<Owners>().jobs;
  const OwnerReference* const owner = controller_of(inventory.workloads()[workload].object->meta);
  const auto found = owner != nullptr && owner->uid ? jobs.find(owner->uid.index) : jobs.end();
  if (found == jobs.end()) return 0;
  const Job& job = *found->second;
  if (creates_no_pods(job, cluster.symbols()) || other_controller_of(job, cluster.symbols())) return 0;
  std::int64_t wanted = job.spec.parallelism.value_or(1);
  if (job.spec.completions) wanted = std::min(wanted, *job.spec.completions - job.status.succeeded);
  for (const PodId pod : pods_of(inventory, workload)) wanted -= cluster.finished(pod) ? 0 : 1;
  return std::max<std::int64_t>(wanted, 0);
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
