#include "engine/kueue/gaps.h"

#include "base/text.h"
#include "engine/kueue/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kueue {
namespace {

constexpr std::size_t kMostNamed = 3;

/// A feature that the workload uses and that is not modeled.
struct UnmodelledFeature {
  GapRule rule;
  bool changes_quota;      ///< it may change the quota decision; otherwise only what happens afterwards
  bool may_admit = false;  ///< relevant even if the model does not admit the workload
  std::vector<std::string> operands{};
};

/// Source: pkg/workload/workload.go NeedsSecondPass.
auto awaits_second_pass(const Inventory& inventory, WorkloadId id) -> bool {
  const WorkloadStatus& status = inventory.workloads()[id].object->status;
  const auto& admission = status.admission;
  if (admission && status.has_unhealthy_nodes) return true;
  return admission && std::any_of(admission->pod_sets.begin(), admission->pod_sets.end(),
                                  [&](const auto& set) { return inventory.text(set.delayed_topology) == "Pending"; });
}

// Returns what is not modeled of the topology assignment that the workload needs.
auto beyond_topology(const Inventory& inventory, WorkloadId id, QueueId queue) -> std::vector<UnmodelledFeature> {
  std::vector<UnmodelledFeature> found;
  const bool asks = queue && needs_topology(inventory, id, queue);
  const bool has_flavor = queue && std::any_of(inventory.topologies().all().begin(), inventory.topologies().all().end(),
                                               [&](const TopologyFlavor& each) {
                                                 return inventory.queues()[queue].uses_flavor(each.name());
                                               });
  if (!asks || !has_flavor) return found;
  const Settings& settings = inventory.settings();
  const auto add = [&](std::string what) { found.push_back({GapRule::kueue_topology, true, true, {std::move(what)}}); };
  if (settings.release.minor != kMeasured.minor)
    found.push_back({GapRule::kueue_topology_release, true, true, {release_text(settings.release)}});
  // Source: CHANGELOG/CHANGELOG-0.19.md v0.19.1 (#13766, #13859).
  const auto& own_sets = inventory.workloads()[id].object->spec.pod_sets;
  const bool grouped = std::any_of(own_sets.begin(), own_sets.end(),
                                   [](const PodSet& set) { return set.topology && set.topology->group; });
  if (grouped && settings.release != kMeasured)
    found.push_back({GapRule::kueue_topology_groups, true, true, {release_text(settings.release)}});
  if (inventory.cluster().nodes().empty()) found.push_back({GapRule::kueue_topology_nodes, true, true});
  if (settings.gates.topology_balanced) add("TASBalancedPlacement");
  if (settings.gates.topology_affinity) add("TASRespectNodeAffinityPreferred");
  const Workload& object = *inventory.workloads()[id].object;
  const auto& checks = object.status.admission_checks;
  if (std::any_of(checks.begin(), checks.end(), [](const auto& each) { return each.has_updates; }))
    add("the pod set updates of an admission check");
  for (const WorkloadId other : inventory.workloads().ids()) {
    const Workload& each = *inventory.workloads()[other].object;
    if (!each.status.admission) continue;
    const auto& sets = each.status.admission->pod_sets;
    const bool broken = std::any_of(sets.begin(), sets.end(), [](const PodSetAssignment& set) {
      return set.topology && !set.topology->slices.empty();
    });
    if (broken) add("the topology assignment of " + inventory.workloads()[other].key);
    if (other != id && awaits_second_pass(inventory, other))
      add("the second pass over " + inventory.workloads()[other].key);
    if (broken || (other != id && awaits_second_pass(inventory, other))) break;
  }
  return found;
}

auto uses_claims(const Workload& object) -> bool {
  return std::any_of(object.spec.pod_sets.begin(), object.spec.pod_sets.end(), [](const PodSet& set) {
    const PodSpec& spec = set.pod_template.spec;
    return !spec.resource_claims.empty() ||
           std::any_of(spec.containers.begin(), spec.containers.end(),
                       [](const Container& each) { return each.resources.has_claims; });
  });
}

/// Returns true if a pod requests a resource for which a DeviceClass has devices: Kueue may charge another resource
/// instead.
/// Source: pkg/dra/extended_resources.go.
auto uses_mapped_resources(const Inventory& inventory, const Workload& object) -> bool {
  const auto& gates = inventory.settings().gates;
  if (!gates.dynamic_resources || !gates.mapped_resources) return false;
  const auto& classes = inventory.cluster().objects().device_classes;
  const auto is_mapped = [&](Symbol resource) {
    return std::any_of(classes.begin(), classes.end(),
                       [&](const DeviceClass& each) { return each.spec.extended_resource_name == resource; });
  };
  const auto any_mapped = [&](const auto& containers) {
    return std::any_of(containers.begin(), containers.end(), [&](const Container& each) {
      return std::any_of(each.resources.requests.begin(), each.resources.requests.end(),
                         [&](const auto& request) { return is_mapped(request.first); });
    });
  };
  return std::any_of(object.spec.pod_sets.begin(), object.spec.pod_sets.end(), [&](const PodSet& set) {
    const PodSpec& spec = set.pod_template.spec;
    return any_mapped(spec.containers) || any_mapped(spec.init_containers);
  });
}

/// Returns a resource of which the order of a Go map decides how much the workload requests, if the queue has quota of
/// it; what it requests of `pods` is the number of pods.
/// Source: pkg/workload/workload.go applyResourceTransformations; pkg/scheduler/flavorassigner Assign.
auto requested_by_chance(const Inventory& inventory, WorkloadId id, QueueId queue) -> Symbol {
  if (!queue) return {};
  for (const PodSetRequest& set : inventory.requests(id)) {
    for (const Symbol resource : set.by_chance) {
      const bool counts = resource != inventory.cluster().known().pods;
      if (counts && inventory.queues()[queue].group_of(resource) != nullptr) return resource;
    }
  }
  return {};
}

auto has_check_of(const Inventory& inventory, QueueId queue, std::string_view controller) -> bool {
  if (!queue) return false;
  const auto& named = inventory.queues()[queue].object->spec.admission_checks.checks;
  const auto& all = inventory.cluster().objects().admission_checks;
  return std::any_of(named.begin(), named.end(), [&](const CheckOfFlavors& each) {
    return std::any_of(all.begin(), all.end(), [&](const AdmissionCheck& check) {
      return check.meta.name == each.name && inventory.text(check.spec.controller_name) == controller;
    });
  });
}

// Returns true if Kueue takes off the quota of another workload slice in the same ClusterQueue for the workload.
// Source: pkg/workloadslicing/workloadslicing.go ReplacedWorkloadSlice, which reads only this annotation.
auto replaces_slice(const Inventory& inventory, const Workload& object, QueueId queue) -> bool {
  const Symbol key = inventory.cluster().symbol("kueue.x-k8s.io/workload-slice-replacement-for");
  if (!key || !queue || !inventory.settings().gates.elastic_jobs) return false;
  const std::string_view named = inventory.text(object.meta.annotations.get(key));
  const std::size_t slash = named.find('/');
  if (slash == std::string_view::npos) return false;
  const WorkloadId old = inventory.find(named.substr(0, slash), named.substr(slash + 1));
  if (!old) return false;
  const auto& admission = inventory.workloads()[old].object->status.admission;
  return admission && inventory.text(admission->cluster_queue) == inventory.queues()[queue].name;
}

auto beyond(const Inventory& inventory, WorkloadId id, QueueId queue) -> std::vector<UnmodelledFeature> {
  const Workload& object = *inventory.workloads()[id].object;
  const Gates& gates = inventory.settings().gates;
  const Snapshot& cluster = inventory.cluster();
  std::vector<UnmodelledFeature> found;
  if (awaits_second_pass(inventory, id)) found.push_back({GapRule::kueue_second_pass, true});
  for (UnmodelledFeature& each : beyond_topology(inventory, id, queue)) found.push_back(std::move(each));
  if (const Symbol resource = requested_by_chance(inventory, id, queue)) {
    found.push_back({GapRule::kueue_transformations,
                     true,
                     true,
                     {std::string(inventory.text(resource)), release_text(inventory.settings().release)}});
  }
  if (uses_claims(object)) {
    found.push_back({GapRule::kueue_devices, true});
  } else if (uses_mapped_resources(inventory, object)) {
    found.push_back({GapRule::kueue_devices, true, true});
  }
  const Symbol elastic = cluster.symbol("kueue.x-k8s.io/elastic-job");
  if (replaces_slice(inventory, object, queue)) {
    found.push_back({GapRule::kueue_elastic, true, true});
  } else if (elastic && cluster.text(object.meta.annotations.get(elastic)) == "true" && gates.elastic_jobs) {
    found.push_back({GapRule::kueue_elastic, true});
  }
  if (object.spec.has_preemption_gates && (gates.concurrent_admission || gates.orchestrated_preemption))
    found.push_back({GapRule::kueue_preemption_gates, true});
  if (has_check_of(inventory, queue, kMultiKueue)) found.push_back({GapRule::kueue_multikueue, false});
  return found;
}

auto takes_quota(EntryOutcome outcome) -> bool {
  return takes_quota_now(outcome) || outcome == EntryOutcome::preempting;
}

}  // namespace

