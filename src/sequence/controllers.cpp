#include "sequence/controllers.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace previct::sequence {
namespace {

// Source: kubernetes v1.35 pkg/controller/job: DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff;
// pkg/apis/batch/v1/defaults.go.
constexpr Time kFirstBackoff = 10 * kSecond;
constexpr Time kLongestBackoff = 600 * kSecond;

// A kind of the same name in another group behaves differently: Job of batch.volcano.sh, StatefulSet of apps.kruise.io.
// Captures may lack the group.
auto is_builtin(std::string_view api_version) -> bool {
  const std::string_view group = api_version.substr(0, api_version.rfind('/') + 1);
  return group.empty() || group == "apps/" || group == "batch/" || group == "extensions/";
}

auto maker_of(std::string_view api_version, std::string_view kind) -> ControllerKind {
  if (!is_builtin(api_version)) return ControllerKind::other;
  if (kind == "ReplicaSet" || kind == "ReplicationController") return ControllerKind::replica_set;
  if (kind == "StatefulSet") return ControllerKind::stateful_set;
  if (kind == "DaemonSet") return ControllerKind::daemon_set;
  if (kind == "Job") return ControllerKind::job;
  if (kind == "Node") return ControllerKind::kubelet;
  return ControllerKind::other;
}

template <class Object>
auto find_object(const std::vector<Object>& all, const Owner& owner) -> const Object* {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Object& object) {
    return object.meta.ns == owner.ns && object.meta.name == owner.name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

auto Controllers::backoff(std::int64_t failures) -> Time {
  constexpr std::int64_t kMostDoublings = 10;  // 10 s, doubled this often, exceeds the longest back-off
  if (failures <= 0) return 0;
  return std::min(kLongestBackoff, kFirstBackoff << std::min(failures - 1, kMostDoublings));
}

auto owner_of(const Snapshot& cluster, const Pod& pod) -> Owner {
  const OwnerReference* owner = controller_of(pod.meta);
  if (owner == nullptr) return {};
  return {maker_of(cluster.text(owner->api_version), cluster.text(owner->kind)), pod.meta.ns, owner->kind, owner->name};
}

auto describe_owner(const Snapshot& cluster, const Owner& owner) -> std::string {
  return fmt::format("{} {}/{}", cluster.text(owner.kind), cluster.text(owner.ns), cluster.text(owner.name));
}

auto NewNames::next(const Snapshot& cluster, const Pod& pod) -> Symbol {
  const Owner owner = owner_of(cluster, pod);
  if (owner.maker == ControllerKind::stateful_set) return pod.meta.name;
  std::string begin(cluster.text(pod.meta.generate_name));
  if (begin.empty()) {
    const std::string_view name = cluster.text(owner.name ? owner.name : pod.meta.name);
    const std::size_t counted = name.find("-new-");  // the pod has no owner and may be a new one of the simulation
    begin = fmt::format("{}-", owner.name ? name : name.substr(0, counted));
  }
  std::size_t& count = given_[cluster.symbols().intern(begin)];
  for (;;) {
    const std::string name = fmt::format("{}new-{}", begin, ++count);
    if (!cluster.find_pod(cluster.text(pod.meta.ns), name)) return cluster.symbols().intern(name);
  }
}

auto identity_of(const Snapshot& cluster, const Pod& pod, PodId like) -> std::string {
  const Owner owner = owner_of(cluster, pod);
  const bool alike = owner.maker == ControllerKind::replica_set || owner.maker == ControllerKind::job;
  return alike ? fmt::format("{}.{}.{}", owner.ns.index, owner.kind.index, owner.name.index)
               : fmt::format("#{}", like.index);
}

void Controllers::note_finalizers(PodId pod) {
  for (const Symbol finalizer : cluster_.pod(pod).meta.finalizers)
    remark(GapRule::finalizers, {std::string(cluster_.text(finalizer)), cluster_.key(pod)});
}

auto Controllers::deletion_begins(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  switch (owner.maker) {
    case ControllerKind::replica_set: {
      Reaction reaction = replaced(owner, pod, now);
      synchronize(owner, now, reaction);
      return reaction;
    }
    case ControllerKind::job: {
      if (let_go_.contains(pod)) return {};
      const JobState& job = job_with_gaps(owner);
      return other_controller(job) || replaces_failed_only(job) ? Reaction{} : failed(owner, pod, now);
    }
    case ControllerKind::kubelet:
      // The kubelet of a node that is lost is lost, too.
      if (cluster_.node_of(pod)) remark(GapRule::static_victims);
      return {};
    case ControllerKind::other: remark(GapRule::other_controller, {std::string(cluster_.text(owner.kind))}); return {};
    case ControllerKind::none:
    case ControllerKind::stateful_set:
    case ControllerKind::daemon_set: return {};
  }
  return {};
}

auto Controllers::gone(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  switch (owner.maker) {
    case ControllerKind::stateful_set: {
      StatefulSetState& set = set_of(owner);
      if (set.object != nullptr && set.object->meta.deleting) return {};
      const bool wanted = set.object == nullptr || wants_ordinal(*set.object, ordinal_of(pod));
      if (wanted && stays_as_object(pod)) {
        set.creating.insert(ordinal_of(pod));  // higher ordinals wait for it
      } else if (wanted) {
        set.missing.push_back({.like = pod});
      }
      return next_of_set(owner, now);
    }
    case ControllerKind::daemon_set:
      if (!should_run(pod) || stays_as_object(pod)) return {};
      remark(GapRule::daemons_of_old_pods);
      return {.created = {{now, pod}}};
    // A pod that counted as failed when its deletion began does not count again.
    // Source: kubernetes v1.35 pkg/controller/job: job_controller.go isPodFailed, getNewFinishedPods; backoff_utils.go
    // getFinishTimeFromDeletionTimestamp.
    case ControllerKind::job: {
      if (let_go_.contains(pod)) return {};
      const JobState& job = job_with_gaps(owner);
      return !other_controller(job) && replaces_failed_only(job) ? failed(owner, pod, now) : Reaction{};
    }
    case ControllerKind::replica_set: {
      Reaction reaction;
      synchronize(owner, now, reaction);
      return reaction;
    }
    case ControllerKind::none:
    case ControllerKind::kubelet:
    case ControllerKind::other: return {};
  }
  return {};
}

// A pod with a finalizer has ended, but its object keeps the name, and counts as the pod of a node.
auto Controllers::stays_as_object(PodId pod) -> bool {
  const auto& finalizers = cluster_.pod(pod).meta.finalizers;
  if (finalizers.empty()) return false;
  remark(GapRule::kept_by_finalizer, {cluster_.key(pod), std::string(cluster_.text(*finalizers.begin())),
                                      describe_owner(cluster_, owner_of(cluster_, cluster_.pod(pod)))});
  return true;
}

// Returns true if the DaemonSet should run a pod on the node of this one.
// Source: daemon_controller.go NodeShouldRunDaemonPod, predicates.
auto Controllers::should_run(PodId pod) const -> bool {
  const PodSpec& spec = cluster_.pod(pod).spec;
  const NodeId node = cluster_.find_node(spec.node_name);
  return node && matches_required_affinity(spec, cluster_.node(node), cluster_) &&
         first_untolerated_taint(spec, cluster_.node(node), cluster_.known()) == nullptr;
}

// A controller creates a pod only while fewer pods are active than it should have.
auto Controllers::replaced(const Owner& owner, PodId pod, Time now) -> Reaction {
  const auto known = replica_sets_.find(owner);
  if (known == replica_sets_.end()) return {.created = {{now, pod}}};
  ReplicaSetState& set = known->second;
  if (set.idle || active_pods_of(owner) + set.planned + set.elsewhere >= set.replicas) return {};
  ++set.planned;
  return {.created = {{now, pod}}};
}

auto Controllers::template_in(const std::optional<TemplateOfPods>& pods) -> const PodSpec* {
  return pods && !pods->spec.containers.empty() ? &pods->spec : nullptr;
}

// A StatefulSet uses its previous template for the ordinals below the partition of a rolling update.
// Source: statefulset/stateful_set_utils.go newVersionedStatefulSetPod.
auto Controllers::template_for(const Creation& creation) -> const PodSpec* {
  const Owner owner = creator_of(creation);
  if (owner.maker == ControllerKind::replica_set) {
    const auto known = replica_sets_.find(owner);
    return known == replica_sets_.end() ? nullptr : known->second.pods;
  }
  if (owner.maker == ControllerKind::job) {
    const JobState& job = job_of(owner);
    return job.object == nullptr ? nullptr : template_in(job.object->spec.pods);
  }
  if (owner.maker != ControllerKind::stateful_set) return nullptr;
  const StatefulSet* set = set_of(owner).object;
  if (set == nullptr) return nullptr;
  const StatefulSetUpdateStrategy& strategy = set->spec.update_strategy;
  const bool rolls = cluster_.text(strategy.type) != "OnDelete";
  if (rolls && ordinal_of(creation) < set->spec.ordinals.start + strategy.rolling_update.partition) return nullptr;
  return template_in(set->spec.pods);
}

void Controllers::index_pods() {
  std::vector<std::pair<Owner, PodId>> added;
  for (; indexed_ < cluster_.pods().size(); ++indexed_) {
    const PodId pod{indexed_};
    added.emplace_back(owner_of(cluster_, cluster_.pod(pod)), pod);
  }
  std::sort(added.begin(), added.end());
  for (auto first = added.begin(); first != added.end();) {
    const Owner owner = first->first;
    std::vector<PodId>& pods = pods_by_owner_[owner];
    for (; first != added.end() && first->first == owner; ++first) pods.push_back(first->second);
  }
}

auto Controllers::all_pods_of(const Owner& owner) -> const std::vector<PodId>& {
  index_pods();
  static const std::vector<PodId> kNone;
  const auto found = pods_by_owner_.find(owner);
  return found == pods_by_owner_.end() ? kNone : found->second;
}

auto Controllers::pods_of(const Owner& owner) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const PodId pod : all_pods_of(owner)) {
    if (!cluster_.finished(pod)) pods.push_back(pod);
  }
  return pods;
}

