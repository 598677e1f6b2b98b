#include "engine/kueue/inventory.h"

#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

auto policy_of(std::string_view word) -> Policy {
  if (word == "LowerPriority") return Policy::lower_priority;
  if (word == "LowerOrNewerEqualPriority") return Policy::lower_or_newer_equal_priority;
  return word == "Any" ? Policy::any : Policy::never;
}

auto weight_of(const FairSharing& sharing) -> double {
  return sharing.weight ? static_cast<double>(sharing.weight->nanos()) / 1e9 : 1.0;
}

}  // namespace

auto policy_name(Policy policy) -> std::string_view {
  constexpr std::array<std::string_view, 4> kNames = {"Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"};
  return kNames[static_cast<std::size_t>(policy)];
}

auto FlavorGroup::covers(Symbol resource) const -> bool {
  return std::find(covered.begin(), covered.end(), resource) != covered.end();
}

auto QueueInfo::group_of(Symbol resource) const -> const FlavorGroup* {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const FlavorGroup& each) { return each.covers(resource); });
  return found == groups.end() ? nullptr : &*found;
}

auto QueueInfo::uses_flavor(Symbol flavor) const -> bool {
  return std::any_of(groups.begin(), groups.end(), [&](const FlavorGroup& group) {
    return std::any_of(group.flavors.begin(), group.flavors.end(),
                       [&](const FlavorOfGroup& each) { return each.name == flavor; });
  });
}

Inventory::Inventory(const Snapshot& cluster, Settings settings)
    : cluster_(cluster), settings_(std::move(settings)), reader_(cluster_, settings_), tree_(names_) {
  for (const ResourceFlavor& flavor : cluster.objects().resource_flavors)
    flavors_.emplace(flavor.meta.name.index, &flavor);
  for (const AdmissionCheck& check : cluster.objects().admission_checks) checks_.emplace(check.meta.name.index, &check);
  add_cohorts();
  add_queues();
  tree_.build();
  for (QueueInfo& queue : queues_) {
    const QuotaNodeId root = tree_.root(queue.node);
    queue.tree = root == queue.node ? "clusterqueue/" + queue.name : tree_[root].name;
    queue.path = queue.name;
    for (const QuotaNodeId above : tree_.ancestors(queue.node)) queue.path = tree_[above].name + "/" + queue.path;
    queue.path = "/" + queue.path;
  }
  find_scopes();
  add_local_queues();
  add_workloads();
}

auto Inventory::cohort(Symbol name) -> QuotaNodeId {
  const auto [at, added] = cohorts_.try_emplace(name.index);
  // A cohort without an object also has a weight, but nothing reads it: it has no parent.
  if (added) at->second = tree_.add({.name = std::string(text(name)), .weight = 0});
  return at->second;
}

void Inventory::add_quota(QuotaNodeId node, const std::vector<ResourceGroup>& groups) {
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const Symbol resource : group.covered_resources) static_cast<void>(names_.intern(flavor.name, resource));
      for (const ResourceQuota& given : flavor.resources) {
        const std::string_view resource = text(given.name);
        Quota quota{quota_amount(resource, given.nominal)};
        if (given.borrowing_limit) quota.borrowing_limit = quota_amount(resource, *given.borrowing_limit);
        if (given.lending_limit) quota.lending_limit = quota_amount(resource, *given.lending_limit);
        tree_.set_quota(node, names_.intern(flavor.name, given.name), quota);
      }
    }
  }
}

void Inventory::add_cohorts() {
  std::vector<QuotaNodeId> parents;
  const auto parent_of = [&](QuotaNodeId node) -> QuotaNodeId& {
    if (parents.size() <= node.index) parents.resize(node.index + 1);
    return parents[node.index];
  };
  for (const Cohort& each : cluster_.objects().cohorts) {
    const QuotaNodeId node = cohort(each.meta.name);
    tree_.set_weight(node, weight_of(each.spec.fair_sharing));
    add_quota(node, each.spec.resource_groups);
    if (each.spec.parent) {
      const QuotaNodeId parent = cohort(each.spec.parent);
      parent_of(node) = parent;
    }
  }
  parents.resize(tree_.size());
  // 1: leads to a root; 2: in progress; 3: leads into a cycle.
  std::vector<char> state(tree_.size(), 0);
  for (std::uint32_t i = 0; i < tree_.size(); ++i) {
    std::vector<std::uint32_t> way;
    std::uint32_t at = i;
    while (state[at] == 0) {
      state[at] = 2;
      way.push_back(at);
      if (!parents[at]) break;
      at = parents[at].index;
    }
    const bool leads_to_root = state[at] == 1 || (state[at] == 2 && !parents[at]);
    for (const std::uint32_t each : way) state[each] = leads_to_root ? 1 : 3;
  }
  in_cycle_.assign(tree_.size(), false);
  for (std::uint32_t i = 0; i < tree_.size(); ++i) {
    in_cycle_[i] = state[i] == 3;
    if (!in_cycle_[i]) tree_.set_parent({i}, parents[i]);
  }
}