auto doubt_of(const Inventory& inventory, const Entry& entry) -> std::optional<Gap> {
  for (const UnmodelledFeature& each : beyond(inventory, entry.workload, entry.queue)) {
    if (each.changes_quota && (each.may_admit || takes_quota(entry.outcome)))
      return Gap{each.rule, each.operands, true};
  }
  return {};
}

namespace {

// Adds the gap of the first entry of its scope that was processed earlier and uses a feature that is not modeled.
void doubt_for_others(const EngineTrace& account, std::vector<Gap>& gaps) {
  const Inventory& inventory = *account.inventory;
  const std::string& scope = inventory.queues()[account.queue].scope;
  for (std::size_t i = 0; i < account.cycle; ++i) {
    for (const Entry& entry : account.cycles[i]->entries) {
      if (entry.workload == account.workload) break;
      if (inventory.queues()[entry.queue].scope != scope || !doubt_of(inventory, entry)) continue;
      gaps.push_back({GapRule::kueue_earlier_workload, {inventory.workloads()[entry.workload].key}, true});
      return;
    }
  }
}

// Returns the gap of a workload of this queue if the input lacks its namespace; it decides if the queue refuses it.
auto gap_of_namespace(const Inventory& inventory, WorkloadId id, QueueId queue, const Entry* entry)
    -> std::optional<Gap> {
  const Symbol ns = inventory.workloads()[id].object->meta.ns;
  const auto& all = inventory.cluster().objects().namespaces;
  const bool there = std::any_of(all.begin(), all.end(), [&](const Namespace& each) { return each.meta.name == ns; });
  if (there || !queue) return {};
  const auto& selector = inventory.queues()[queue].object->spec.namespace_selector;
  if (!selector || selector->empty()) return {};
  const bool refused = entry != nullptr && entry->refused == Refused::namespace_mismatch;
  return Gap{GapRule::kueue_namespace_missing, {std::string(inventory.text(ns))}, refused};
}

// Returns the kind of the object whose absence keeps a workload out of a queue that admits; null: another reason.
auto kind_of_absent_object(const Inventory& inventory, NotQueued why, QueueId queue) -> const KindInfo* {
  if (why == NotQueued::no_local_queue) return &kinds::local_queues;
  if (why == NotQueued::no_cluster_queue) return &kinds::cluster_queues;
  if (why != NotQueued::cluster_queue_inactive) return nullptr;
  const Inactive inactive = inventory.queues()[queue].inactive;
  if (inactive == Inactive::flavor_missing) return &kinds::resource_flavors;
  if (inactive == Inactive::check_missing) return &kinds::admission_checks;
  return nullptr;
}

}  // namespace