auto Controllers::active_pods_of(const Owner& owner) -> std::int64_t {
  const std::vector<PodId>& all = all_pods_of(owner);
  return std::count_if(all.begin(), all.end(),
                       [&](PodId pod) { return !cluster_.finished(pod) && !cluster_.pod(pod).meta.deleting; });
}

auto Controllers::runs(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  if (deployments_.contains(owner)) {
    ready_since_[pod] = now;
    Reaction reaction;
    synchronize(owner, now, reaction);
    return reaction;
  }
  if (owner.maker != ControllerKind::stateful_set || !sets_.contains(owner)) return {};
  StatefulSetState& set = set_of(owner);
  set.creating.erase(ordinal_of(pod));
  set.available[ordinal_of(pod)] = now + min_ready(set);
  return next_of_set(owner, now);
}

// A ReplicaSet replaces the pod; a StatefulSet or DaemonSet deletes it and creates it again.
auto Controllers::ends(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  if (owner.maker != ControllerKind::replica_set) return gone(pod, now);
  Reaction reaction = replaced(owner, pod, now);
  synchronize(owner, now, reaction);
  return reaction;
}

auto Controllers::succeeds(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  JobState& job = job_of(owner);
  job.in_row = 0;
  job.until = 0;
  job.last_end.reset();
  ++job.succeeded;
  if (job.over) return {};
  if (meets_success_policy(job, pod)) {
    job.over = true;
    Reaction deletes;
    for (const PodId other : pods_of(owner)) {
      if (other == pod || cluster_.pod(other).meta.deleting) continue;
      deletes.deleted.push_back(
          {other, fmt::format("{} meets its successPolicy", describe_owner(cluster_, owner)), now + kJobSyncPeriod});
    }
    return deletes;
  }
  Reaction reaction{.ends_back_off = owner, .sync = now + kJobSyncPeriod};
  if (job.object == nullptr || job.idle || !job.object->spec.completions) return reaction;
  const std::int64_t active = active_pods_of(owner) - (cluster_.pod(pod).meta.deleting ? 0 : 1);
  const JobSpec& spec = job.object->spec;
  const std::int64_t wanted =
      std::min(spec.parallelism.value_or(1), *spec.completions - job.succeeded - job.failed_indexes);
  if (active + job.planned + job.elsewhere >= wanted) return reaction;
  ++job.planned;
  reaction.created.push_back({.at = reaction.sync, .like = pod, .replaces = false});
  return reaction;
}

