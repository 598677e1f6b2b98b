#include "tell/kueue/messages.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace previct::kueue {
namespace {

constexpr Release kPathsInTexts{19, 0};

auto job_uid(const Inventory& inventory, const Workload& object) -> std::string_view {
  const Symbol key = inventory.cluster().symbol("kueue.x-k8s.io/job-uid");
  const std::string_view uid = key ? inventory.text(object.meta.labels.get(key)) : std::string_view();
  return uid.empty() ? "UNKNOWN" : uid;
}

auto purpose(PreemptionReason reason) -> std::string_view {
  constexpr std::array<std::string_view, 4> kWords = {
      "prioritization in the ClusterQueue", "reclamation within the cohort",
      "reclamation within the cohort while borrowing", "Fair Sharing within the cohort"};
  return kWords[static_cast<std::size_t>(reason)];
}

auto message_of(const Assignment& assignment, const Inventory& inventory) -> std::string {
  switch (assignment.error) {
    case TopologyError::no_information: return "workload requires Topology, but there is no TAS cache information";
    case TopologyError::no_flavor: return "no TAS flavor assigned";
    case TopologyError::several_flavors: {
      std::vector<std::string> names;
      for (const Symbol each : assignment.error_flavors) names.emplace_back(inventory.text(each));
      return fmt::format("more than one TAS flavor assigned: {}", joined(names, ", "));
    }
    case TopologyError::no: break;
  }
  return {};
}

// Source: pkg/cache/scheduler/tas_flavor_snapshot.go notFitMessage, multiLayerNotFitMessage, formatReasons.
auto exclusions_of(const NoPlacement& why) -> std::string {
  std::vector<std::string> reasons;
  if (why.selector > 0) reasons.push_back(fmt::format("nodeSelector: {}", why.selector));
  if (why.affinity > 0) reasons.push_back(fmt::format("affinity: {}", why.affinity));
  for (const auto& [taint, count] : why.taints) reasons.push_back(fmt::format("taint \"{}\": {}", taint, count));
  for (const auto& [name, count] : why.resources) reasons.push_back(fmt::format("resource \"{}\": {}", name, count));
  if (reasons.empty()) return {};
  std::sort(reasons.begin(), reasons.end());
  return fmt::format(". Total nodes: {}; excluded: {}", why.nodes, joined(reasons, ", "));
}

auto message_of(const NoPlacement& why, const Inventory& inventory) -> std::string {
  using Kind = NoPlacement::Kind;
  const std::string_view topology = inventory.text(why.topology);
  const std::string_view level = inventory.text(why.level);
  const std::string_view other = inventory.text(why.other_level);
  switch (why.kind) {
    case Kind::too_few:
      return fmt::format("topology \"{}\" {} {} {}(s){}", topology,
                         why.fit == 0 ? std::string("doesn't allow to fit any of")
                                      : fmt::format("allows to fit only {} out of", why.fit),
                         why.wanted, why.in_slices ? "slice" : "pod", exclusions_of(why));
    case Kind::too_few_layers: {
      std::string text = fmt::format("topology \"{}\" doesn't allow to fit", topology);
      for (const NoPlacement::Layer& each : why.layers)
        text += fmt::format("; {}/{} slice(s) fit on level {}", each.fit, each.wanted, inventory.text(each.level));
      return text + exclusions_of(why);
    }
    case Kind::no_level: return fmt::format("no requested topology level: {}", level);
    case Kind::no_slice_level: return fmt::format("no requested topology level for slices: {}", level);
    case Kind::no_layer_level: return fmt::format("no requested topology level for additional slice layer: {}", level);
    case Kind::level_not_given: return "topology level not specified";
    case Kind::no_domains: return fmt::format("no topology domains at level: {}", level);
    case Kind::slice_size: return "slice topology requested, but slice size not provided";
    case Kind::slices_above:
      return fmt::format("podset slice topology {} is above the podset topology {}", level, other);
    case Kind::layer_order:
      return fmt::format("additional slice layer topology {} must be at a lower level than {}", level, other);
    case Kind::layer_size:
      return fmt::format("additional slice layer size {} must evenly divide parent layer size {}", why.fit, why.wanted);
  }
  return {};
}

auto assignment_message(const Assignment& assignment, const Inventory& inventory, const Workload& object)
    -> std::string {
  std::vector<std::string> parts;
  for (const AssignedPodSet& set : assignment.sets) {
    if (assignment.error != TopologyError::no && set.index == assignment.failed_set) {
      return fmt::format("failed to assign flavors to pod set {}: {}",
                         name_of(object.spec.pod_sets[set.index], inventory.cluster()),
                         message_of(assignment, inventory));
    }
    if (set.reasons.empty()) continue;
    std::vector<std::string> reasons;
    for (const WhyNot& each : set.reasons) reasons.push_back(message_of(each, inventory));
    std::sort(reasons.begin(), reasons.end());
    parts.push_back(fmt::format("couldn't assign flavors to pod set {}: {}",
                                name_of(object.spec.pod_sets[set.index], inventory.cluster()), joined(reasons, ", ")));
  }
  return joined(parts, "; ");
}

// Returns why no flavor is suitable: the mildest severity of the flavors in a resource group, the worst of groups and
// pod sets.
auto severity_of(const Entry& entry, const Inventory& inventory) -> Severity {
  Severity worst = Severity::none;
  for (const AssignedPodSet& set : entry.assignment.sets) {
    if (set.mode != Mode::no_fit) continue;
    if (set.attempts.empty()) return Severity::no_matching_flavor;
    for (const FlavorGroup& group : inventory.queues()[entry.queue].groups) {
      std::optional<Severity> mildest;
      for (const Attempt& each : set.attempts) {
        const bool of_group = std::any_of(group.flavors.begin(), group.flavors.end(),
                                          [&](const FlavorOfGroup& flavor) { return flavor.name == each.flavor; });
        if (of_group && each.mode == Mode::no_fit) mildest = std::min(mildest.value_or(each.severity), each.severity);
      }
      worst = std::max(worst, mildest.value_or(Severity::none));
    }
  }
  return worst;
}

auto attempts_words(const Assignment& assignment, const Inventory& inventory, const Workload& object) -> std::string {
  std::vector<std::string> sets;
  for (const AssignedPodSet& set : assignment.sets) {
    std::vector<std::string> flavors;
    for (const Attempt& each : set.attempts) {
      if (each.mode == Mode::fit && each.level == 0) continue;
      constexpr std::array<std::string_view, 5> kWays = {"", "preemptionMode=NoCandidates", "preemptionMode=Preempt",
                                                         "preemptionMode=Reclaim", ""};
      const std::string_view way = kWays[static_cast<std::size_t>(each.way)];
      std::string words = fmt::format("{}({}", inventory.text(each.flavor), way.empty() ? mode_name(each.mode) : way);
      if (each.level > 0) words += fmt::format(";borrow={}", each.level);
      std::vector<std::string> reasons;
      for (const WhyNot& reason : each.reasons) reasons.push_back(message_of(reason, inventory));
      std::sort(reasons.begin(), reasons.end());
      if (!reasons.empty()) words += ";" + joined(reasons, ";");
      flavors.push_back(words + ")");
    }
    if (flavors.empty()) continue;
    sets.push_back(
        fmt::format("{}: {}", name_of(object.spec.pod_sets[set.index], inventory.cluster()), joined(flavors, ", ")));
  }
  return joined(sets, " | ");
}

auto cut(std::string message) -> std::string {
  constexpr std::size_t kLongest = 1024;
  constexpr std::string_view kMore = " ...";
  if (message.size() <= kLongest) return message;
  message.resize(kLongest - kMore.size());
  return message + std::string(kMore);
}

auto wait_seconds(const Controller& start, WorkloadId id) -> double {
  const Controller::Condition& requeued = start.state(id)[ConditionType::requeued];
  const Instant since = requeued.status == Status::absent ? start.inventory().workloads()[id].created : requeued.since;
  const Instant now = start.now();
  // Go's time.Duration cannot hold more.
  constexpr double kLongest = static_cast<double>(INT64_MAX) / 1e9;
  const double seconds =
      static_cast<double>(now.seconds - since.seconds) + static_cast<double>(now.nanos - since.nanos) / 1e9;
  return std::min(seconds, kLongest);
}

auto priority_words(const WorkloadInfo& info) -> std::string {
  return fmt::format("{} (base: {}, boost: {})", info.priority(), info.base_priority, info.boost);
}

}  // namespace

