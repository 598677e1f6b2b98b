// What controllers have still to do when the simulation starts.

#include "api/upstream.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/deployment_sets.h"
#include "cluster/matching.h"
#include "cluster/pod_ends.h"
#include "cluster/surplus_pods.h"
#include "sequence/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace previct::sequence {
namespace {

// The most pods that a controller creates at the start.
constexpr std::int64_t kMostAtStart = 10'000;

}  // namespace

auto Controllers::start() -> Reaction {
  Reaction reaction;
  const Symbol kind = cluster_.symbols().intern(kinds::stateful_sets.name);
  for (const StatefulSet& set : objects_.sets) {
    const Owner owner{ControllerKind::stateful_set, set.meta.ns, kind, set.meta.name};
    if (set.meta.deleting) continue;
    set_of(owner).missing = missing_of(set, owner);
    set_of(owner).available = available_at_start(owner);
    set_of(owner).rolls = shows_revisions(set, owner);
    Reaction first = next_of_set(owner, 0);
    reaction.created.insert(reaction.created.end(), first.created.begin(), first.created.end());
    reaction.deleted.insert(reaction.deleted.end(), first.deleted.begin(), first.deleted.end());
    reaction.checks.insert(reaction.checks.end(), first.checks.begin(), first.checks.end());
  }
  prepare_rollouts();
  start_replicas(objects_.replica_sets, kinds::replica_sets.name, reaction);
  start_replicas(objects_.replication_controllers, kinds::replication_controllers.name, reaction);
  for (const Job& job : objects_.jobs) start_job(job, reaction);
  start_daemons(reaction);
  start_rollouts(reaction);
  note_rollouts();
  note_idle_controllers();
  note_missing_daemons();
  note_collected_pods();
  return reaction;
}

auto Controllers::available_at_start(const Owner& owner) -> std::map<std::int64_t, Time> {
  const Time wait = min_ready(set_of(owner));
  const Symbol ready = cluster_.symbol("Ready");
  if (wait == 0 || !ready) return {};
  std::map<std::int64_t, Time> available;
  for (const PodId id : pods_of(owner)) {
    const Condition* const condition = cluster_.pod(id).condition(ready);
    if (condition != nullptr && condition->last_transition)
      available[ordinal_of(id)] = since(start_, *condition->last_transition) + wait;
  }
  return available;
}

// These controllers are not simulated.
void Controllers::note_idle_controllers() {
  const auto& counts = cluster_.objects().counts;
  if (counts.contains("batch/CronJob")) remark(GapRule::cron_jobs_idle);
  if (counts.contains("autoscaling/HorizontalPodAutoscaler")) remark(GapRule::autoscalers_idle);
}

// Source: kubernetes v1.35 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem, which compares
// uids.
void Controllers::note_collected_pods() {
  std::map<std::tuple<std::string_view, Symbol, Symbol>, const ObjectMeta*> owners;
  const auto add = [&](std::string_view kind, const auto& objects) {
    for (const auto& object : objects) owners.emplace(std::tuple(kind, object.meta.ns, object.meta.name), &object.meta);
  };
  add(kinds::replica_sets.name, objects_.replica_sets);
  add(kinds::stateful_sets.name, objects_.sets);
  add(kinds::replication_controllers.name, objects_.replication_controllers);
  add(kinds::jobs.name, objects_.jobs);
  std::size_t count = 0;
  PodId first;
  for (const PodId id : cluster_.pods().ids()) {
    const Pod& pod = cluster_.pod(id);
    const OwnerReference* const controller = controller_of(pod.meta);
    if (controller == nullptr || pod.meta.deleting || cluster_.finished(id)) continue;
    const auto found = owners.find({cluster_.text(controller->kind), pod.meta.ns, controller->name});
    if (found == owners.end()) continue;
    const ObjectMeta& owner = *found->second;
    // A pod that an overlay adds has no uid, and belongs to the owner that is there.
    const bool replaced = pod.meta.uid && owner.uid && controller->uid && owner.uid != controller->uid;
    if (!replaced && !owner.deleting) continue;
    if (++count == 1) first = id;
  }
  if (count > 0) remark(GapRule::collected_pods, {std::to_string(count), cluster_.key(first)});
}

