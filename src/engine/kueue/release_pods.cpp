#include "engine/kueue/release_pods.h"

#include <fmt/format.h>

#include <algorithm>

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

// The pods get the labels of their domain as nodeSelector. Source: pkg/controller/tas/topology_ungater.go.
void split(const Inventory& inventory, const AssignedPodSet& set, std::vector<ReleasedPods>& all) {
  const TopologyFlavor* const flavor = inventory.topologies().find(set.topology_flavor);
  if (flavor == nullptr || set.placed->empty()) return;
  const ReleasedPods whole = std::move(all.back());
  all.pop_back();
  for (const PlacedPods& each : *set.placed) {
    ReleasedPods& part = all.emplace_back(whole);
    part.count = static_cast<std::size_t>(std::max<std::int64_t>(each.count, 0));
    part.what = fmt::format("{} in {}", whole.what, each.domain);
    part.pod.meta.name =
        inventory.cluster().symbols().intern(fmt::format("{}-{}", inventory.text(whole.pod.meta.name), all.size()));
    for (std::size_t level = 0; level < each.values.size(); ++level)
      part.pod.spec.node_selector.set(flavor->levels()[level], each.values[level]);
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
  std::vector<ReleasedPods> all;
  for (const AssignedPodSet& set : entry->assignment.sets) {
    const PodSet& of = object.spec.pod_sets[set.index];
    ReleasedPods& released = all.emplace_back();
    released.what = fmt::format("pod set {}", name_of(of, cluster));
    released.count = static_cast<std::size_t>(std::max<std::int64_t>(set.count, 0));
    Pod& pod = released.pod;
    pod.meta.ns = object.meta.ns;
    pod.meta.name =
        cluster.symbols().intern(fmt::format("{}-{}", cluster.text(object.meta.name), name_of(of, cluster)));
    pod.spec = of.pod_template.spec;
    pod.status.phase = cluster.symbols().intern("Pending");
    std::vector<Symbol> seen;
    for (const ChosenFlavor& each : set.flavors) {
      if (std::find(seen.begin(), seen.end(), each.flavor) != seen.end()) continue;
      seen.push_back(each.flavor);
      if (const ResourceFlavor* const flavor = flavor_object(inventory.queues()[entry->queue], each.flavor))
        add_flavor(flavor->spec, pod.spec);
    }
    const PriorityClass* const named = cluster.priority_class(pod.spec.priority_class_name);
    if (!pod.spec.has_priority && (named != nullptr || !pod.spec.priority_class_name)) {
      pod.spec.has_priority = true;
      pod.spec.priority = named == nullptr ? 0 : named->value;
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
      all.push_back({std::string(inventory.text(meta.ns)), std::string(inventory.text(meta.name))});
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
    const bool waits = why != NotQueued::no && why != NotQueued::finished && why != NotQueued::admitted &&
                       why != NotQueued::reserved && why != NotQueued::evicting;
    if (waits) others.push_back(id);
  }
  std::sort(others.begin(), others.end(),
            [&](WorkloadId a, WorkloadId b) { return inventory.workloads()[a].key < inventory.workloads()[b].key; });
  for (const WorkloadId id : others) add(id);
  return all;
}

}  // namespace previct::kueue
