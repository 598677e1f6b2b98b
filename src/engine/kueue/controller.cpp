#include "engine/kueue/controller.h"

#include "cluster/matching.h"
#include "engine/kueue/subject.h"
#include "engine/required_kind.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

constexpr std::array<std::string_view, kConditionTypes> kTypes = {
    "Finished",  "QuotaReserved",     "Admitted", "Evicted", "Preempted", "Requeued", "WaitingForReplacementPods",
    "PodsReady", "DeactivationTarget"};

constexpr std::string_view kDeactivated = "Deactivated";

// The reason of the condition Evicted. Source: apis/kueue/v1beta2/workload_types.go.
auto eviction_reason(LossReason reason) -> std::string_view {
  switch (reason) {
    case LossReason::none: return "";
    case LossReason::check_retried: return "AdmissionCheck";
    case LossReason::local_queue_drained: return "LocalQueueStopped";
    case LossReason::cluster_queue_drained: return "ClusterQueueStopped";
    case LossReason::pods_not_ready: return "PodsReadyTimeout";
    case LossReason::deactivation_target:
    case LossReason::check_rejected:
    case LossReason::requeuing_limit:
    case LossReason::execution_time: return kDeactivated;
  }
  return "";
}

}  // namespace

auto deactivates(LossReason reason) -> bool {
  return eviction_reason(reason) == kDeactivated;
}

Controller::Controller(const Inventory& inventory, Instant now, WorkloadId only, TieOrder ties)
    : inventory_(&inventory),
      now_(now),
      tree_(inventory.tree()),
      states_(inventory.workloads().size()),
      known_(inventory.workloads().size(), 1),
      rank_(inventory.workloads().size(), 0),
      holding_(inventory.queues().size()),
      sticky_(inventory.queues().size()),
      generation_(inventory.queues().size(), 0),
      penalty_(inventory.local_queues().size()),
      tie_order_(ties),
      ties_(ties),
      local_queue_usage_(inventory.local_queues().size(), 0) {
  const Snapshot& cluster = inventory.cluster();
  for (const WorkloadId id : inventory.workloads().ids()) {
    const Workload& object = *inventory.workloads()[id].object;
    WorkloadState& state = states_[id];
    for (const previct::Condition& condition : object.status.conditions) {
      const std::string_view type = cluster.text(condition.type);
      const auto* const at = std::find(kTypes.begin(), kTypes.end(), type);
      if (at == kTypes.end()) continue;
      Condition& known = state.conditions[static_cast<std::size_t>(at - kTypes.begin())];
      if (known.status != Status::absent) continue;  // the first condition of a type counts
      known = {cluster.text(condition.status) == "True" ? Status::yes : Status::no, cluster.text(condition.reason),
               condition.last_transition.value_or(Instant{})};
    }
    if (is_withdrawn(id)) set(id, ConditionType::quota_reserved, Status::no, "Inadmissible");
    static_cast<void>(lose_quota(id));
    if (only && id != only && !state.is(ConditionType::quota_reserved)) known_[id] = 0;
    if (!backoff_over(id)) state.aside = true;
    if (known_[id] != 0) hold(id);
  }
  measure_local_queues();
  rank();
}

void Controller::measure_local_queues() {
  const auto& sharing = inventory_->settings().admission_fair_sharing;
  if (!sharing) return;
  const Snapshot& cluster = inventory_->cluster();
  for (const LocalQueueId id : inventory_->local_queues().ids()) {
    const LocalQueue& object = *inventory_->local_queues()[id].object;
    std::map<std::string_view, double> used;
    for (const auto& [resource, quantity] : object.status.fair_sharing.admission.consumed_resources)
      used[cluster.text(resource)] += static_cast<double>(quantity.nanos()) / 1e9;
    for (const auto& [resource, more] : penalty_[id]) used[cluster.text(resource)] += more;
    double sum = 0;
    for (const auto& [resource, amount] : used) {
      const double* const weight = sharing->weights.find(cluster.symbol(resource));
      sum += (weight == nullptr ? 1.0 : *weight) * amount;
    }
    const auto& weight = object.spec.fair_sharing.weight;
    const double share = weight ? static_cast<double>(weight->nanos()) / 1e9 : 1.0;
    const bool comes_last = share <= 0 && has_flavor_fixes(inventory_->settings().release);
    const double usage = comes_last ? std::numeric_limits<double>::infinity() : sum / share;
    local_queue_usage_[id] = std::isnan(usage) ? 0 : usage;
  }
}