// A new pod for another index has the labels of the pod that it is like.
auto Controllers::meets_success_policy(JobState& job, PodId pod) -> bool {
  if (job.object == nullptr || !job.object->spec.success_policy) return false;
  const Symbol label = cluster_.symbol("batch.kubernetes.io/job-completion-index");
  const JobIndexes index = indexes_in(label ? cluster_.text(cluster_.pod(pod).meta.labels.get(label)) : "");
  const bool is_known = index.size() == 1 &&
                        std::none_of(job.succeeded_indexes.begin(), job.succeeded_indexes.end(), [&](const auto& each) {
                          return each.first <= index.front().first && index.front().first <= each.second;
                        });
  if (!is_known) {
    remark(GapRule::job_success_policy, {describe_owner(cluster_, owner_of(cluster_, cluster_.pod(pod)))});
    return false;
  }
  job.succeeded_indexes.push_back(index.front());
  return previct::meets_success_policy(*job.object, job.succeeded_indexes, cluster_.symbols());
}

// The pods that the Job should have at a time; none: it does not say.
auto Controllers::wanted_by(const JobState& job) const -> std::optional<std::int64_t> {
  const JobSpec& spec = job.object->spec;
  if (!spec.parallelism) return {};
  if (spec.completions) return std::min(*spec.parallelism, *spec.completions - job.succeeded - job.failed_indexes);
  return job.succeeded > 0 ? 0 : *spec.parallelism;  // the first pod that succeeds says that the work is done
}