// A DaemonSet deletes its pods on nodes that it does not select, and those that have ended, which it creates again. Its
// template is not read: a pod shows what it selects.
// Source: kubernetes v1.35 daemon/daemon_controller.go podsShouldBeOnNode, NodeShouldRunDaemonPod.
void Controllers::start_daemons(Reaction& reaction) {
  index_pods();
  for (const auto& [owner, pods] : pods_by_owner_) {
    if (owner.maker != ControllerKind::daemon_set) continue;
    std::set<Symbol> nodes;
    std::vector<PodId> waiting;
    std::vector<PodId> ended;
    for (const PodId id : pods) {
      const Pod& pod = cluster_.pod(id);
      const NodeId node = cluster_.find_node(pod.spec.node_name);
      const bool stored = bool{pod.meta.uid};  // otherwise, the pod may have been written by hand
      if (!node) {
        waiting.push_back(id);
      } else if (cluster_.finished(id)) {
        if (stored) ended.push_back(id);
      } else {
        nodes.insert(pod.spec.node_name);
        if (stored && !pod.meta.deleting && !matches_required_affinity(pod.spec, cluster_.node(node), cluster_)) {
          reaction.deleted.push_back(
              {id, fmt::format("{} does not select node {}", describe_owner(cluster_, owner), cluster_.name(node))});
        }
      }
    }
    for (const PodId id : ended) {
      const Symbol name = cluster_.pod(id).spec.node_name;
      const Node& node = cluster_.node(cluster_.find_node(name));
      const bool has_another = std::any_of(waiting.begin(), waiting.end(), [&](PodId other) {
        return matches_required_affinity(cluster_.pod(other).spec, node, cluster_);
      });
      if (has_another || !should_run(id) || !nodes.insert(name).second || stays_as_object(id)) continue;
      remark(GapRule::daemons_of_old_pods);
      reaction.created.push_back({.like = id});
    }
  }
}

// A DaemonSet replaces the node affinity of its template by the name of the node, so that its pods do not show on which
// other nodes it should run. Source: daemon/util/daemonset_util.go ReplaceDaemonSetPodNodeNameNodeAffinity.
void Controllers::note_missing_daemons() {
  index_pods();
  for (const auto& [owner, pods] : pods_by_owner_) {
    if (owner.maker != ControllerKind::daemon_set) continue;
    std::set<Symbol> nodes;
    std::vector<PodId> waiting;  // each for the node that its affinity names
    for (const PodId id : pods) {
      if (const Symbol node = cluster_.pod(id).spec.node_name) {
        nodes.insert(node);
      } else {
        waiting.push_back(id);
      }
    }
    constexpr std::size_t kMostCompared = 100;
    if (nodes.size() == cluster_.nodes().size() || waiting.size() > kMostCompared) continue;
    PodSpec spec = cluster_.pod(pods.front()).spec;
    spec.affinity = {};
    for (const Node& node : cluster_.nodes()) {
      const auto waits_for = [&](PodId id) { return matches_required_affinity(cluster_.pod(id).spec, node, cluster_); };
      if (nodes.contains(node.meta.name) || std::any_of(waiting.begin(), waiting.end(), waits_for) ||
          !matches_required_affinity(spec, node, cluster_) ||
          first_untolerated_taint(spec, node, cluster_.known()) != nullptr)
        continue;
      return remark(GapRule::daemons_missing,
                    {describe_owner(cluster_, owner), std::string(cluster_.text(node.meta.name))});
    }
  }
}