// Its assignment counts, whatever its spec says now.
void Controller::hold(WorkloadId id) {
  const WorkloadInfo& info = inventory_->workloads()[id];
  const Workload& object = *info.object;
  WorkloadState& state = states_[id];
  if (!object.status.admission || !state.is(ConditionType::quota_reserved) || state.is(ConditionType::finished) ||
      !object.spec.active.value_or(true) || state.deactivated)
    return;
  // Without another finalizer, a deleted workload is gone as soon as its job is suspended.
  // Source: pkg/controller/jobframework/reconciler.go ReconcileGenericJob, 1.1.
  if (object.meta.deleting && object.meta.finalizers.empty()) return;
  const Snapshot& cluster = inventory_->cluster();
  const QueueId queue = inventory_->find_queue(cluster.text(object.status.admission->cluster_queue));
  if (!queue) return;
  const std::vector<std::int64_t> counts = counts_after_reclaim(object, inventory_->settings());
  for (const PodSetAssignment& set : object.status.admission->pod_sets) {
    std::int64_t in_spec = 0;
    std::int64_t left = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const PodSet& of = object.spec.pod_sets[i];
      if (name_of(of, cluster) != (set.name ? cluster.text(set.name) : "main")) continue;
      in_spec = count_of(of);
      left = counts[i];
    }
    const std::int64_t assigned = set.count.value_or(static_cast<std::int32_t>(in_spec));
    for (const auto& [resource, quantity] : set.resource_usage) {
      Amount amount = request_amount(cluster.text(resource), quantity);
      if (left < assigned) amount = times({amount.value / assigned}, left);
      add(state.usage, inventory_->names().find(set.flavors.get(resource), resource), amount);
    }
    for (const auto& [resource, flavor] : set.flavors)
      state.flavors.push_back(inventory_->names().find(flavor, resource));
    if (set.topology && !inventory_->topologies().all().empty()) hold_topology(id, set);
  }
  state.holds_in = queue;
  holding_[queue].push_back(id);
  tree_.take(inventory_->queues()[queue].node, state.usage);
}

// Reclaimable pods still count. Source: pkg/workload/workload.go totalRequestsFromAdmission, TASUsage.
void Controller::hold_topology(WorkloadId id, const PodSetAssignment& set) {
  const Snapshot& cluster = inventory_->cluster();
  const std::vector<PodSet>& sets = inventory_->workloads()[id].object->spec.pod_sets;
  const auto same = std::find_if(sets.begin(), sets.end(), [&](const PodSet& each) {
    return name_of(each, cluster) == (set.name ? cluster.text(set.name) : "main");
  });
  if (same == sets.end()) return;
  const Capacity& request = inventory_->pods(id)[static_cast<std::size_t>(same - sets.begin())].request;
  std::set<Symbol> flavors;
  for (const auto& [resource, flavor] : set.flavors) flavors.insert(flavor);
  for (const TopologyDomain& domain : set.topology->domains) {
    std::string name;
    for (const Symbol value : domain.values) {
      if (!name.empty()) name += ',';
      name += cluster.text(value);
    }
    for (const Symbol flavor : flavors) states_[id].topology.push_back({flavor, name, request, domain.count});
  }
}