void Inventory::find_inactive(QueueInfo& queue) const {
  const ClusterQueueSpec& spec = queue.object->spec;
  const auto because = [&](Inactive why, std::string_view what) {
    queue.inactive = why;
    queue.inactive_because = what;
  };
  if (queue.object->meta.deleting) return because(Inactive::deleted, "");
  if (spec.stop_policy && text(spec.stop_policy) != "None") return because(Inactive::stopped, text(spec.stop_policy));
  for (const FlavorGroup& group : queue.groups) {
    for (const FlavorOfGroup& flavor : group.flavors) {
      if (flavor.object == nullptr) return because(Inactive::flavor_missing, text(flavor.name));
    }
  }
  std::vector<Symbol> multikueue;
  bool provisioning = false;
  bool per_flavor = false;
  for (const CheckOfFlavors& check : spec.admission_checks.checks) {
    const auto found = checks_.find(check.name.index);
    if (found == checks_.end()) return because(Inactive::check_missing, text(check.name));
    const auto& conditions = found->second->status.conditions;
    const bool active = std::any_of(conditions.begin(), conditions.end(), [&](const Condition& each) {
      return text(each.type) == "Active" && text(each.status) == "True";
    });
    if (!active) return because(Inactive::check_inactive, text(check.name));
    const std::string_view controller = text(found->second->spec.controller_name);
    if (controller == kMultiKueue) {
      multikueue.push_back(check.name);
      per_flavor = per_flavor || !check.on_flavors.empty();
    }
    provisioning = provisioning || controller == kProvisioning;
  }
  if (multikueue.size() > 1 || (!multikueue.empty() && (provisioning || per_flavor)))
    return because(Inactive::checks, text(multikueue.front()));
  for (const FlavorGroup& group : queue.groups) {
    for (const FlavorOfGroup& flavor : group.flavors) {
      const Symbol topology = flavor.object->spec.topology;
      const auto& all = cluster_.objects().kueue_topologies;
      const bool there = !topology || std::any_of(all.begin(), all.end(),
                                                  [&](const Topology& each) { return each.meta.name == topology; });
      if (!there && settings_.gates.topology) return because(Inactive::topology, text(topology));
    }
  }
  if (spec.cohort && in_cycle_[cohorts_.at(spec.cohort.index).index])
    return because(Inactive::cycle, text(spec.cohort));
}

void Inventory::add_queues() {
  for (const ClusterQueue& each : cluster_.objects().cluster_queues) {
    const ClusterQueueSpec& spec = each.spec;
    if (spec.cohort) {
      static_cast<void>(cohort(spec.cohort));
      in_cycle_.resize(tree_.size(), false);
    }
    QueueInfo queue;
    queue.object = &each;
    queue.name = text(each.meta.name);
    queue.strict = text(spec.queueing_strategy) == "StrictFIFO";
    queue.within = policy_of(text(spec.preemption.within_cluster_queue));
    queue.reclaim = policy_of(text(spec.preemption.reclaim_within_cohort));
    const BorrowWithinCohort& borrow = spec.preemption.borrow_within_cohort;
    queue.borrows_to_preempt = policy_of(text(borrow.policy)) != Policy::never;
    queue.threshold = borrow.max_priority_threshold;
    queue.next_flavor_before_borrowing = text(spec.fungibility.when_can_borrow) == "TryNextFlavor";
    queue.next_flavor_before_preempting = text(spec.fungibility.when_can_preempt) != "MayStopSearch";
    queue.preemption_over_borrowing = text(spec.fungibility.preference) == "PreemptionOverBorrowing";
    queue.by_usage =
        settings_.admission_fair_sharing && text(spec.admission_scope.mode) == "UsageBasedAdmissionFairSharing";
    for (const ResourceGroup& group : spec.resource_groups) {
      FlavorGroup& added = queue.groups.emplace_back(FlavorGroup{group.covered_resources, {}});
      for (const FlavorQuotas& flavor : group.flavors) {
        const auto object = flavors_.find(flavor.name.index);
        added.flavors.push_back({flavor.name, object == flavors_.end() ? nullptr : object->second});
      }
    }
    queue.only_topology = std::all_of(queue.groups.begin(), queue.groups.end(), [&](const FlavorGroup& group) {
      return std::all_of(group.flavors.begin(), group.flavors.end(), [&](const FlavorOfGroup& of) {
        return of.object != nullptr && of.object->spec.topology && settings_.gates.topology;
      });
    });
    find_inactive(queue);
    queue.node = tree_.add({.name = queue.name,
                            .is_cluster_queue = true,
                            .hidden = queue.inactive != Inactive::no,
                            .weight = weight_of(spec.fair_sharing)});
    in_cycle_.resize(tree_.size(), false);
    add_quota(queue.node, spec.resource_groups);
    if (spec.cohort && queue.inactive != Inactive::cycle) {
      const QuotaNodeId parent = cohort(spec.cohort);
      if (!in_cycle_[parent.index]) tree_.set_parent(queue.node, parent);
    }
    const QueueId id = queues_.add(std::move(queue));
    queue_by_name_.emplace(each.meta.name.index, id);
    queue_of_node_.resize(tree_.size());
    queue_of_node_[queues_[id].node.index] = id;
  }
  queue_of_node_.resize(tree_.size());
}