auto message_of(const WhyNot& why, const Inventory& inventory) -> std::string {
  const std::string_view flavor = inventory.text(why.flavor);
  const std::string_view resource = inventory.text(why.resource);
  switch (why.kind) {
    case WhyNot::Kind::flavor_missing: return fmt::format("flavor {} not found", flavor);
    case WhyNot::Kind::taint:
      return fmt::format("untolerated taint {{{} {} {} <nil>}} in flavor {}", inventory.text(why.taint->key),
                         inventory.text(why.taint->value), inventory.text(why.taint->effect), flavor);
    case WhyNot::Kind::affinity: return fmt::format("flavor {} doesn't match node affinity", flavor);
    case WhyNot::Kind::over_capacity:
      return fmt::format(
          "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + current "
          "podset request ({}) > maximum capacity ({})",
          resource, flavor, amount_text(resource, why.assumed), request_text(resource, why.request),
          amount_text(resource, why.limit));
    case WhyNot::Kind::short_of:
      return fmt::format("insufficient unused quota for {} in flavor {}, {} more needed", resource, flavor,
                         amount_text(resource, why.limit));
    case WhyNot::Kind::undeclared: return fmt::format("resource {} unavailable in ClusterQueue", resource);
    case WhyNot::Kind::no_topology:
      return fmt::format("Flavor \"{}\" does not support TopologyAwareScheduling", flavor);
    case WhyNot::Kind::no_level: return fmt::format("Flavor \"{}\" does not contain the requested level", flavor);
    case WhyNot::Kind::only_topology: return fmt::format("Flavor \"{}\" supports only TopologyAwareScheduling", flavor);
    case WhyNot::Kind::not_nominated:
      return fmt::format("skipping flavor {} as it is not found in the nomination mapping for resource {}", flavor,
                         resource);
    case WhyNot::Kind::no_placement: return message_of(*why.placement, inventory);
    case WhyNot::Kind::not_provided: break;
  }
  return fmt::format("flavor {} does not provide resource {}", flavor, resource);
}

