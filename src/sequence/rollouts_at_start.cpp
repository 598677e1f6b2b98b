// The rollouts of Deployments that are under way when the simulation starts.

#include "api/schedulers.h"
#include "cluster/controlled_pods.h"
#include "cluster/deployment_sets.h"
#include "sequence/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace previct::sequence {
namespace {

auto wants_pods(const ReplicaSet& set) -> bool {
  return set.spec.replicas.value_or(1) != 0;
}

// The replicas of the Deployment when the controller scaled the set last; none: not known.
auto replicas_known_to(const ReplicaSet& set, const Symbols& symbols) -> std::string_view {
  const Symbol key = symbols.find("deployment.kubernetes.io/desired-replicas");
  return key ? symbols.text(set.meta.annotations.get(key)) : std::string_view();
}

}  // namespace

auto Controllers::replica_set_owner(Symbol ns, Symbol name) const -> Owner {
  return {ControllerKind::replica_set, ns, cluster_.symbols().intern(kinds::replica_sets.name), name};
}

// Returns true if an overlay has the object, and its answer says what is not simulated.
auto Controllers::is_open(const ObjectMeta& meta, std::string_view kind) const -> bool {
  const PodOwner workload{cluster_.text(meta.ns), kind, cluster_.text(meta.name)};
  return cluster_.objects().overlaid.unknown_rollouts.contains(previct::describe_owner(workload));
}

void Controllers::prepare_rollouts() {
  if (objects_.rolling.empty()) return;
  const auto sets = sets_by_deployment(objects_.replica_sets, cluster_.symbols());
  for (const Deployment& deployment : cluster_.objects().deployments) {
    const auto found = sets.find({deployment.meta.ns, deployment.meta.name});
    if (found != sets.end() && objects_.rolling.contains(found->first)) prepare(deployment, found->second);
  }
}

// A Deployment whose pods have its template is not simulated: it has nothing to do.
void Controllers::prepare(const Deployment& deployment, std::vector<const ReplicaSet*> all) {
  const Symbols& symbols = cluster_.symbols();
  std::erase_if(all, [&](const ReplicaSet* set) { return !controls(deployment, *set, symbols); });
  if (!deployment.meta.uid || deployment.meta.deleting || all.empty()) return;
  if (is_open(deployment.meta, kinds::deployments.name)) return;
  const DeploymentSets sets = sets_of(deployment, std::move(all), symbols);
  const std::vector<const ReplicaSet*>& old_sets = sets.old_sets;
  if (!sets.unknown.empty()) return;
  const auto has_pods = [&](const ReplicaSet* set) {
    return wants_pods(*set) || !pods_of(replica_set_owner(set->meta.ns, set->meta.name)).empty();
  };
  Rollout rollout{.object = &deployment, .plan = DeploymentRollout(deployment.spec, cluster_.symbols())};
  const bool lacks_current = sets.current == nullptr && rollout.plan.replicas() > 0;
  const bool waits =
      rollout.plan.recreates() && rollout.plan.replicas() > 0 && sets.current != nullptr && !wants_pods(*sets.current);
  const bool old_ones_act =
      std::any_of(old_sets.begin(), old_sets.end(), [](const ReplicaSet* set) { return wants_pods(*set); });
  if (!old_ones_act && !lacks_current && !waits) return;
  const DeploymentKey key{deployment.meta.ns, deployment.meta.name};
  std::vector<const ReplicaSet*> concerned;
  std::copy_if(old_sets.begin(), old_sets.end(), std::back_inserter(concerned), has_pods);
  if (sets.current != nullptr) concerned.push_back(sets.current);
  if (!all_known(deployment, concerned) || !scales_as_known(rollout, concerned)) {
    open_rollouts_.insert(key);
    return;
  }
  for (const ReplicaSet* const set : concerned) {
    const Owner owner = replica_set_owner(set->meta.ns, set->meta.name);
    prepare_set(*set, owner);
    deployments_.emplace(owner, key);
    const std::string_view replicas = replicas_known_to(*set, symbols);
    replica_sets_[owner].rescaled = !replicas.empty() && replicas != std::to_string(rollout.plan.replicas());
    if (set != sets.current) rollout.old_sets.push_back(owner);
    if (set == sets.current) rollout.current = owner;
  }
  if (sets.current == nullptr) rollout.current = new_set_of(deployment);
  // The controller gives the current set the minReadySeconds of the Deployment.
  replica_sets_[rollout.current].min_ready = deployment.spec.min_ready_seconds * kSecond;
  deployments_.emplace(rollout.current, key);
  rollouts_.emplace(key, std::move(rollout));
}