// Pods without a node go first.
void Controllers::delete_surplus(const Owner& owner, std::int64_t wanted, std::int64_t elsewhere, Reaction& reaction) {
  std::vector<PodId> active;
  for (const PodId pod : pods_of(owner)) {
    if (cluster_.pod(pod).meta.uid && !cluster_.pod(pod).meta.deleting) active.push_back(pod);  // those of the cluster
  }
  wanted = std::max<std::int64_t>(0, wanted);
  const auto all = static_cast<std::int64_t>(active.size()) + elsewhere;
  if (active.empty() || all <= wanted) return;
  std::vector<PodId> deleted = active;
  if (wanted > 0) {
    std::erase_if(deleted, [&](PodId pod) { return bool{cluster_.pod(pod).spec.node_name}; });
    const bool only_unassigned = elsewhere == 0 && all - wanted == static_cast<std::int64_t>(deleted.size());
    if (!only_unassigned) deleted = elsewhere == 0 ? first_to_go(owner, active, all - wanted) : std::vector<PodId>();
  }
  if (deleted.empty()) {
    return remark(GapRule::surplus_pods,
                  {describe_owner(cluster_, owner), std::to_string(all), std::to_string(wanted)});
  }
  const std::string why = wanted == 0 ? fmt::format("{} wants no pod", describe_owner(cluster_, owner))
                                      : fmt::format("{} wants {}", describe_owner(cluster_, owner),
                                                    counted(static_cast<std::size_t>(wanted), "pod", "pods"));
  for (const PodId pod : deleted) reaction.deleted.push_back({pod, why});
  leaving_.insert(deleted.begin(), deleted.end());
}

// The pods that a ReplicaSet or Job deletes first; empty: not known.
auto Controllers::first_to_go(const Owner& owner, const std::vector<PodId>& active, std::int64_t count, Time now) const
    -> std::vector<PodId> {
  const bool is_job = owner.maker == ControllerKind::job;
  if (!is_job && owner.maker != ControllerKind::replica_set) return {};
  const PodOwner deployment = owner_of_pod(cluster_, cluster_.pod(active.front()));
  std::map<Symbol, std::size_t> related;  // by node
  for (const PodId id : cluster_.pods().ids()) {
    const Pod& pod = cluster_.pod(id);
    if (pod.meta.ns == owner.ns && !cluster_.finished(id) && !pod.meta.deleting &&
        owner_of_pod(cluster_, pod) == deployment)
      ++related[pod.spec.node_name];
  }
  const ReadySince ready_since = [&](PodId id) {
    const auto since = ready_since_.find(id);
    return since == ready_since_.end() ? std::nullopt : std::optional(start_.plus_nanos(since->second));
  };
  return first_to_delete(
             is_job ? DeletedBy::job : DeletedBy::replica_set, active, static_cast<std::size_t>(count),
             [&](const Pod& pod) { return related[pod.spec.node_name]; }, start_.plus_nanos(now), cluster_,
             deployments_.contains(owner) ? ready_since : ReadySince())
      .value_or(std::vector<PodId>());
}