// Quota that is reserved, but not used, is given back if the queue does not admit. Source:
// pkg/controller/core/workload_controller.go reconcileOnLocalQueueActiveState, reconcileOnClusterQueueActiveState.
auto Controller::is_withdrawn(WorkloadId id) const -> bool {
  const WorkloadState& state = states_[id];
  const WorkloadInfo& info = inventory_->workloads()[id];
  if (!state.is(ConditionType::quota_reserved) || state.is(ConditionType::admitted) ||
      state.is(ConditionType::finished) || !info.object->spec.active.value_or(true))
    return false;
  const Objects& objects = inventory_->cluster().objects();
  if (!info.local_queue) return !lacks(objects, kinds::local_queues);
  const LocalQueueInfo& local = inventory_->local_queues()[info.local_queue];
  if (local.object->meta.deleting || local.stopped) return true;
  if (!local.queue) return !lacks(objects, kinds::cluster_queues);
  const Inactive why = inventory_->queues()[local.queue].inactive;
  return why == Inactive::deleted || why == Inactive::stopped;
}

// Source: pkg/controller/core/workload_controller.go reconcileCheckBasedEviction, reconcileOnLocalQueueActiveState,
// reconcileOnClusterQueueActiveState, admittedNotReadyWorkload, triggerDeactivation, reconcileMaxExecutionTime.
auto Controller::next_loss_of(WorkloadId id) const -> QuotaLoss {
  const WorkloadInfo& info = inventory_->workloads()[id];
  const Workload& object = *info.object;
  const WorkloadState& state = states_[id];
  if (!state.is(ConditionType::quota_reserved) || state.is(ConditionType::evicted) ||
      state.is(ConditionType::finished) || !object.spec.active.value_or(true))
    return {};
  if (state.is(ConditionType::deactivation_target)) return {LossReason::deactivation_target, Instant{}};
  const auto any = [&](std::string_view wanted) {
    return !state.checks_reset &&
           std::any_of(object.status.admission_checks.begin(), object.status.admission_checks.end(),
                       [&](const AdmissionCheckState& each) { return inventory_->text(each.state) == wanted; });
  };
  if (any("Rejected")) return {LossReason::check_rejected, Instant{}};
  if (any("Retry")) return {LossReason::check_retried, Instant{}};
  if (!state.is(ConditionType::admitted)) return {};
  const auto drains = [&](Symbol policy) { return inventory_->text(policy) == "HoldAndDrain"; };
  if (info.local_queue && drains(inventory_->local_queues()[info.local_queue].object->spec.stop_policy))
    return {LossReason::local_queue_drained, Instant{}};
  if (const QueueId queue = inventory_->queue_of(id);
      queue && drains(inventory_->queues()[queue].object->spec.stop_policy))
    return {LossReason::cluster_queue_drained, Instant{}};
  const Condition& admitted = state[ConditionType::admitted];
  QuotaLoss first;
  if (const auto& limits = inventory_->settings().pods_ready) {
    const Condition& ready = state[ConditionType::pods_ready];
    const bool starts = ready.reason == "WaitForStart" || ready.reason == "PodsReady";
    const bool recovers = ready.reason == "WaitForRecovery" && limits->recovery_nanos > 0;
    // A controller that waits for ready pods sets the condition at once: without it, this one does not wait.
    if (ready.status == Status::no && (starts || recovers))
      first = {
          limits->limit && requeues(id) + 1 > *limits->limit ? LossReason::requeuing_limit : LossReason::pods_not_ready,
          starts ? admitted.since.plus_nanos(limits->timeout_nanos) : ready.since.plus_nanos(limits->recovery_nanos)};
  }
  if (const auto& most = object.spec.maximum_execution_seconds) {
    const std::int64_t ran = object.status.past_execution_seconds.value_or(0) + state.ran_seconds;
    const Instant end = admitted.since.plus_seconds(std::int64_t{*most} - ran);
    if (end < first.at) first = {LossReason::execution_time, end};
  }
  return first;
}

// While its back-off runs, the controller does nothing else with a workload, unless it is to be deactivated. A check
// that requests a retry extends the back-off. Source: pkg/controller/core/workload_controller.go Reconcile
// (NeedsRequeueAtUpdate, "Waiting for backoff to finish"); pkg/workload/admissionchecks.go GetMaxRetryTime.
auto Controller::unseen_until(WorkloadId id) const -> Instant {
  const auto& requeue_at = inventory_->workloads()[id].object->status.requeue_state.requeue_at;
  return std::max(requeue_at.value_or(Instant{}), retry_time(id));
}