auto doubt_of_absent_object(const Inventory& inventory, NotQueued why, QueueId queue) -> std::optional<Gap> {
  const KindInfo* const kind = kind_of_absent_object(inventory, why, queue);
  const Objects& objects = inventory.cluster().objects();
  if (kind == nullptr || !lacks(objects, *kind)) return {};
  Gap gap = missing_kind(objects, kNeeds, kind->name).front();
  gap.decides = true;
  return gap;
}

auto doubt_of_queues(const Inventory& inventory) -> std::optional<Gap> {
  for (const QueueId queue : inventory.queues().ids()) {
    if (auto doubt = doubt_of_absent_object(inventory, NotQueued::cluster_queue_inactive, queue)) return doubt;
  }
  return {};
}

namespace {

auto is_over_capacity(const Entry& entry) -> bool {
  return std::any_of(entry.assignment.sets.begin(), entry.assignment.sets.end(), [](const AssignedPodSet& set) {
    return std::any_of(set.reasons.begin(), set.reasons.end(),
                       [](const WhyNot& why) { return why.kind == WhyNot::Kind::over_capacity; });
  });
}

}  // namespace

auto doubt_of_all(const Inventory& inventory) -> std::optional<Gap> {
  const std::vector<Gap> gaps = gaps_of(inventory);
  const auto found = std::find_if(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.decides; });
  return found == gaps.end() ? std::nullopt : std::optional(*found);
}

