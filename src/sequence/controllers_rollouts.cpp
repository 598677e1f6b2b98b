// The rollouts of Deployments: how many pods each of their ReplicaSets should have, and when.

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "engine/gap.h"
#include "sequence/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct::sequence {

void Controllers::start_rollouts(Reaction& reaction) {
  for (auto& [key, rollout] : rollouts_) {
    settle_scale(rollout, reaction);
    synchronize(rollout.current, 0, reaction);
  }
}

// If the replicas of the Deployment have changed, or it is paused, the only set that wants pods gets all of them.
// Source: kubernetes v1.35 deployment/util/deployment_util.go FindActiveOrLatest.
void Controllers::settle_scale(Rollout& rollout, Reaction& reaction) {
  std::vector<Owner> active = rollout.old_sets;
  active.push_back(rollout.current);
  std::erase_if(active, [&](const Owner& owner) { return replica_sets_[owner].replicas == 0; });
  const bool paused = rollout.object->spec.paused;
  if (active.size() == 1 && (paused || replica_sets_[active.front()].rescaled))
    rescale(rollout, active.front(), rollout.plan.replicas(), 0, reaction);
  rollout.stopped = rollout.stopped || paused;
}

void Controllers::synchronize(const Owner& owner, Time now, Reaction& reaction) {
  const auto of = deployments_.find(owner);
  if (of == deployments_.end()) return;
  Rollout& rollout = rollouts_.at(of->second);
  while (!rollout.stopped && synchronize_once(rollout, now, reaction)) {
  }
  if (rollout.stopped) return;
  plan_check(rollout, now, reaction);
  note_unready(rollout);
}

auto Controllers::synchronize_once(Rollout& rollout, Time now, Reaction& reaction) -> bool {
  std::vector<RolledSet> old_sets;
  for (const Owner& owner : rollout.old_sets) old_sets.push_back(rolled(owner, now));
  RolledSet current = rolled(rollout.current, now);
  if (!rollout.plan.synchronize(old_sets, current)) return false;
  for (std::size_t i = 0; i < old_sets.size(); ++i)
    rescale(rollout, rollout.old_sets[i], old_sets[i].replicas, now, reaction);
  rescale(rollout, rollout.current, current.replicas, now, reaction);
  return true;
}

// The pods that exist and are not to be deleted.
auto Controllers::staying_pods_of(const Owner& owner) -> std::vector<PodId> {
  std::vector<PodId> pods = pods_of(owner);
  std::erase_if(pods, [&](PodId pod) { return cluster_.pod(pod).meta.deleting || leaving_.contains(pod); });
  return pods;
}

auto Controllers::available_at(const Owner& owner, PodId pod) const -> Time {
  const auto since = ready_since_.find(pod);
  return since == ready_since_.end() ? kNever : since->second + replica_sets_.at(owner).min_ready;
}

auto Controllers::rolled(const Owner& owner, Time now) -> RolledSet {
  const std::vector<PodId> staying = staying_pods_of(owner);
  const auto available =
      std::count_if(staying.begin(), staying.end(), [&](PodId pod) { return available_at(owner, pod) <= now; });
  return {.replicas = replica_sets_[owner].replicas, .available = available, .has_pods = !pods_of(owner).empty()};
}

auto Controllers::new_pod_of(const Owner& owner) -> std::optional<Creation> {
  const std::vector<PodId> pods = pods_of(owner);
  if (!pods.empty()) return Creation{.like = pods.front(), .replaces = false};
  if (!all_pods_of(owner).empty()) return Creation{.like = all_pods_of(owner).front(), .replaces = false};
  const auto made = new_sets_.find(owner);
  if (made == new_sets_.end()) return {};
  const Rollout& rollout = rollouts_.at(deployments_.at(owner));
  std::vector<Owner> others = rollout.old_sets;
  others.push_back(rollout.current);
  for (const Owner& other : others) {
    if (!all_pods_of(other).empty())
      return Creation{.like = all_pods_of(other).front(), .replaces = false, .by = &made->second};
  }
  return {};
}