// All queues share one state of each topology flavor. Source: pkg/cache/scheduler/snapshot.go Snapshot, tasSnapshots.
void Inventory::find_scopes() {
  std::map<std::string_view, std::string_view> joined;  // of a tree: an earlier tree of its scope
  const auto first_of = [&](std::string_view tree) {
    for (auto at = joined.find(tree); at != joined.end(); at = joined.find(tree)) tree = at->second;
    return tree;
  };
  std::map<const ResourceFlavor*, std::string_view> users;
  for (const QueueInfo& queue : queues_) {
    for (const FlavorGroup& group : queue.groups) {
      for (const FlavorOfGroup& flavor : group.flavors) {
        const bool shared = flavor.object != nullptr && flavor.object->spec.topology && settings_.gates.topology;
        if (!shared) continue;
        const std::string_view own = first_of(queue.tree);
        const std::string_view other = first_of(users.try_emplace(flavor.object, own).first->second);
        if (own != other) joined.emplace(own, other);
      }
    }
  }
  for (QueueInfo& queue : queues_) queue.scope = first_of(queue.tree);
}

void Inventory::add_local_queues() {
  for (const LocalQueue& each : cluster_.objects().local_queues) {
    LocalQueueInfo info;
    info.object = &each;
    info.key = fmt::format("{}/{}", text(each.meta.ns), text(each.meta.name));
    const auto queue = queue_by_name_.find(each.spec.cluster_queue.index);
    if (queue != queue_by_name_.end()) info.queue = queue->second;
    info.stopped = each.spec.stop_policy && text(each.spec.stop_policy) != "None";
    const std::string key = info.key;
    local_queue_by_key_.emplace(key, local_queues_.add(std::move(info)));
  }
}