auto message_of(const Entry& entry, const Inventory& inventory) -> std::string {
  const WorkloadInfo& info = inventory.workloads()[entry.workload];
  const std::string& queue = inventory.queues()[entry.queue].name;
  switch (entry.refused) {
    case Refused::failed_checks: return "The workload has failed admission checks";
    case Refused::queue_inactive: return fmt::format("ClusterQueue {} is inactive", queue);
    case Refused::namespace_mismatch: return "workload namespace doesn't match ClusterQueue selector";
    case Refused::resources: return inventory.refusal(entry.workload);
    case Refused::no: break;
  }
  switch (entry.outcome) {
    case EntryOutcome::admitted:
    case EntryOutcome::reserved: return fmt::format("Quota reserved in ClusterQueue {}", queue);
    case EntryOutcome::skipped:
      return entry.skipped == Skipped::overlapping_targets
                 ? "Workload has overlapping preemption targets with another workload"
                 : "Workload no longer fits after processing another workload";
    case EntryOutcome::preempting:
    case EntryOutcome::no_fit:
    case EntryOutcome::no_candidates:
    case EntryOutcome::inadmissible: break;
  }
  std::string message = assignment_message(entry.assignment, inventory, *info.object);
  if (entry.outcome == EntryOutcome::preempting)
    message += fmt::format(". Pending the preemption of {} workload(s)", entry.targets.size());
  return message;
}

auto reason_of(const Entry& entry, const Inventory& inventory) -> std::string_view {
  if (entry.outcome == EntryOutcome::admitted || entry.outcome == EntryOutcome::reserved) return "QuotaReserved";
  if (!inventory.settings().gates.granular_reasons) return "Pending";
  if (entry.refused != Refused::no)
    return entry.refused == Refused::failed_checks ? "PendingEvaluation" : "Misconfigured";
  if (entry.outcome == EntryOutcome::preempting) return "WaitingForPreemptedWorkloads";
  if (entry.outcome != EntryOutcome::no_fit) return "WaitingForQuota";
  constexpr std::array<std::string_view, 5> kNames = {"", "TopologyPlacementFailed", "WaitingForQuota",
                                                      "ExceedsMaxQuota", "NoMatchingFlavor"};
  return kNames[static_cast<std::size_t>(severity_of(entry, inventory))];
}