// A Deployment has a ReplicaSet for each template; pods of StatefulSets and DaemonSets have the hash of theirs.
// Source: kubernetes v1.35 pkg/controller: deployment/sync.go getAllReplicaSetsAndSyncRevision;
// statefulset/stateful_set_control.go updateStatefulSet; daemon/update.go rollingUpdate.
void Controllers::note_rollouts() {
  const auto hash_of = [](const PodOwner& owner) {
    constexpr std::size_t kFactor = 31;
    return std::hash<std::string_view>()(owner.ns) * kFactor + std::hash<std::string_view>()(owner.name);
  };
  // The first of its templates that wants pods or has some. Nearly every pod may have an owner of its own.
  std::unordered_map<PodOwner, Symbol, decltype(hash_of)> known(0, hash_of);
  std::set<PodOwner> changing;  // owners of pods of more than one template
  const auto note = [&](const PodOwner& owner, Symbol made_from) {
    const auto [first, is_new] = known.try_emplace(owner, made_from);
    if (!is_new && first->second != made_from) changing.insert(owner);
  };
  const auto deployment_of = [&](const DeploymentKey& key) {
    return PodOwner{cluster_.text(key.first), kinds::deployments.name, cluster_.text(key.second)};
  };
  for (const auto& [key, sets] : sets_by_deployment(objects_.replica_sets, cluster_.symbols())) {
    for (const ReplicaSet* const set : sets) {
      if (set->spec.replicas != 0) note(deployment_of(key), set->meta.name);
    }
  }
  index_pods();
  const Symbol hash = cluster_.symbol("controller-revision-hash");
  for (const auto& [owner, pods] : pods_by_owner_) {
    const bool of_replica_set = owner.maker == ControllerKind::replica_set;
    if (!of_replica_set && owner.maker != ControllerKind::stateful_set && owner.maker != ControllerKind::daemon_set)
      continue;
    const StatefulSet* const set = find_set(owner);
    if (const auto rolled = sets_.find(owner); rolled != sets_.end() && rolled->second.rolls) continue;
    const PodOwner workload = owner_of_pod(cluster_, cluster_.pod(pods.front()));
    for (const PodId id : pods) {
      if (cluster_.finished(id) || cluster_.pod(id).meta.deleting) continue;
      if (set != nullptr && !follows_updates(*set, id)) continue;
      const Symbol made_from = of_replica_set ? owner.name : hash ? cluster_.pod(id).meta.labels.get(hash) : Symbol{};
      if (made_from) note(workload, made_from);
      if (of_replica_set) break;
    }
  }
  changing.merge(recreated_deployments());
  for (const auto& [key, rollout] : rollouts_) changing.erase(deployment_of(key));
  for (const DeploymentKey& key : open_rollouts_) changing.insert(deployment_of(key));
  if (changing.empty()) return;
  remark(GapRule::rollouts, {std::to_string(changing.size()), describe_owner(*changing.begin())});
}

// Deployments that want pods, and whose ReplicaSets want none: those with the strategy Recreate are like that until
// their old pods are gone. Source: kubernetes v1.35 deployment/recreate.go rolloutRecreate.
auto Controllers::recreated_deployments() const -> std::set<PodOwner> {
  const auto all_sets = sets_by_deployment(objects_.replica_sets, cluster_.symbols());
  std::set<PodOwner> found;
  for (const Deployment& deployment : cluster_.objects().deployments) {
    const ObjectMeta& meta = deployment.meta;
    const auto sets = all_sets.find({meta.ns, meta.name});
    const bool acts = meta.uid && !meta.deleting && deployment.spec.replicas.value_or(1) > 0;
    if (!acts || sets == all_sets.end()) continue;
    const bool wants_pods = std::any_of(sets->second.begin(), sets->second.end(),
                                        [](const ReplicaSet* set) { return set->spec.replicas != 0; });
    if (wants_pods) continue;
    found.insert({cluster_.text(meta.ns), kinds::deployments.name, cluster_.text(meta.name)});
  }
  return found;
}

// Pods of a StatefulSet below the partition, beyond the replicas, or with the strategy OnDelete keep their template.
auto Controllers::follows_updates(const StatefulSet& set, PodId pod) const -> bool {
  const StatefulSetUpdateStrategy& strategy = set.spec.update_strategy;
  const std::int64_t ordinal = ordinal_of(pod);
  return cluster_.text(strategy.type) != "OnDelete" && wants_ordinal(set, ordinal) &&
         ordinal >= set.spec.ordinals.start + strategy.rolling_update.partition;
}