auto doubt_of_input(const Inventory& inventory, const QuotaTree& start, const Entry& entry) -> std::optional<Gap> {
  if (entry.refused == Refused::namespace_mismatch)
    return gap_of_namespace(inventory, entry.workload, entry.queue, &entry);
  if (auto doubt = doubt_of_cohorts(inventory, start, entry)) return doubt;
  return doubt_of_workloads(inventory, entry);
}

auto doubt_of_workloads(const Inventory& inventory, const Entry& entry) -> std::optional<Gap> {
  if (entry.outcome == EntryOutcome::inadmissible || (!takes_quota(entry.outcome) && is_over_capacity(entry)))
    return {};
  const std::string& scope = inventory.queues()[entry.queue].scope;
  for (const QueueInfo& queue : inventory.queues()) {
    if (queue.scope != scope || queue.lost_workloads <= 0) continue;
    return Gap{GapRule::kueue_lost_workloads, {queue.name, std::to_string(queue.lost_workloads)}, true};
  }
  return {};
}

auto doubt_of_cohorts(const Inventory& inventory, const QuotaTree& start, const Entry& entry) -> std::optional<Gap> {
  const Objects& objects = inventory.cluster().objects();
  const QueueInfo& queue = inventory.queues()[entry.queue];
  if (takes_quota_now(entry.outcome) || entry.outcome == EntryOutcome::inadmissible || !queue.object->spec.cohort ||
      !lacks(objects, kinds::cohorts))
    return {};
  const auto& cells = start[start.root(queue.node)].cells;
  const bool more_is_used =
      std::any_of(cells.begin(), cells.end(), [](const QuotaTree::Cell& cell) { return cell.usage > cell.subtree; });
  if (!more_is_used && !is_over_capacity(entry)) return {};
  Gap gap = missing_kind(objects, kNeeds, kinds::cohorts.name).front();
  gap.decides = true;
  return gap;
}

BlockedAdmission::BlockedAdmission(const Controller& start) : inventory_(start.inventory()) {
  if (!inventory_.settings().blocks_admission) return;
  for (const WorkloadId id : inventory_.workloads().ids()) {
    const Controller::WorkloadState& state = start.state(id);
    if (state.holds_in && !state.is(ConditionType::pods_ready)) at_first_.insert(id);
  }
  not_ready_ = at_first_;
}

void BlockedAdmission::follow(const CycleFacts& facts) {
  for (const Entry& entry : facts.entries) {
    if (!takes_quota(entry.outcome)) continue;
    const bool admits = takes_quota_now(entry.outcome);
    if (admits && !stands_ && !not_ready_.empty()) stands_ = gap_of(not_ready_, true);
    if (stands_) workloads_.try_emplace(entry.workload, *stands_);
    if (admits && at_first_.contains(entry.workload)) not_ready_.insert(entry.workload);
  }
  for (const WorkloadId id : facts.gone) not_ready_.erase(id);
}

auto BlockedAdmission::gap_of(const std::set<WorkloadId>& not_ready, bool decides) const -> Gap {
  std::vector<std::string> names;
  for (const WorkloadId id : not_ready) names.push_back(inventory_.workloads()[id].key);
  std::sort(names.begin(), names.end());
  return {
      GapRule::kueue_pods_ready, {names.empty() ? "no workload" : joined_up_to(kMostNamed, std::move(names))}, decides};
}