auto Controller::loss_of(WorkloadId id) const -> QuotaLoss {
  QuotaLoss loss = next_loss_of(id);
  const bool waits = loss.reason != LossReason::none && loss.reason != LossReason::deactivation_target;
  if (const Instant until = unseen_until(id); waits && until > now_) loss.at = std::max(loss.at, until);
  return loss;
}

auto Controller::requeues(WorkloadId id) const -> std::int64_t {
  const auto& earlier = inventory_->workloads()[id].object->status.requeue_state.count;
  return std::int64_t{earlier.value_or(0)} + states_[id].requeues;
}

auto Controller::lose_quota(WorkloadId id) -> bool {
  const QuotaLoss loss = loss_of(id);
  if (loss.reason == LossReason::none || loss.at > now_) return false;
  WorkloadState& state = states_[id];
  state.loss = loss;
  state.deactivated = deactivates(loss.reason);
  set(id, ConditionType::evicted, Status::yes, eviction_reason(loss.reason));
  if (loss.reason != LossReason::pods_not_ready) return true;
  // Source: pkg/workload/workload.go UpdateRequeueState; the jitter is left out.
  const auto& limits = *inventory_->settings().pods_ready;
  const double seconds = std::min(limits.backoff_base_seconds * std::pow(2.0, static_cast<double>(requeues(id))),
                                  limits.backoff_max_seconds);
  state.requeue_at = now_.plus_seconds(static_cast<std::int64_t>(seconds));
  ++state.requeues;
  return true;
}

auto Controller::next_loss(std::string_view scope) const -> std::pair<WorkloadId, QuotaLoss> {
  std::pair<WorkloadId, QuotaLoss> next;
  for (const WorkloadId id : inventory_->workloads().ids()) {
    const QueueId queue = states_[id].holds_in;
    if (known_[id] == 0 || !queue || (!scope.empty() && inventory_->queues()[queue].scope != scope)) continue;
    if (const QuotaLoss loss = loss_of(id); loss.at > now_ && loss.at < next.second.at) next = {id, loss};
  }
  return next;
}

auto Controller::leaves(WorkloadId id) const -> bool {
  return states_[id].is(ConditionType::quota_reserved) &&
         (states_[id].is(ConditionType::evicted) || inventory_->workloads()[id].object->meta.deleting);
}

auto Controller::ends_pods(WorkloadId id) const -> bool {
  return leaves(id) || (states_[id].is(ConditionType::quota_reserved) && !states_[id].is(ConditionType::finished) &&
                        !inventory_->workloads()[id].object->spec.active.value_or(true));
}

auto Controller::leaving(std::string_view tree) const -> std::vector<WorkloadId> {
  std::vector<WorkloadId> found;
  for (const WorkloadId id : inventory_->workloads().ids()) {
    const QueueId queue = states_[id].holds_in;
    if (queue && leaves(id) && inventory_->queues()[queue].tree == tree) found.push_back(id);
  }
  std::sort(found.begin(), found.end(), [&](WorkloadId a, WorkloadId b) {
    return inventory_->workloads()[a].key < inventory_->workloads()[b].key;
  });
  return found;
}

void Controller::release(WorkloadId id) {
  WorkloadState& state = states_[id];
  if (!state.holds_in) return;
  tree_.give_back(inventory_->queues()[state.holds_in].node, state.usage);
  ++generation_[state.holds_in];
  std::erase(holding_[state.holds_in], id);
  state.holds_in = {};
  state.usage.clear();
  state.flavors.clear();
  state.topology.clear();
}

