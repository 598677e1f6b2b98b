#include "engine/kueue/release_pods.h"

#include "engine/kueue/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct::kueue {
namespace {

void add_flavor(const ResourceFlavorSpec& flavor, PodSpec& spec) {
  for (const auto& [key, value] : flavor.node_labels) spec.node_selector.set(key, value);
  for (const TaintToleration& toleration : flavor.tolerations) spec.tolerations.push_back(toleration);
}

auto flavor_object(const QueueInfo& queue, Symbol name) -> const ResourceFlavor* {
  for (const FlavorGroup& group : queue.groups) {
    for (const FlavorOfGroup& flavor : group.flavors) {
      if (flavor.name == name) return flavor.object;
    }
  }
  return nullptr;
}

// Other gates keep the pod waiting. Source: apis/kueue/v1beta2/constants.go ElasticJobSchedulingGate, topology_types.go
// TopologySchedulingGate; pkg/controller/jobs/pod/constants/constants.go SchedulingGateName.
void remove_gates(const Snapshot& cluster, PodSpec& spec) {
  decltype(spec.scheduling_gates) kept;
  for (const Named& gate : std::as_const(spec.scheduling_gates)) {
    if (!cluster.text(gate.name).starts_with("kueue.x-k8s.io/")) kept.push_back(gate);
  }
  spec.scheduling_gates = std::move(kept);
}

// The pods that wait at Kueue's gate for the workload, which was made of them. Those of a group name their pod set by
// the hash of their role. Source: pkg/controller/jobs/pod/pod_controller.go constructGroupPodSets.
auto gated_pods(const Inventory& inventory, WorkloadId workload, const PodSet& set) -> std::vector<PodId> {
  const Snapshot& cluster = inventory.cluster();
  const Symbol gate = cluster.symbol("kueue.x-k8s.io/admission");
  const Symbol role = cluster.symbol("kueue.x-k8s.io/role-hash");
  const bool only_set = inventory.workloads()[workload].object->spec.pod_sets.size() == 1;
  std::vector<PodId> pods = pods_of(inventory, workload);
  std::erase_if(pods, [&](PodId id) {
    const Pod& pod = cluster.pod(id);
    const auto& gates = std::as_const(pod.spec.scheduling_gates);
    const bool waits = gate && !pod.meta.deleting && !cluster.finished(id) &&
                       std::any_of(gates.begin(), gates.end(), [&](const Named& each) { return each.name == gate; });
    return !waits || !(only_set || (role && set.name && pod.meta.annotations.get(role) == set.name));
  });
  return pods;
}

void add_flavors(const QueueInfo& queue, const AssignedPodSet& set, PodSpec& spec) {
  std::vector<Symbol> seen;
  for (const ChosenFlavor& each : set.flavors) {
    if (std::find(seen.begin(), seen.end(), each.flavor) != seen.end()) continue;
    seen.push_back(each.flavor);
    if (const ResourceFlavor* const flavor = flavor_object(queue, each.flavor)) add_flavor(flavor->spec, spec);
  }
}

// Nodes that were provisioned for the workload are in the input once the check is ready.
auto placed_elsewhere(const Inventory& inventory, const Entry& entry, const AssignedPodSet& set) -> std::optional<Gap> {
  for (const ChosenFlavor& each : set.flavors) {
    const AdmissionCheck* const check = check_that_places(inventory, inventory.queues()[entry.queue], each.flavor);
    if (check == nullptr) continue;
    if (inventory.text(check->spec.controller_name) == kMultiKueue) return Gap{GapRule::kueue_multikueue};
    const auto& states = inventory.workloads()[entry.workload].object->status.admission_checks;
    const bool ready = std::any_of(states.begin(), states.end(), [&](const AdmissionCheckState& state) {
      return state.name == check->meta.name && inventory.text(state.state) == "Ready";
    });
    if (!ready) return Gap{GapRule::kueue_provisioning, {std::string(inventory.text(check->meta.name))}};
  }
  return {};
}

// The pods get the labels of their domain as nodeSelector. Source: pkg/controller/tas/topology_ungater.go.
void split(const Inventory& inventory, const AssignedPodSet& set, std::vector<ReleasedPods>& all) {
  const TopologyFlavor* const flavor = inventory.topologies().find(set.topology_flavor);
  if (flavor == nullptr || set.placed->empty()) return;
  ReleasedPods whole = std::move(all.back());
  all.pop_back();
  std::size_t first = 0;  // of the pods that exist
  for (const PlacedPods& each : *set.placed) {
    ReleasedPods& part = all.emplace_back(whole);
    part.count = static_cast<std::size_t>(std::max<std::int64_t>(each.count, 0));
    part.what = fmt::format("{} in {}", whole.what, each.domain);
    part.pod.meta.name =
        inventory.cluster().symbols().intern(fmt::format("{}-{}", inventory.text(whole.pod.meta.name), all.size()));
    const std::size_t end = std::min(first + part.count, whole.existing.size());
    part.existing.assign(whole.existing.begin() + static_cast<std::ptrdiff_t>(first),
                         whole.existing.begin() + static_cast<std::ptrdiff_t>(end));
    first = end;
    const auto select = [&](PodSpec& spec) {
      for (std::size_t level = 0; level < each.values.size(); ++level)
        spec.node_selector.set(flavor->levels()[level], each.values[level]);
    };
    select(part.pod.spec);
    for (auto& [id, spec] : part.existing) select(spec);
  }
}

}  // namespace