auto preempted_message(const Entry& entry, const Target& target, const Controller& start) -> std::string {
  const Inventory& inventory = start.inventory();
  const WorkloadInfo& info = inventory.workloads()[entry.workload];
  std::string message =
      fmt::format("Preempted to accommodate a workload (UID: {}, JobUID: {}) due to {}",
                  info.uid.empty() ? "UNKNOWN" : info.uid, job_uid(inventory, *info.object), purpose(target.reason));
  if (inventory.settings().release < kPathsInTexts) return message;
  return fmt::format("{}; preemptor path: {}; preemptee path: {}", message, inventory.queues()[entry.queue].path,
                     inventory.queues()[start.quota_queue(target.workload)].path);
}

auto events_of(const Entry& entry, const Controller& start) -> std::vector<std::string> {
  const Inventory& inventory = start.inventory();
  const WorkloadInfo& info = inventory.workloads()[entry.workload];
  const std::string& queue = inventory.queues()[entry.queue].name;
  std::vector<std::string> events;
  if (entry.outcome == EntryOutcome::admitted || entry.outcome == EntryOutcome::reserved) {
    std::string note = fmt::format("Quota reserved in ClusterQueue {}, wait time since queued was {:.0f}s", queue,
                                   wait_seconds(start, entry.workload));
    if (const std::string flavors = attempts_words(entry.assignment, inventory, *info.object); !flavors.empty())
      note += "; Flavors considered: " + flavors;
    if (entry.outcome == EntryOutcome::admitted)
      events.push_back(
          fmt::format("Normal Admitted: Admitted by ClusterQueue {}, wait time since reservation was 0s", queue));
    events.push_back("Normal QuotaReserved: " + cut(std::move(note)));
    return events;
  }
  for (std::size_t i = 0; entry.outcome == EntryOutcome::preempting && i < entry.targets.size(); ++i) {
    if (entry.ongoing[i] != 0) continue;
    const WorkloadInfo& victim = inventory.workloads()[entry.targets[i].workload];
    std::string note = fmt::format("Preempted workload {} (UID: {}) in ClusterQueue {}", victim.key, victim.uid,
                                   inventory.queues()[start.quota_queue(entry.targets[i].workload)].name);
    if (inventory.settings().release >= kPathsInTexts)
      note += fmt::format("; preemptor effective priority: {}; preemptee effective priority: {}", priority_words(info),
                          priority_words(victim));
    events.push_back("Normal PreemptedWorkload: " + cut(std::move(note)));
  }
  events.push_back(fmt::format("Warning {}: {}", reason_of(entry, inventory), cut(message_of(entry, inventory))));
  std::sort(events.begin(), events.end());
  return events;
}

auto queue_name(const EngineTrace& account) -> std::string_view {
  const Inventory& inventory = *account.inventory;
  const WorkloadInfo& info = inventory.workloads()[account.workload];
  const auto& admission = info.object->status.admission;
  if (admission && admission->cluster_queue) return inventory.text(admission->cluster_queue);
  return info.local_queue ? inventory.text(inventory.local_queues()[info.local_queue].object->spec.cluster_queue)
                          : std::string_view();
}