// Returns the set that the Deployment creates for its template.
auto Controllers::new_set_of(const Deployment& deployment) -> Owner {
  Symbols& symbols = cluster_.symbols();
  const Symbol hash = symbols.intern("new");  // real ones have no vowels
  PodsOfSet made{.ns = deployment.meta.ns,
                 .name = symbols.intern(fmt::format("{}-new", symbols.text(deployment.meta.name))),
                 .uid = {},
                 .pods = deployment.spec.pods};
  made.pods.meta.labels.set(symbols.intern("pod-template-hash"), hash);
  const Owner owner = replica_set_owner(made.ns, made.name);
  const PodsOfSet& kept = new_sets_.emplace(owner, std::move(made)).first->second;
  replica_sets_[owner] = {.replicas = 0, .pods = &kept.pods.spec};
  return owner;
}

void Controllers::prepare_set(const ReplicaSet& set, const Owner& owner) {
  ReplicaSetState& state = replica_sets_[owner];
  state.replicas = set.spec.replicas.value_or(1);
  state.pods = template_in(set.spec.pods);
  state.min_ready = set.spec.min_ready_seconds * kSecond;
  if (all_pods_of(owner).empty())
    new_sets_.emplace(owner, PodsOfSet{set.meta.ns, set.meta.name, set.meta.uid, *set.spec.pods});
  note_readiness(owner);
}

// A pod without conditions was written by hand, and has been ready for long.
void Controllers::note_readiness(const Owner& owner) {
  constexpr Time kLong = -1'000'000 * kSecond;
  const Symbol ready = cluster_.symbol("Ready");
  for (const PodId id : pods_of(owner)) {
    const Pod& pod = cluster_.pod(id);
    if (!pod.spec.node_name || pod.meta.deleting) continue;
    if (!is_healthy(id)) {
      unready_.insert(id);
      continue;
    }
    const Condition* const condition = ready ? pod.condition(ready) : nullptr;
    const bool dated = condition != nullptr && condition->last_transition;
    ready_since_[id] = dated ? since(start_, *condition->last_transition) : kLong;
  }
}

auto Controllers::all_known(const Deployment& deployment, const std::vector<const ReplicaSet*>& sets) -> bool {
  const PodOwner workload{cluster_.text(deployment.meta.ns), kinds::deployments.name,
                          cluster_.text(deployment.meta.name)};
  std::set<Owner> known;
  bool shows_pods = false;
  for (const ReplicaSet* const set : sets) {
    const Owner owner = replica_set_owner(set->meta.ns, set->meta.name);
    if (!is_whole(*set, all_pods_of(owner).size(), cluster_.symbols())) return false;
    shows_pods = shows_pods || !all_pods_of(owner).empty();
    // Other components give KAI's pods the annotations by which it groups them.
    const std::vector<PodId>& pods = all_pods_of(owner);
    const bool grouped = std::any_of(pods.begin(), pods.end(), [&](PodId pod) {
      return cluster_.text(cluster_.pod(pod).spec.scheduler_name) == schedulers::kai.scheduler_name;
    });
    if (grouped) return false;
    known.insert(owner);
  }
  for (const auto& [owner, pods] : pods_by_owner_) {
    if (owner.maker != ControllerKind::replica_set || owner.ns != deployment.meta.ns || known.contains(owner)) continue;
    if (owner_of_pod(cluster_, cluster_.pod(pods.front())) == workload && !pods_of(owner).empty()) return false;
  }
  return shows_pods;
}

// A change of the replicas scales all sets in proportion, and so does a Deployment that is paused; this is not
// simulated. If only one set wants pods, that one is scaled.
// Source: kubernetes v1.35 deployment/sync.go isScalingEvent, sync, scale.
auto Controllers::scales_as_known(const Rollout& rollout, const std::vector<const ReplicaSet*>& sets) const -> bool {
  std::int64_t all = 0;
  std::int64_t active = 0;
  bool is_scaled = false;
  const std::string replicas = std::to_string(rollout.plan.replicas());
  for (const ReplicaSet* const set : sets) {
    if (!wants_pods(*set)) continue;
    const std::string_view before = replicas_known_to(*set, cluster_.symbols());
    is_scaled = is_scaled || (!before.empty() && before != replicas);
    all += set->spec.replicas.value_or(1);
    ++active;
  }
  const bool paused = rollout.object->spec.paused;
  if (active <= 1) return active == 1 || !paused;
  return !is_scaled && (!paused || (all == rollout.plan.most() && !rollout.plan.recreates()));
}

}  // namespace previct::sequence