auto Controllers::other_controller(const JobState& job) -> bool {
  const Symbol name = job.object == nullptr ? Symbol{} : other_controller_of(*job.object, cluster_.symbols());
  if (name) remark(GapRule::other_controller, {std::string(cluster_.text(name))});
  return bool{name};
}

void Controllers::created(const Creation& creation) {
  const Owner owner = creator_of(creation);
  if (const auto job = jobs_.find(owner); job != jobs_.end()) --job->second.planned;
  if (const auto set = replica_sets_.find(owner); set != replica_sets_.end()) --set->second.planned;
}

auto Controllers::waits_until(PodId pod) -> Time {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  const auto found = jobs_.find(owner);
  if (found == jobs_.end()) return 0;
  const JobState& job = found->second;
  if (!counts_late_ || !job.last_end || *job.last_end > job.until) return job.until;
  const std::vector<PodId> pods = pods_of(owner);
  const bool ready = std::any_of(pods.begin(), pods.end(), [&](PodId other) { return is_healthy(other); });
  return ready ? std::max(job.until, *job.last_end + backoff(job.in_row)) : job.until;
}

auto Controllers::ended(const Owner& owner) const -> bool {
  const auto found = jobs_.find(owner);
  return found != jobs_.end() && found->second.over;
}

auto Controllers::state() const -> std::string {
  std::string text;
  for (const auto& [owner, job] : jobs_) {
    const std::int64_t wait = backoff(job.in_row) / kSecond;  // the failures matter only through it
    text += fmt::format("{}:{}:{}:{};", owner.name.index, job.counted, job.failed_indexes, wait);
  }
  for (const auto& [owner, deployment] : deployments_)
    text += fmt::format("{}={};", owner.name.index, replica_sets_.at(owner).replicas);
  for (const auto& [owner, set] : sets_) {
    const auto pods = set.rolls ? pods_by_owner_.find(owner) : pods_by_owner_.end();
    if (pods == pods_by_owner_.end()) continue;
    const auto outdated = std::count_if(
        pods->second.begin(), pods->second.end(),
        [&, &object = *set.object](PodId pod) { return !cluster_.finished(pod) && is_outdated(object, pod); });
    text += fmt::format("{}~{};", owner.name.index, outdated);
  }
  return text;
}

auto Controllers::job_of(const Owner& owner) -> JobState& {
  const auto [at, is_new] = jobs_.try_emplace(owner);
  JobState& job = at->second;
  if (!is_new) return job;
  job.object = find_object(objects_.jobs, owner);
  if (job.object == nullptr) return job;
  job.idle = creates_no_pods(*job.object, cluster_.symbols());
  job.counted = job.in_row = job.object->status.failed;
  job.failed_indexes = previct::failed_indexes(*job.object, cluster_.symbols());
  job.succeeded = job.object->status.succeeded;
  job.succeeded_indexes = indexes_in(cluster_.text(job.object->status.completed_indexes));
  return job;
}