// The controller sets this condition, not the scheduler; a previous condition stays as long as the controller has
// nothing to report.
auto condition_of(const EngineTrace& account) -> QuotaReservedCondition {
  const Inventory& inventory = *account.inventory;
  const WorkloadInfo& info = inventory.workloads()[account.workload];
  const Snapshot& cluster = inventory.cluster();
  QuotaReservedCondition said;
  for (const previct::Condition& each : info.object->status.conditions) {
    if (cluster.text(each.type) != "QuotaReserved") continue;
    said = {std::string(cluster.text(each.reason)), std::string(cluster.text(each.message))};
    break;
  }
  const bool granular = inventory.settings().gates.granular_reasons;
  NotQueued blocked = account.not_queued;
  if (blocked == NotQueued::deactivated && !granular) {
    const LocalQueueInfo* const local = info.local_queue ? &inventory.local_queues()[info.local_queue] : nullptr;
    if (local == nullptr) {
      blocked = NotQueued::no_local_queue;
    } else if (local->stopped) {
      blocked = NotQueued::local_queue_stopped;
    } else if (!account.queue) {
      blocked = NotQueued::no_cluster_queue;
    } else if (inventory.queues()[account.queue].inactive != Inactive::no) {
      blocked = NotQueued::cluster_queue_inactive;
    }
  }
  const auto& at = info.object->status.requeue_state.requeue_at;
  const bool link_missing = account.not_queued == NotQueued::no_local_queue ||
                            account.not_queued == NotQueued::local_queue_stopped ||
                            account.not_queued == NotQueued::no_cluster_queue;
  if (at && account.not_queued != NotQueued::deactivated && (*at > account.start.now() || link_missing)) return said;
  const auto says = [&](std::string_view reason, std::string message) {
    said = {std::string(granular ? reason : "Inadmissible"), std::move(message)};
  };
  const std::string_view local_queue = inventory.text(info.object->spec.queue_name);
  switch (blocked) {
    case NotQueued::no_local_queue:
      says("Misconfigured", fmt::format("LocalQueue {} doesn't exist", local_queue));
      break;
    case NotQueued::local_queue_stopped:
      says("Suspended", fmt::format("LocalQueue {} is inactive", local_queue));
      break;
    case NotQueued::no_cluster_queue:
      says("Misconfigured", fmt::format("ClusterQueue {} doesn't exist", queue_name(account)));
      break;
    case NotQueued::cluster_queue_inactive:
      says("Suspended", fmt::format("ClusterQueue {} is inactive", queue_name(account)));
      break;
    case NotQueued::admission_gated: {
      const Symbol key = cluster.symbol("kueue.x-k8s.io/admission-gated-by");
      said = {"AdmissionGated",
              fmt::format("Admission is gated by: {}", cluster.text(info.object->meta.annotations.get(key)))};
      break;
    }
    default: break;
  }
  return said;
}

auto outcome_name(EntryOutcome outcome) -> std::string_view {
  constexpr std::array<std::string_view, 7> kNames = {"admitted",     "reserved", "preempting",  "noFit",
                                                      "noCandidates", "skipped",  "inadmissible"};
  return kNames[static_cast<std::size_t>(outcome)];
}

auto not_queued_name(NotQueued why) -> std::string_view {
  constexpr std::array<std::string_view, 15> kNames = {"",
                                                       "finished",
                                                       "deleting",
                                                       "deactivated",
                                                       "evicting",
                                                       "admitted",
                                                       "reserved",
                                                       "onHold",
                                                       "admissionGated",
                                                       "waitingForReplacementPods",
                                                       "noLocalQueue",
                                                       "localQueueStopped",
                                                       "noClusterQueue",
                                                       "clusterQueueInactive",
                                                       "backoff"};
  return kNames[static_cast<std::size_t>(why)];
}

auto phase_name(Phase phase) -> std::string_view {
  constexpr std::array<std::string_view, 7> kNames = {"pending", "reserved", "admitted", "evicting",
                                                      "evicted", "finished", "deleted"};
  return kNames[static_cast<std::size_t>(phase)];
}

auto no_candidate_name(NoCandidate why) -> std::string_view {
  constexpr std::array<std::string_view, 4> kNames = {"policyNever", "withinNominal", "otherFlavor", "priority"};
  return kNames[static_cast<std::size_t>(why)];
}

auto passed_over_name(PassedOver why) -> std::string_view {
  return why == PassedOver::only_without_borrowing ? "onlyWithoutBorrowing" : "backToNominal";
}

auto strategy_name(FairStrategy strategy) -> std::string_view {
  return strategy == FairStrategy::final_share ? "LessThanOrEqualToFinalShare" : "LessThanInitialShare";
}

}  // namespace previct::kueue