// Ranks victims of one ClusterQueue: lower priority first, then shorter time with quota, then uid.
void Controller::rank() {
  std::vector<WorkloadId> all;
  for (const auto& of : holding_) all.insert(all.end(), of.begin(), of.end());
  std::sort(all.begin(), all.end());
  const auto reserved = [&](WorkloadId id) {
    const Condition& condition = states_[id][ConditionType::quota_reserved];
    return condition.status == Status::yes ? condition.since : now_;
  };
  const auto less = [&](WorkloadId a, WorkloadId b) {
    const WorkloadInfo& x = inventory_->workloads()[a];
    const WorkloadInfo& y = inventory_->workloads()[b];
    if (x.priority() != y.priority()) return x.priority() < y.priority();
    if (reserved(a) != reserved(b)) return reserved(a) > reserved(b);
    return x.uid < y.uid;
  };
  std::stable_sort(all.begin(), all.end(), less);
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && less(all[i - 1], all[i])) ++number;
    rank_[all[i]] = number;
  }
}

auto Controller::before(WorkloadId a, WorkloadId b, QueueId of, bool by_usage) const -> bool {
  const WorkloadState& x = states_[a];
  const WorkloadState& y = states_[b];
  const bool evicted = x.is(ConditionType::evicted);
  if (evicted != y.is(ConditionType::evicted)) return evicted;
  const bool own = x.holds_in == of;
  if (own != (y.holds_in == of)) return !own;
  const WorkloadInfo& info = inventory_->workloads()[a];
  const WorkloadInfo& other = inventory_->workloads()[b];
  if (by_usage && x.holds_in == y.holds_in && inventory_->queues()[x.holds_in].by_usage &&
      info.object->spec.queue_name != other.object->spec.queue_name) {
    const double used = usage_of_local_queue(a);
    const double other_used = usage_of_local_queue(b);
    if (used != other_used) return used > other_used;
  }
  return rank_[a] < rank_[b];
}

auto Controller::not_queued(WorkloadId id) const -> NotQueued {
  const WorkloadState& state = states_[id];
  const WorkloadInfo& info = inventory_->workloads()[id];
  if (state.is(ConditionType::finished)) return NotQueued::finished;
  if (info.object->meta.deleting || state.deleted) return NotQueued::deleting;
  if (!info.object->spec.active.value_or(true)) return NotQueued::deactivated;
  if (state.is(ConditionType::quota_reserved)) {
    if (state.is(ConditionType::evicted)) return NotQueued::evicting;
    return state.is(ConditionType::admitted) ? NotQueued::admitted : NotQueued::reserved;
  }
  if (state.deactivated) return NotQueued::deactivated;
  if (state[ConditionType::quota_reserved].reason == "OnHold") return NotQueued::on_hold;
  const Symbol gated = inventory_->cluster().symbol("kueue.x-k8s.io/admission-gated-by");
  if (gated && inventory_->settings().gates.admission_gated_by &&
      !inventory_->text(info.object->meta.annotations.get(gated)).empty())
    return NotQueued::admission_gated;
  if (state.is(ConditionType::waiting_for_replacement)) return NotQueued::waiting_for_replacement_pods;
  if (!info.local_queue) return NotQueued::no_local_queue;
  const LocalQueueInfo& local = inventory_->local_queues()[info.local_queue];
  if (local.stopped) return NotQueued::local_queue_stopped;
  return local.queue ? NotQueued::no : NotQueued::no_cluster_queue;
}

auto Controller::phase(WorkloadId id) const -> Phase {
  const WorkloadState& state = states_[id];
  if (state.is(ConditionType::finished)) return Phase::finished;
  if (state.deleted) return Phase::deleted;
  const bool evicted = state.is(ConditionType::evicted);
  if (!state.is(ConditionType::quota_reserved)) return evicted ? Phase::evicted : Phase::pending;
  if (evicted) return Phase::evicting;
  return state.is(ConditionType::admitted) ? Phase::admitted : Phase::reserved;
}