auto gaps_of(const Inventory& inventory) -> std::vector<Gap> {
  const Settings& settings = inventory.settings();
  std::vector<Gap> gaps = missing_kinds(inventory.cluster().objects(), kNeeds);
  if (!settings.place.empty()) std::erase_if(gaps, [](const Gap& gap) { return gap.lacks("ConfigMap"); });
  if (settings.place.empty() && !lacks(inventory.cluster().objects(), kinds::config_maps))
    gaps.push_back({GapRule::kueue_default_config});
  if (!settings.rivals.empty()) gaps.push_back({GapRule::kueue_several_configs, {joined(settings.rivals, ", ")}, true});
  const std::string release = release_text(settings.release);
  if (settings.release < kOldest) {
    gaps.push_back({GapRule::kueue_release_unknown, {release, release_text(kOldest)}, true});
  } else if (const Release known = last_known(settings.release); settings.release > known) {
    gaps.push_back({GapRule::kueue_release_unknown, {release, release_text(known)}});
  } else if (settings.release != kMeasured) {
    gaps.push_back({GapRule::kueue_release, {release}});
  }
  if (settings.gates.concurrent_admission) gaps.push_back({GapRule::kueue_concurrent_admission, {}, true});
  if (settings.gates.scheduler_library) gaps.push_back({GapRule::kueue_scheduler_library, {}, true});
  const auto note_gate = [&](bool on, std::string name) {
    if (on) gaps.push_back({GapRule::kueue_gate, {std::move(name)}, true});
  };
  note_gate(settings.gates.recomputes_on_overlap, "RecomputeAssignmentUponPreemptionTargetsOverlap");
  note_gate(settings.gates.prefers_preemptors, "PrioritizePreemptorWorkloads");
  return gaps;
}

auto gaps_of(const EngineTrace& account) -> std::vector<Gap> {
  const Inventory& inventory = *account.inventory;
  std::vector<Gap> gaps = gaps_of(inventory);
  const Entry* const entry = account.entry() == nullptr ? account.entry_like() : account.entry();
  const bool takes = entry != nullptr && takes_quota(entry->outcome);
  for (Gap& gap : gaps) gap.decides = gap.decides && entry != nullptr;
  if (account.cut) gaps.push_back({GapRule::kueue_cycles, {std::to_string(account.cycles.size())}, true});
  for (const UnmodelledFeature& each : beyond(inventory, account.workload, account.queue)) {
    // What it holds counts as it was assigned.
    if (each.rule == GapRule::kueue_transformations && entry == nullptr) continue;
    const bool second = each.rule == GapRule::kueue_second_pass;
    gaps.push_back(
        {each.rule, each.operands, second || (each.changes_quota && (takes || (each.may_admit && entry != nullptr)))});
  }
  // What happens to an assigned topology later, whatever this cycle decides: only of workloads that hold quota.
  const bool some_hold_quota =
      std::any_of(inventory.workloads().begin(), inventory.workloads().end(),
                  [](const WorkloadInfo& each) { return each.object->status.admission.has_value(); });
  const bool second_pass =
      std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::kueue_second_pass; });
  if (!second_pass && some_hold_quota && account.queue && needs_topology(inventory, account.workload, account.queue))
    gaps.push_back({GapRule::kueue_second_pass});
  if (inventory.settings().blocks_admission) {
    BlockedAdmission blocked(account.start);
    for (std::size_t i = 0; i < account.cycle; ++i) blocked.follow(*account.cycles[i]);
    const auto waits = blocked.workloads().find(account.workload);
    gaps.push_back(waits == blocked.workloads().end() ? blocked.gap() : waits->second);
  }
  if (const auto doubt = doubt_of_absent_object(inventory, account.not_queued, account.queue)) {
    std::erase_if(gaps, [&](const Gap& gap) { return same_gap(gap, *doubt); });
    gaps.insert(gaps.begin(), *doubt);
  }
  if (const auto doubt = entry == nullptr ? std::nullopt : doubt_of_cohorts(inventory, account.start.tree(), *entry)) {
    std::erase_if(gaps, [&](const Gap& gap) { return same_gap(gap, *doubt); });
    gaps.insert(gaps.begin(), *doubt);
  }
  if (const auto doubt = entry == nullptr ? std::nullopt : doubt_of_workloads(inventory, *entry))
    gaps.insert(gaps.begin(), *doubt);
  const std::vector<WorkloadId> leaving = account.awaits_quota()
                                              ? account.start.leaving(inventory.queues()[account.queue].tree)
                                              : account.returning_unnoticed();
  if (!leaving.empty()) {
    gaps.push_back(
        {GapRule::kueue_quota_returns, {std::to_string(leaving.size()), inventory.workloads()[leaving.front()].key}});
  }
  if (account.cycle != 0) doubt_for_others(account, gaps);
  if (const auto gap = gap_of_namespace(inventory, account.workload, account.queue, entry)) gaps.push_back(*gap);
  if (account.not_queued == NotQueued::no) gaps.push_back({GapRule::kueue_all_in_heap});
  if (inventory.settings().admission_fair_sharing) gaps.push_back({GapRule::kueue_usage_as_of});
  return gaps;
}

}  // namespace previct::kueue