// The Job whose pod is evicted, with what is assumed about it.
auto Controllers::job_with_gaps(const Owner& owner) -> JobState& {
  JobState& job = job_of(owner);
  if (job.object == nullptr) {
    remark(GapRule::job_missing, {describe_owner(cluster_, owner), std::to_string(kDefaultBackoffLimit)});
    return job;
  }
  if (job.object->status.failed > 0) remark(GapRule::job_failures, {describe_owner(cluster_, owner)});
  if (job.object->spec.backoff_limit_per_index) remark(GapRule::job_index_backoff, {describe_owner(cluster_, owner)});
  return job;
}

auto Controllers::find_set(const Owner& owner) const -> const StatefulSet* {
  return owner.maker == ControllerKind::stateful_set ? find_object(objects_.sets, owner) : nullptr;
}

auto Controllers::set_of(const Owner& owner) -> StatefulSetState& {
  const auto [at, is_new] = sets_.try_emplace(owner);
  if (!is_new) return at->second;
  const StatefulSet* object = find_set(owner);
  at->second.object = object;
  if (object == nullptr) {
    remark(GapRule::stateful_set_missing, {describe_owner(cluster_, owner)});
  } else {
    at->second.parallel = cluster_.text(object->spec.pod_management_policy) == "Parallel";
  }
  return at->second;
}

// The time of a failure is recorded in whole seconds.
auto Controllers::whole_second(Time now) const -> Time {
  return since(start_, Instant{start_.plus_nanos(now).seconds, 0});
}

auto Controllers::replaces_failed_only(const JobState& job) const -> bool {
  if (job.object == nullptr) return false;
  const JobSpec& spec = job.object->spec;
  return spec.pod_failure_policy || cluster_.text(spec.pod_replacement_policy) == "Failed";
}

// A preempted pod has the condition DisruptionTarget; the exit codes of its containers are unknown. The Job is
// synchronized a second after the change of its pod.
auto Controllers::failed(const Owner& owner, PodId pod, Time now) -> Reaction {
  JobState& job = job_of(owner);
  if (job.over) return {};
  static const Job kMissing{};
  const Job& object = job.object == nullptr ? kMissing : *job.object;
  const JobDisruption on = on_disruption(object, cluster_.symbols());
  const std::string_view action = on.action;
  if (on.assumes_exit_codes) remark(GapRule::job_exit_codes, {describe_owner(cluster_, owner)});
  ++job.in_row;
  if (action != "Ignore") ++job.counted;
  const bool no_index = fails_index(object, cluster_.pod(pod), cluster_.symbols(), action);
  if (no_index) ++job.failed_indexes;
  if (std::string why = failure_of(object, {job.counted, job.failed_indexes}, action); !why.empty()) {
    job.over = true;
    return {.created = {}, .fails = Deadline{owner, now + kJobSyncPeriod, std::move(why)}};
  }
  job.until = std::max(now, whole_second(now) + backoff(job.in_row));
  if (const auto& end = cluster_.pod(pod).meta.deleting)
    job.last_end = std::max(job.last_end.value_or(0), since(start_, *end));
  if (job.idle || (action == "FailIndex" && !no_index)) return {};
  const auto wanted = job.object == nullptr ? std::nullopt : wanted_by(job);
  if (wanted && active_pods_of(owner) + job.planned + job.elsewhere >= *wanted) return {};
  if (no_index && !(wanted && object.spec.completions)) return {};
  ++job.planned;
  if (no_index) return {.created = {{.at = now + kJobSyncPeriod, .like = pod, .replaces = false}}};
  return {.created = {{job.until, pod}}};
}

auto Controllers::ordinal_of(const Creation& creation) const -> std::int64_t {
  return creation.ordinal.value_or(ordinal_of(creation.like));
}

auto Controllers::ordinal_of(PodId pod) const -> std::int64_t {
  return previct::ordinal_of(cluster_.text(cluster_.pod(pod).meta.name));
}

// A pod that was bound in the simulation counts as ready, and one of the input unless its condition denies it.
auto Controllers::is_healthy(PodId id) const -> bool {
  const Pod& pod = cluster_.pod(id);
  if (!pod.spec.node_name || pod.meta.deleting) return false;
  const Symbol ready = cluster_.symbol("Ready");
  const Condition* condition = ready ? pod.condition(ready) : nullptr;
  return condition == nullptr || cluster_.text(condition->status) == "True";
}