template <class Set>
void Controllers::start_replicas(const std::vector<Set>& sets, std::string_view kind_name, Reaction& reaction) {
  const Symbol kind = cluster_.symbols().intern(kind_name);
  for (const Set& object : sets) {
    const Owner owner{ControllerKind::replica_set, object.meta.ns, kind, object.meta.name};
    const std::vector<PodId> pods = pods_of(owner);
    const std::vector<PodId>& all = all_pods_of(owner);  // with those that have ended
    // The API server sets replicas; an object that was written by hand may only have the selector.
    const std::int64_t replicas = object.spec.replicas.value_or(INT32_MAX);
    if (pods.empty() && replicas == 0 && !deployments_.contains(owner)) continue;  // a Deployment keeps ten old ones
    const std::int64_t active = active_pods_of(owner);
    ReplicaSetState& set = replica_sets_[owner];
    set.idle = object.meta.deleting.has_value();
    set.replicas = replicas;
    // The status may still count pods that have ended.
    set.elsewhere = std::max<std::int64_t>(0, object.status.replicas - static_cast<std::int64_t>(all.size()));
    set.pods = template_in(object.spec.pods);
    const std::int64_t missing = std::min(replicas - active, kMostAtStart);
    if (!set.idle && object.meta.uid && object.spec.replicas) delete_surplus(owner, replicas, set.elsewhere, reaction);
    // Objects that no API server has stored have no status.
    if (set.idle || !object.meta.uid || !object.spec.replicas || (missing <= 0 && set.elsewhere == 0)) continue;
    const bool has_quota = std::any_of(objects_.quotas.begin(), objects_.quotas.end(),
                                       [&](const ResourceQuota& quota) { return quota.meta.ns == object.meta.ns; });
    const bool has_status = object.status.replicas > 0 || active == 0;
    if (pods_are_refused(object.status.conditions, cluster_.symbols()) && !has_quota) {
      remark(GapRule::pods_refused, {describe_owner(cluster_, owner)});
    } else if (set.elsewhere > 0 || !new_pod_of(owner) || !has_status) {
      remark(GapRule::stateful_set_incomplete,
             {describe_owner(cluster_, owner), std::to_string(active), std::to_string(replicas)});
    } else {
      for (std::int64_t i = 0; i < missing; ++i) reaction.created.push_back(*new_pod_of(owner));
      set.planned += missing;
    }
  }
}

// A Job without status.startTime has not been seen by its controller, or was written by hand.
void Controllers::start_job(const Job& object, Reaction& reaction) {
  const Owner owner{ControllerKind::job, object.meta.ns, cluster_.symbols().intern(kinds::jobs.name), object.meta.name};
  if (other_controller_of(object, cluster_.symbols()) || object.meta.deleting) return;
  note_pods_let_go(object, owner);
  if (object.spec.suspend && object.meta.uid) delete_surplus(owner, 0, 0, reaction);
  if (!object.status.start_time || creates_no_pods(object, cluster_.symbols())) return;
  const std::vector<PodId> pods = pods_of(owner);
  JobState& job = job_of(owner);
  const std::int64_t active = active_pods_of(owner);
  const auto terminating = static_cast<std::int64_t>(pods.size()) - active;
  job.elsewhere = std::max<std::int64_t>(0, object.status.active - static_cast<std::int64_t>(pods.size()));
  // The status may not yet count pods that have succeeded (status.uncountedTerminatedPods).
  const std::vector<PodId>& all = all_pods_of(owner);
  const auto succeeded = std::count_if(
      all.begin(), all.end(), [&](PodId id) { return cluster_.pod(id).status.phase == cluster_.known().succeeded; });
  job.succeeded = std::max<std::int64_t>(job.succeeded, succeeded);
  const std::int64_t wanted = wanted_by(job).value_or(1);
  const bool leaves_the_others = !object.spec.completions && job.succeeded > 0;
  if (object.meta.uid && object.spec.parallelism && !leaves_the_others)
    delete_surplus(owner, wanted, job.elsewhere, reaction);
  const std::int64_t missing = std::min(wanted - active - (replaces_failed_only(job) ? terminating : 0), kMostAtStart);
  if (missing <= 0 && job.elsewhere == 0) return;
  if (all.empty() || job.elsewhere > 0) {
    return remark(GapRule::stateful_set_incomplete,
                  {describe_owner(cluster_, owner), std::to_string(active), std::to_string(wanted)});
  }
  back_off_at_start(job_with_gaps(owner), owner);
  if (job.over) return;
  for (std::int64_t i = 0; i < missing; ++i)
    reaction.created.push_back({.at = job.until, .like = all.back(), .replaces = false});
  job.planned += missing;
}