// While the condition Requeued is False, the workload stays out of the heap. Its controller sets it to True when the
// back-off ends, the workload is activated or its LocalQueue is started. Source:
// pkg/cache/queue/cluster_queue.go backoffWaitingTimeExpired; pkg/controller/core/workload_controller.go Reconcile.
auto Controller::requeued_at(WorkloadId id) const -> Instant {
  const WorkloadState& state = states_[id];
  const Condition& requeued = state[ConditionType::requeued];
  const auto is_over = [&] {
    if (requeued.reason == "PodsReadyTimeout" || requeued.reason == "AdmissionCheck") return true;
    if (requeued.reason == kDeactivated) return !state.deactivated;
    const LocalQueueId local = inventory_->workloads()[id].local_queue;
    return requeued.reason == "LocalQueueStopped" && local && !inventory_->local_queues()[local].stopped;
  };
  if (requeued.status == Status::no && !is_over()) return Instant::never();
  const WorkloadStatus& status = inventory_->workloads()[id].object->status;
  const Instant at = state.requeue_at ? *state.requeue_at : status.requeue_state.requeue_at.value_or(Instant{});
  return std::max(at, retry_time(id));
}

// Source: pkg/workload/admissionchecks.go GetMaxRetryTime, NeedsRequeueAtUpdate.
auto Controller::retry_time(WorkloadId id) const -> Instant {
  Instant last{};
  for (const AdmissionCheckState& each : inventory_->workloads()[id].object->status.admission_checks) {
    if (each.requeue_after && each.last_transition && inventory_->text(each.state) == "Retry")
      last = std::max(last, each.last_transition->plus_seconds(*each.requeue_after));
  }
  return last;
}

auto Controller::next_requeue(std::string_view scope) const -> Instant {
  Instant next = Instant::never();
  for (const WorkloadId id : inventory_->workloads().ids()) {
    if (known_[id] == 0 || !states_[id].aside || not_queued(id) != NotQueued::no) continue;
    const QueueInfo& queue = inventory_->queues()[inventory_->queue_of(id)];
    if (queue.inactive != Inactive::no || (!scope.empty() && queue.scope != scope)) continue;
    if (const Instant at = requeued_at(id); at > now_) next = std::min(next, at);
  }
  return next;
}

auto Controller::advance(Instant to) -> std::vector<WorkloadId> {
  for (const WorkloadId id : inventory_->workloads().ids()) {
    if (const Instant at = requeued_at(id); at > now_ && to >= at) states_[id].aside = false;
  }
  now_ = to;
  std::vector<WorkloadId> losing;
  for (const WorkloadId id : inventory_->workloads().ids()) {
    if (known_[id] != 0 && states_[id].holds_in && lose_quota(id)) losing.push_back(id);
  }
  return losing;
}

auto Controller::queue_time(WorkloadId id) const -> Instant {
  constexpr std::int64_t kMilli = 1'000'000;
  const WorkloadState& state = states_[id];
  const Settings& settings = inventory_->settings();
  const Condition& evicted = state[ConditionType::evicted];
  const bool counts = (evicted.reason == "PodsReadyTimeout" && settings.evicted_queue_by_eviction) ||
                      evicted.reason == "AdmissionCheck";
  if (evicted.status == Status::yes && counts) return evicted.since;
  const Condition& preempted = state[ConditionType::preempted];
  if (!settings.gates.priority_sorting && preempted.status == Status::yes &&
      preempted.reason == "InCohortReclaimWhileBorrowing")
    return preempted.since.plus_nanos(kMilli);
  return inventory_->workloads()[id].created;
}

auto Controller::usage_of_local_queue(WorkloadId id) const -> double {
  const LocalQueueId local = inventory_->workloads()[id].local_queue;
  return local ? local_queue_usage_[local] : 0;
}

auto Controller::sooner(QueueId queue, WorkloadId a, WorkloadId b) const -> bool {
  if (inventory_->queues()[queue].by_usage) {
    const double used = usage_of_local_queue(a);
    const double other = usage_of_local_queue(b);
    if (used != other) return used < other;
  }
  if ((sticky_[queue] == a) != (sticky_[queue] == b)) return sticky_[queue] == a;
  const WorkloadInfo& x = inventory_->workloads()[a];
  const WorkloadInfo& y = inventory_->workloads()[b];
  if (x.priority() != y.priority()) return x.priority() > y.priority();
  const Instant at = queue_time(a);
  const Instant other = queue_time(b);
  return at != other ? at < other : x.uid < y.uid;
}