auto Controllers::min_ready(const StatefulSetState& set) const -> Time {
  return set.object == nullptr ? 0 : set.object->spec.min_ready_seconds * kSecond;
}

// An ordered set creates the pod with the lowest ordinal first, and continues once all pods with lower ordinals have
// been ready for its minReadySeconds. Source: statefulset/stateful_set_control.go processReplica.
auto Controllers::next_of_set(const Owner& owner, Time now) -> Reaction {
  StatefulSetState& set = set_of(owner);
  Reaction reaction;
  std::sort(set.missing.begin(), set.missing.end(),
            [&](const Creation& a, const Creation& b) { return ordinal_of(a) < ordinal_of(b); });
  const auto is_lower = [&](std::int64_t ordinal, std::int64_t candidate) {
    return ordinal < candidate && (set.object == nullptr || wants_ordinal(*set.object, ordinal));
  };
  const auto waits_for_lower = [&](std::int64_t candidate) {
    if (!set.creating.empty() && *set.creating.begin() < candidate) return true;
    const std::vector<PodId> pods = pods_of(owner);
    const auto lower = std::find_if(
        pods.begin(), pods.end(), [&](PodId pod) { return is_lower(ordinal_of(pod), candidate) && !is_healthy(pod); });
    if (lower == pods.end()) return false;
    const Pod& pod = cluster_.pod(*lower);
    if (pod.spec.node_name && !pod.meta.deleting)
      remark(GapRule::stateful_set_unready, {cluster_.key(*lower), describe_owner(cluster_, owner)});
    return true;
  };
  while (!set.missing.empty()) {
    Creation next = set.missing.front();
    if (!set.parallel && waits_for_lower(ordinal_of(next))) break;
    next.at = now;
    for (const auto& [ordinal, at] : set.available) {
      if (!set.parallel && is_lower(ordinal, ordinal_of(next))) next.at = std::max(next.at, at);
    }
    set.creating.insert(ordinal_of(next));
    set.missing.erase(set.missing.begin());
    reaction.created.push_back(next);
    if (!set.parallel) break;
  }
  if (reaction.created.empty() || set.parallel) delete_condemned(owner, now, reaction);
  update_set(owner, now, reaction);
  return reaction;
}

// Pods beyond the replicas are deleted one by one, the highest ordinal first, each when all pods within them are
// available, or at once if the set is parallel. One that is not available is only deleted if no other one is like that.
// Source: kubernetes v1.35.4 statefulset/stateful_set_control.go processCondemned, updateStatefulSet.
void Controllers::delete_condemned(const Owner& owner, Time now, Reaction& reaction) {
  StatefulSetState& set = set_of(owner);
  if (set.object == nullptr || set.object->meta.deleting || !set.object->spec.replicas) return;
  std::vector<PodId> condemned;
  std::vector<PodId> blocking;
  for (const PodId pod : pods_of(owner)) {
    if (wants_ordinal(*set.object, ordinal_of(pod))) {
      if (!is_available(set, pod, now)) blocking.push_back(pod);
    } else if (cluster_.pod(pod).meta.uid) {  // one of the cluster
      condemned.push_back(pod);
    }
  }
  std::sort(condemned.begin(), condemned.end(), [&](PodId a, PodId b) { return ordinal_of(a) > ordinal_of(b); });
  const std::string why =
      fmt::format("{} has {}", describe_owner(cluster_, owner),
                  counted(static_cast<std::size_t>(*set.object->spec.replicas), "replica", "replicas"));
  if (set.parallel) {
    for (const PodId pod : condemned) {
      if (!cluster_.pod(pod).meta.deleting) reaction.deleted.push_back({pod, why});
    }
    return;
  }
  if (condemned.empty() || !set.missing.empty() || !set.creating.empty()) return;
  const PodId next = condemned.front();
  if (cluster_.pod(next).meta.deleting) return;
  if (blocking.empty() && !is_available(set, next, now)) {
    std::copy_if(condemned.begin() + 1, condemned.end(), std::back_inserter(blocking),
                 [&](PodId pod) { return !is_available(set, pod, now); });
    if (!blocking.empty()) blocking.push_back(next);
  }
  if (blocking.empty()) return reaction.deleted.push_back({next, why});
  wait_for_pods(owner, set, blocking, now, reaction);
}

}  // namespace previct::sequence