auto Controllers::deletion_began(PodId id) const -> std::optional<Instant> {
  const Pod& pod = cluster_.pod(id);
  if (!pod.meta.deleting) return {};
  return pod.meta.deleting->plus_seconds(-pod.meta.deletion_grace_seconds.value_or(
      pod.spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds)));
}

// A Job that is suspended, or wants fewer pods, deletes pods itself, and its status does not count them as active from
// then on. A pod that others delete stays active in the status until the Job counts its failure, at the end of its
// back-off at the latest.
void Controllers::note_pods_let_go(const Job& object, const Owner& owner) {
  const bool counts =
      object.status.failed > 0 || object.status.active > active_pods_of(owner) || replaces_failed_only(job_of(owner));
  if (counts && !object.spec.suspend) return;
  for (const PodId id : all_pods_of(owner)) {
    const Condition* const disrupted = cluster_.pod(id).condition(cluster_.known().disruption_target);
    if (cluster_.pod(id).meta.deleting && disrupted == nullptr) let_go_.insert(id);
  }
}

// Sets until when the Job backs off, from the pods that have failed or are being deleted.
// Source: job/backoff_utils.go getFinishedTime, getFinishTimeFromPodReadyFalseCondition,
// getFinishTimeFromDeletionTimestamp. The statuses of containers, which say it first, are not read.
void Controllers::back_off_at_start(JobState& job, const Owner& owner) {
  const Symbol ready = cluster_.symbol("Ready");
  std::int64_t failures = 0;
  std::optional<Instant> last;
  const auto see = [&](Instant at) {
    if (!last || *last < at) last = at;
  };
  for (const PodId id : all_pods_of(owner)) {
    const Pod& pod = cluster_.pod(id);
    const bool failed = cluster_.text(pod.status.phase) == "Failed";
    const bool ends =
        pod.meta.deleting && !cluster_.finished(id) && !let_go_.contains(id) && !replaces_failed_only(job);
    if (!failed && !ends) continue;
    ++failures;
    const Condition* condition = ready ? pod.condition(ready) : nullptr;
    if (failed && condition != nullptr && cluster_.text(condition->status) == "False" && condition->last_transition) {
      see(*condition->last_transition);
    } else if (const auto began = deletion_began(id)) {
      see(*began);
      job.last_end = std::max(job.last_end.value_or(0), since(start_, *pod.meta.deleting));
    }
  }
  job.in_row = std::max(job.in_row, failures);
  job.counted = std::max(job.counted, failures);
  if (job.in_row == 0) return;
  // Its pod failure policy may not count those that have failed.
  const bool has_policy = job.object->spec.pod_failure_policy.has_value();
  std::string why = has_policy ? std::string() : failure_of(*job.object, {job.counted, job.failed_indexes}, "Count");
  if (!why.empty()) {
    job.over = true;
    const Time seen = last ? since(start_, *last) + kJobSyncPeriod : 0;
    exhausted_.push_back({owner, std::max<Time>(0, seen), std::move(why)});
    return;
  }
  if (!last) return remark(GapRule::job_back_off_missing, {describe_owner(cluster_, owner)});
  const Time end = since(start_, Instant{last->seconds, 0}) + backoff(job.in_row);
  job.until = std::max<Time>(0, end);
}