auto Controller::queue(QueueId queue, bool heap_only) const -> std::vector<WorkloadId> {
  std::vector<WorkloadId> found;
  for (const WorkloadId id : inventory_->queues()[queue].workloads) {
    if (known_[id] != 0 && !(heap_only && states_[id].aside) && not_queued(id) == NotQueued::no) found.push_back(id);
  }
  std::stable_sort(found.begin(), found.end(), [&](WorkloadId a, WorkloadId b) { return sooner(queue, a, b); });
  return found;
}

auto Controller::head(QueueId queue) const -> WorkloadId {
  WorkloadId first;
  for (const WorkloadId id : inventory_->queues()[queue].workloads) {
    if (waits(id) && (!first || sooner(queue, id, first))) first = id;
  }
  return first;
}

auto Controller::any_head(std::string_view scope) const -> bool {
  const auto& queues = inventory_->queues();
  return std::any_of(queues.begin(), queues.end(), [&](const QueueInfo& queue) {
    return queue.inactive == Inactive::no && (scope.empty() || queue.scope == scope) &&
           std::any_of(queue.workloads.begin(), queue.workloads.end(), [&](WorkloadId id) { return waits(id); });
  });
}

auto Controller::sticks(WorkloadId id) const -> bool {
  const QueueId queue = inventory_->queue_of(id);
  return queue && sticky_[queue] == id;
}

auto Controller::remembers(WorkloadId id) const -> bool {
  const QueueId queue = inventory_->queue_of(id);
  return queue && !states_[id].tried.empty() &&
         (states_[id].tried_generation >= generation_[queue] || tried_recently(id));
}

auto Controller::last_tried(WorkloadId id, std::size_t set, Symbol resource) const -> int {
  for (const Tried& each : states_[id].tried) {
    if (each.set == set && each.resource == resource) return each.index;
  }
  return -1;
}

// Source: pkg/scheduler/scheduler.go lastAssignmentOutdated, v0.19.1.
auto Controller::tried_recently(WorkloadId id) const -> bool {
  return inventory_->settings().gates.keeps_scan_progress && cycle_ - states_[id].tried_cycle <= 1;
}

void Controller::forget_if_changed(WorkloadId id, QueueId queue) {
  if (states_[id].tried_generation < generation_[queue] && !tried_recently(id)) states_[id].tried.clear();
}

void Controller::remember(WorkloadId id, std::vector<Tried> tried, QueueId queue) {
  states_[id].tried = std::move(tried);
  states_[id].tried_generation = generation_[queue];
  states_[id].tried_cycle = cycle_;
}

auto Controller::satisfies(WorkloadId of, WorkloadId candidate, Policy policy) const -> bool {
  constexpr std::int64_t kBuffer = 300'000'000'000;
  if (policy == Policy::never || policy == Policy::any) return policy == Policy::any;
  const std::int64_t mine = inventory_->workloads()[of].priority();
  const std::int64_t theirs = inventory_->workloads()[candidate].priority();
  if (mine != theirs || policy == Policy::lower_priority) return mine > theirs;
  const Instant at = queue_time(of);
  const Instant other = queue_time(candidate);
  return inventory_->settings().gates.timestamp_buffer ? at.plus_nanos(kBuffer) < other : at < other;
}

void Controller::set(WorkloadId id, ConditionType type, Status status, std::string_view reason) {
  Condition& condition = states_[id].conditions[static_cast<std::size_t>(type)];
  if (condition.status != status) condition.since = now_;
  condition.status = status;
  condition.reason = reason;
}