void Inventory::add_workloads() {
  constexpr std::string_view kBoost = "kueue.x-k8s.io/priority-boost";
  const Symbol boost = settings_.gates.priority_boost ? cluster_.symbol(kBoost) : Symbol{};
  for (const Workload& each : cluster_.objects().kueue_workloads) {
    WorkloadInfo info;
    info.object = &each;
    info.key = fmt::format("{}/{}", text(each.meta.ns), text(each.meta.name));
    info.uid = text(each.meta.uid);
    constexpr Instant kYearOne{-62'135'596'800, 0};
    info.created = each.meta.created.value_or(kYearOne);
    info.base_priority = each.spec.priority.value_or(0);
    if (boost && each.meta.annotations.has(boost))
      info.boost = go::parse_int(text(each.meta.annotations.get(boost)), 32).value_or(0);
    info.local_queue_key = fmt::format("{}/{}", text(each.meta.ns), text(each.spec.queue_name));
    const auto local_queue = local_queue_by_key_.find(info.local_queue_key);
    if (local_queue != local_queue_by_key_.end()) info.local_queue = local_queue->second;
    const LocalQueueId of = info.local_queue;
    const std::string key = info.key;
    const WorkloadId id = workloads_.add(std::move(info));
    workload_by_key_.emplace(key, id);
    if (of && local_queues_[of].queue) queues_[local_queues_[of].queue].workloads.push_back(id);
    if (each.status.admission) {
      for (const PodSetAssignment& set : each.status.admission->pod_sets) {
        for (const auto& [resource, flavor] : set.flavors) static_cast<void>(names_.intern(flavor, resource));
        for (const auto& [resource, amount] : set.resource_usage)
          static_cast<void>(names_.intern(set.flavors.get(resource), resource));
      }
    }
  }
  count_lost_workloads();
  lazy_ = IdVector<WorkloadId, Lazy>(workloads_.size());
}

// Source: pkg/cache/scheduler/cache.go Usage, pkg/cache/queue/manager.go Pending.
void Inventory::count_lost_workloads() {
  const auto is_true = [&](WorkloadId id, std::string_view type) {
    const auto& conditions = workloads_[id].object->status.conditions;
    const auto found =
        std::find_if(conditions.begin(), conditions.end(), [&](const auto& each) { return text(each.type) == type; });
    return found != conditions.end() && text(found->status) == "True";
  };
  IdVector<QueueId, std::int64_t> reserving(queues_.size());
  IdVector<QueueId, std::int64_t> pending(queues_.size());
  IdVector<QueueId, std::int64_t> evicted(queues_.size());  // of the pending ones
  for (const WorkloadId id : workloads_.ids()) {
    const WorkloadInfo& info = workloads_[id];
    const auto& admission = info.object->status.admission;
    if (is_true(id, "Finished")) continue;
    if (admission && is_true(id, "QuotaReserved")) {
      if (const QueueId queue = find_queue(text(admission->cluster_queue))) ++reserving[queue];
    } else if (const QueueId queue = queue_of(id); queue && info.object->meta.uid &&
                                                   info.object->spec.active.value_or(true) &&
                                                   !local_queues_[info.local_queue].stopped) {
      ++pending[queue];
      if (is_true(id, "Evicted")) ++evicted[queue];
    }
  }
  for (const QueueId id : queues_.ids()) {
    const ClusterQueueStatus& status = queues_[id].object->status;
    std::int64_t& lost = queues_[id].lost_workloads;
    lost = status.reserving_workloads.value_or(0) - reserving[id];
    if (status.pending_workloads)
      lost -= std::clamp(pending[id] - *status.pending_workloads, std::int64_t{0}, evicted[id]);
    lost = std::max(lost, std::int64_t{0});
  }
}

auto Inventory::find(std::string_view ns, std::string_view name) const -> WorkloadId {
  const auto found = workload_by_key_.find(fmt::format("{}/{}", ns, name));
  return found == workload_by_key_.end() ? WorkloadId{} : found->second;
}

auto Inventory::find_queue(std::string_view name) const -> QueueId {
  const auto found = queue_by_name_.find(cluster_.symbol(name).index);
  return found == queue_by_name_.end() ? QueueId{} : found->second;
}

auto Inventory::queue_of(WorkloadId workload) const -> QueueId {
  const LocalQueueId local = workloads_[workload].local_queue;
  return local ? local_queues_[local].queue : QueueId{};
}

auto Inventory::requests(WorkloadId workload) const -> const std::vector<PodSetRequest>& {
  auto& slot = lazy_[workload].requests;
  if (!slot) slot = reader_.requests_of(*workloads_[workload].object);
  return *slot;
}

auto Inventory::topologies() const -> const Topologies& {
  if (!topologies_) topologies_ = std::make_unique<Topologies>(cluster_, settings_.gates.topology);
  return *topologies_;
}

auto Inventory::pods(WorkloadId workload) const -> const std::vector<PodOfSet>& {
  auto& slot = lazy_[workload].pods;
  if (slot) return *slot;
  slot.emplace();
  const Workload& object = *workloads_[workload].object;
  for (const PodSet& set : object.spec.pod_sets) {
    PodOfSet& pod = slot->emplace_back(PodOfSet{reader_.adjusted(set, object.meta.ns), {}});
    for (const auto& [name, quantity] : reader_.request_of_pod(pod.spec))
      pod.request.add(name, request_amount(text(name), quantity).value);
    pod.request.add(cluster_.known().pods, 1);
  }
  return *slot;
}

auto Inventory::refusal(WorkloadId workload) const -> const std::string& {
  auto& slot = lazy_[workload].refusal;
  if (!slot) slot = reader_.refusal(*workloads_[workload].object);
  return *slot;
}

auto Inventory::shape(WorkloadId workload) const -> std::size_t {
  auto& slot = lazy_[workload].shape;
  if (!slot) {
    const std::string text = reader_.shape_of(*workloads_[workload].object);
    slot = shapes_.try_emplace(text, shapes_.size()).first->second;
  }
  return *slot;
}

}  // namespace previct::kueue