auto Controllers::deadlines() -> std::vector<Deadline> {
  std::vector<Deadline> all = exhausted_;
  const Symbol kind = cluster_.symbols().intern(kinds::jobs.name);
  for (const Job& job : objects_.jobs) {
    const std::optional<Instant> end = deadline_of(job);
    if (!end || creates_no_pods(job, cluster_.symbols()) || other_controller_of(job, cluster_.symbols())) continue;
    const Owner owner{ControllerKind::job, job.meta.ns, kind, job.meta.name};
    if (all_pods_of(owner).empty()) continue;
    all.push_back({owner, std::max<Time>(0, since(start_, *end)), {}});
  }
  return all;
}

auto Controllers::deadline_passes(const Deadline& deadline) -> std::string {
  if (!deadline.why.empty()) return deadline.why;
  JobState& job = job_of(deadline.job);
  if (job.over || job.object == nullptr) return {};
  const auto& completions = job.object->spec.completions;
  const bool completes =
      completions ? job.succeeded >= *completions : job.succeeded > 0 && active_pods_of(deadline.job) == 0;
  if (completes) return {};
  job.over = true;
  return fmt::format("it has been active for its activeDeadlineSeconds of {}",
                     job.object->spec.active_deadline_seconds.value_or(0));
}

// A pod that has ended is deleted, and created again with its claims. A new one needs the claims of its volumes, which
// the controller creates; no claim of the input is like them.
// Source: kubernetes v1.35 statefulset/stateful_set_control.go processReplica.
auto Controllers::missing_of(const StatefulSet& set, const Owner& owner) -> std::vector<Creation> {
  std::vector<PodId> present;
  std::vector<PodId> ended;
  std::set<std::int64_t> ordinals;
  for (const PodId pod : all_pods_of(owner)) {
    if (!wants_ordinal(set, ordinal_of(pod))) continue;
    if (!cluster_.finished(pod)) ordinals.insert(ordinal_of(pod));
    (cluster_.finished(pod) ? ended : present).push_back(pod);
  }
  std::vector<Creation> missing;
  for (const PodId pod : ended) {
    if (ordinal_of(pod) < 0 || !ordinals.insert(ordinal_of(pod)).second) continue;
    if (!stays_as_object(pod)) missing.push_back({.like = pod});
    present.push_back(pod);
  }
  const std::int64_t replicas = set.spec.replicas.value_or(1);
  const auto count = static_cast<std::int64_t>(present.size());
  if (count >= replicas) return missing;
  if (present.empty()) {
    if (set.meta.uid && (set.status.replicas < replicas || pods_of(owner).empty())) {
      remark(GapRule::stateful_set_incomplete, {describe_owner(cluster_, owner), "0", std::to_string(replicas)});
    }
    return {};
  }
  const PodId like = present.front();
  const std::string own_claim = fmt::format("-{}", cluster_.text(cluster_.pod(like).meta.name));
  const auto& volumes = cluster_.pod(like).spec.volumes;
  const bool has_claims = std::any_of(volumes.begin(), volumes.end(), [&](const Volume& volume) {
    return cluster_.text(volume.claim.claim_name).ends_with(own_claim);
  });
  const bool unnumbered = std::any_of(present.begin(), present.end(), [&](PodId pod) { return ordinal_of(pod) < 0; });
  const auto all = static_cast<std::int64_t>(all_pods_of(owner).size());
  if (has_claims || unnumbered || set.status.replicas > all) {
    remark(GapRule::stateful_set_incomplete,
           {describe_owner(cluster_, owner), std::to_string(present.size()), std::to_string(replicas)});
    return missing;
  }
  for (std::int64_t i = set.spec.ordinals.start; i < set.spec.ordinals.start + std::min(replicas, kMostAtStart); ++i) {
    if (!ordinals.contains(i)) missing.push_back({.like = like, .ordinal = i, .replaces = false});
  }
  return missing;
}

}  // namespace previct::sequence