auto released_by(const EngineTrace& account) -> std::vector<ReleasedPods> {
  const Entry* const entry = account.entry();
  const bool gets_quota =
      entry != nullptr && (entry->outcome == EntryOutcome::admitted || entry->outcome == EntryOutcome::reserved ||
                           entry->outcome == EntryOutcome::preempting);
  if (!gets_quota) return {};
  const Inventory& inventory = *account.inventory;
  const Snapshot& cluster = inventory.cluster();
  const Workload& object = *inventory.workloads()[account.workload].object;
  const QueueInfo& queue = inventory.queues()[entry->queue];
  const auto owned_by = [&](std::string_view kind) {
    return std::any_of(object.meta.owners.begin(), object.meta.owners.end(),
                       [&](const OwnerReference& owner) { return cluster.text(owner.kind) == kind; });
  };
  std::vector<ReleasedPods> all;
  for (const AssignedPodSet& set : entry->assignment.sets) {
    const PodSet& of = object.spec.pod_sets[set.index];
    ReleasedPods& released = all.emplace_back();
    released.what = fmt::format("pod set {}", name_of(of, cluster));
    released.count = static_cast<std::size_t>(std::max<std::int64_t>(set.count, 0));
    released.admitted = owned_by("Pod");
    released.runtime_class = of.pod_template.spec.runtime_class_name;
    Pod& pod = released.pod;
    pod.meta.labels = of.pod_template.meta.labels;
    pod.meta.annotations = of.pod_template.meta.annotations;
    pod.meta.ns = object.meta.ns;
    pod.meta.name =
        cluster.symbols().intern(fmt::format("{}-{}", cluster.text(object.meta.name), name_of(of, cluster)));
    pod.meta.source = object.meta.source;
    if (owned_by("Job")) pod.meta.owners = object.meta.owners;
    pod.spec = of.pod_template.spec;
    pod.status.phase = cluster.symbols().intern("Pending");
    remove_gates(cluster, pod.spec);
    add_flavors(queue, set, pod.spec);
    released.placed_elsewhere = placed_elsewhere(inventory, *entry, set);
    for (const PodId id : gated_pods(inventory, account.workload, of)) {
      auto& [same, spec] = released.existing.emplace_back(id, cluster.pod(id).spec);
      remove_gates(cluster, spec);
      add_flavors(queue, set, spec);
    }
    if (set.placed) split(inventory, set, all);
  }
  return all;
}

auto pending_objects(const Inventory& inventory, Instant now, std::string_view ns) -> std::vector<AskedObject> {
  const Controller start(inventory, now);
  std::vector<AskedObject> all;
  const auto add = [&](WorkloadId id) {
    const ObjectMeta& meta = inventory.workloads()[id].object->meta;
    if (ns.empty() || inventory.text(meta.ns) == ns)
      all.push_back({std::string(inventory.text(meta.ns)), std::string(inventory.text(meta.name)),
                     start.not_queued(id) == NotQueued::reserved});
  };
  std::vector<QueueId> queues;
  for (const QueueId id : inventory.queues().ids()) queues.push_back(id);
  std::sort(queues.begin(), queues.end(),
            [&](QueueId a, QueueId b) { return inventory.queues()[a].name < inventory.queues()[b].name; });
  for (const QueueId id : queues) {
    for (const WorkloadId waiting : start.queue(id, false)) add(waiting);
  }
  std::vector<WorkloadId> others;
  for (const WorkloadId id : inventory.workloads().ids()) {
    const NotQueued why = start.not_queued(id);
    const bool waits =
        why != NotQueued::no && why != NotQueued::finished && why != NotQueued::deleting && why != NotQueued::admitted;
    if (waits) others.push_back(id);
  }
  std::sort(others.begin(), others.end(),
            [&](WorkloadId a, WorkloadId b) { return inventory.workloads()[a].key < inventory.workloads()[b].key; });
  for (const WorkloadId id : others) add(id);
  return all;
}

}  // namespace previct::kueue