void Controller::reserve(WorkloadId id, QueueId queue, Requests usage, std::vector<FlavorResource> flavors,
                         std::vector<TopologyUse> topology, bool admitted) {
  WorkloadState& state = states_[id];
  forget(id);
  for (WorkloadId& each : sticky_) {
    if (each == id) each = {};
  }
  set(id, ConditionType::quota_reserved, Status::yes, "QuotaReserved");
  if (admitted) set(id, ConditionType::admitted, Status::yes, "Admitted");
  for (const ConditionType type : {ConditionType::evicted, ConditionType::preempted}) {
    if (state.is(type)) set(id, type, Status::no, "QuotaReserved");
  }
  state.usage = std::move(usage);
  state.flavors = std::move(flavors);
  state.topology = std::move(topology);
  state.holds_in = queue;
  holding_[queue].push_back(id);
  tree_.take(inventory_->queues()[queue].node, state.usage);
  ++generation_[queue];
}

void Controller::add_penalty(WorkloadId id, const std::vector<PodSetRequest>& sets) {
  const auto& sharing = inventory_->settings().admission_fair_sharing;
  const LocalQueueId local = inventory_->workloads()[id].local_queue;
  if (!sharing || !local) return;
  const double part = sharing->half_life == 0 ? 0.0 : 1 - std::pow(0.5, sharing->sampling / sharing->half_life);
  for (const PodSetRequest& set : sets) {
    for (const ResourceAmount& each : set.requests) {
      const double whole = inventory_->text(each.resource) == "cpu" ? 1000 : 1;
      penalty_[local][each.resource] += part * (static_cast<double>(each.amount.value) / whole);
    }
  }
  measure_local_queues();
}

auto Controller::settle() -> std::vector<WorkloadId> {
  std::vector<WorkloadId> gone;
  for (const WorkloadId id : inventory_->workloads().ids()) {
    if (known_[id] != 0 && leaves(id)) gone.push_back(id);
  }
  std::sort(gone.begin(), gone.end(), [&](WorkloadId a, WorkloadId b) {
    return inventory_->workloads()[a].key < inventory_->workloads()[b].key;
  });
  std::set<std::string_view> trees;
  for (const WorkloadId id : gone) {
    const std::string_view reason = states_[id][ConditionType::evicted].reason;
    release(id);
    set(id, ConditionType::requeued, reason == "Preempted" || reason == "NodeFailures" ? Status::yes : Status::no,
        reason);
    set(id, ConditionType::quota_reserved, Status::no, "Pending");
    if (const Condition& admitted = states_[id][ConditionType::admitted]; admitted.status == Status::yes) {
      // Source: pkg/workload/admissionchecks.go SyncAdmittedCondition.
      states_[id].ran_seconds += seconds_between(admitted.since, now_);
      states_[id].deleted = goes_with_its_pods(*inventory_, id);  // gated pods of others stay
      set(id, ConditionType::admitted, Status::no, "NoReservation");
    }
    states_[id].checks_reset = true;  // pkg/workload/workload.go ResetChecksOnEviction
    if (!backoff_over(id)) states_[id].aside = true;
    // Nothing is retried if its LocalQueue does not exist or is stopped.
    const LocalQueueId local = inventory_->workloads()[id].local_queue;
    if (!local || inventory_->local_queues()[local].stopped) continue;
    if (const QueueId queue = inventory_->local_queues()[local].queue) trees.insert(inventory_->queues()[queue].tree);
  }
  if (trees.empty()) return gone;
  for (const WorkloadId id : inventory_->workloads().ids()) {
    WorkloadState& state = states_[id];
    if (!state.aside || known_[id] == 0 || not_queued(id) != NotQueued::no || !backoff_over(id)) continue;
    const QueueInfo& queue = inventory_->queues()[inventory_->queue_of(id)];
    const Workload& object = *inventory_->workloads()[id].object;
    const bool selected = matches(queue.object->spec.namespace_selector, inventory_->namespace_labels(object.meta.ns),
                                  inventory_->cluster().objects().symbols);
    if (trees.contains(queue.tree) && selected) state.aside = false;
  }
  return gone;
}

}  // namespace previct::kueue