// Pods that are still to be created are not created. If it is not known which others go, the rollout stops.
void Controllers::rescale(Rollout& rollout, const Owner& owner, std::int64_t replicas, Time now, Reaction& reaction) {
  ReplicaSetState& set = replica_sets_[owner];
  if (set.replicas == replicas || rollout.stopped) return;
  const std::int64_t before = std::exchange(set.replicas, replicas);
  const std::vector<PodId> staying = staying_pods_of(owner);
  const std::int64_t surplus = static_cast<std::int64_t>(staying.size()) + set.planned - replicas;
  for (std::int64_t i = surplus; i < 0; ++i) {
    const auto next = new_pod_of(owner);
    if (!next) break;
    reaction.created.push_back(*next);
    reaction.created.back().at = now;
    ++set.planned;
  }
  if (surplus <= 0) return;
  const std::int64_t given_up = std::min(set.planned, surplus);
  set.planned -= given_up;
  set.given_up += given_up;
  if (surplus == given_up) return;
  const std::string who = describe_owner(cluster_, owner);
  std::vector<PodId> deleted = staying;
  if (replicas > 0) deleted = first_to_go(owner, staying, surplus - given_up, now);
  if (deleted.empty()) {
    rollout.stopped = true;
    set.replicas = before;
    remark(GapRule::rollout_open,
           {describe_owner(owner_of_pod(cluster_, cluster_.pod(staying.front()))),
            fmt::format("it is not known which of its {} pods {} deletes to have {}", staying.size(), who, replicas)});
    return;
  }
  const std::string why =
      replicas == 0 ? fmt::format("{} wants no pod", who)
                    : fmt::format("{} wants {}", who, counted(static_cast<std::size_t>(replicas), "pod", "pods"));
  for (const PodId pod : deleted) reaction.deleted.push_back({pod, why, now});
  leaving_.insert(deleted.begin(), deleted.end());
}

void Controllers::plan_check(Rollout& rollout, Time now, Reaction& reaction) {
  Time next = kNever;
  std::vector<Owner> all = rollout.old_sets;
  all.push_back(rollout.current);
  for (const Owner& owner : all) {
    for (const PodId pod : staying_pods_of(owner)) {
      const Time at = available_at(owner, pod);
      if (at > now) next = std::min(next, at);
    }
  }
  if (next == kNever || next == rollout.checks_at) return;
  rollout.checks_at = next;
  reaction.checks.push_back({rollout.current, next});
}

auto Controllers::check(const Check& check, Time now) -> Reaction {
  if (check.of.maker == ControllerKind::stateful_set) return next_of_set(check.of, now);
  Reaction reaction;
  synchronize(check.of, now, reaction);
  return reaction;
}

// A kubelet decides when such a pod becomes ready.
void Controllers::note_unready(const Rollout& rollout) {
  const bool done = replica_sets_[rollout.current].replicas == rollout.plan.replicas() &&
                    std::all_of(rollout.old_sets.begin(), rollout.old_sets.end(),
                                [&](const Owner& owner) { return replica_sets_[owner].replicas == 0; });
  if (done) return;
  for (const PodId pod : staying_pods_of(rollout.current)) {
    if (!unready_.contains(pod)) continue;
    return remark(GapRule::rollout_unready,
                  {cluster_.key(pod), describe_owner(owner_of_pod(cluster_, cluster_.pod(pod)))});
  }
}

auto Controllers::creator_of(const Creation& creation) const -> Owner {
  if (creation.by == nullptr) return owner_of(cluster_, cluster_.pod(creation.like));
  return replica_set_owner(creation.by->ns, creation.by->name);
}

auto Controllers::gives_up(const Creation& creation) -> bool {
  const auto found = replica_sets_.find(creator_of(creation));
  if (found == replica_sets_.end() || found->second.given_up == 0) return false;
  --found->second.given_up;
  return true;
}

auto Controllers::own_template(PodId pod) const -> const PodSpec* {
  const auto found = replica_sets_.find(owner_of(cluster_, cluster_.pod(pod)));
  return found == replica_sets_.end() ? nullptr : found->second.pods;
}

}  // namespace previct::sequence
