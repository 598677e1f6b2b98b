// The rolling updates of StatefulSets: which pods they delete, so that new ones get their current template.

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "engine/gap.h"
#include "sequence/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace previct::sequence {
namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";

}  // namespace

// The status of a set names the revision of its template, and a label that of each pod.
auto Controllers::shows_revisions(const StatefulSet& set, const Owner& owner) -> bool {
  const Symbol label = cluster_.symbol(kRevisionLabel);
  if (!set.meta.uid || !set.spec.replicas || !set.status.update_revision || !label) return false;
  if (set.status.replicas > static_cast<std::int64_t>(all_pods_of(owner).size())) return false;
  if (is_open(set.meta, kinds::stateful_sets.name)) return false;
  const std::vector<PodId> pods = pods_of(owner);
  return std::all_of(pods.begin(), pods.end(),
                     [&](PodId pod) { return cluster_.pod(pod).meta.labels.has(label) && ordinal_of(pod) >= 0; });
}

auto Controllers::is_outdated(const StatefulSet& set, PodId id) const -> bool {
  return follows_updates(set, id) &&
         cluster_.pod(id).meta.labels.get(cluster_.symbol(kRevisionLabel)) != set.status.update_revision;
}

// An ordered set updates its pods when all of them are available, and no pod is to be created or deleted. If the input
// has maxUnavailable, the API server has the gate MaxUnavailableStatefulSet, without which it drops the field.
// Source: kubernetes v1.35.4 statefulset/stateful_set_control.go updateStatefulSet,
// updateStatefulSetAfterInvariantEstablished; registry/apps/statefulset/strategy.go.
void Controllers::update_set(const Owner& owner, Time now, Reaction& reaction) {
  StatefulSetState& set = set_of(owner);
  if (!set.rolls || set.object->meta.deleting) return;
  const bool acts = !reaction.created.empty() || !reaction.deleted.empty();
  if (!set.parallel && (acts || !set.missing.empty() || !set.creating.empty())) return;
  std::map<std::int64_t, PodId, std::greater<>> pods;
  for (const PodId pod : pods_of(owner)) {
    if (wants_ordinal(*set.object, ordinal_of(pod))) {
      pods.emplace(ordinal_of(pod), pod);
    } else if (!set.parallel) {
      return;
    }
  }
  std::vector<PodId> unavailable;
  for (const auto& [ordinal, pod] : pods) {
    if (!is_available(set, pod, now)) unavailable.push_back(pod);
  }
  const StatefulSetRollingUpdate& limits = set.object->spec.update_strategy.rolling_update;
  const std::int64_t replicas = *set.object->spec.replicas;
  const std::int64_t missing = replicas - static_cast<std::int64_t>(pods.size());
  const std::int64_t most = limits.max_unavailable ? scaled(*limits.max_unavailable, replicas, false) : 1;
  std::int64_t allowed = std::max<std::int64_t>(1, most);
  if (limits.max_unavailable) allowed -= static_cast<std::int64_t>(unavailable.size()) + missing;
  const bool outdated =
      std::any_of(pods.begin(), pods.end(), [&](const auto& each) { return is_outdated(*set.object, each.second); });
  if (!outdated) return;
  if ((!set.parallel && !unavailable.empty()) || allowed <= 0)
    return wait_for_pods(owner, set, unavailable, now, reaction);
  std::int64_t expected = set.object->spec.ordinals.start + replicas - 1;
  for (const auto& [ordinal, pod] : pods) {
    if (ordinal < set.object->spec.ordinals.start + limits.partition) return;
    if (allowed == 0) {
      // Others may become available before the deleted ones are replaced.
      if (limits.max_unavailable) wait_for_pods(owner, set, unavailable, now, reaction);
      return;
    }
    if (!limits.max_unavailable && expected-- != ordinal) return;  // one that is yet to be created
    if (is_outdated(*set.object, pod) && !cluster_.pod(pod).meta.deleting && !leaving_.contains(pod)) {
      reaction.deleted.push_back({pod, fmt::format("{} has a new template", describe_owner(cluster_, owner)), now});
      leaving_.insert(pod);
      --allowed;
    } else if (!limits.max_unavailable && !is_available(set, pod, now)) {
      return wait_for_pods(owner, set, {pod}, now, reaction);
    }
  }
}

auto Controllers::is_available(const StatefulSetState& set, PodId pod, Time now) const -> bool {
  const auto at = set.available.find(ordinal_of(pod));
  return is_healthy(pod) && !set.creating.contains(ordinal_of(pod)) && !leaving_.contains(pod) &&
         (at == set.available.end() || at->second <= now);
}

void Controllers::wait_for_pods(const Owner& owner, StatefulSetState& set, const std::vector<PodId>& pods, Time now,
                                Reaction& reaction) {
  Time next = kNever;
  for (const PodId id : pods) {
    const Pod& pod = cluster_.pod(id);
    const auto at = set.available.find(ordinal_of(id));
    if (is_healthy(id) && at != set.available.end() && at->second > now) next = std::min(next, at->second);
    const bool is_unready = pod.spec.node_name && !pod.meta.deleting && !is_healthy(id);
    if (is_unready) remark(GapRule::stateful_set_unready, {cluster_.key(id), describe_owner(cluster_, owner)});
  }
  if (next == kNever || next == set.checks_at) return;
  set.checks_at = next;
  reaction.checks.push_back({owner, next});
}

// A set gives a new pod the labels of the template from which it creates it.
// Source: statefulset/stateful_set_utils.go newVersionedStatefulSetPod, setPodRevision.
void Controllers::follow_revision(const Creation& creation, Pod& made) {
  const Owner owner = creator_of(creation);
  if (owner.maker != ControllerKind::stateful_set || template_for(creation) == nullptr) return;
  const StatefulSet& set = *set_of(owner).object;
  const Symbol label = cluster_.symbol(kRevisionLabel);
  if (!label || !set.status.update_revision || made.meta.labels.get(label) == set.status.update_revision) return;
  for (const auto& [key, value] : set.spec.pods->meta.labels) made.meta.labels.set(key, value);
  made.meta.labels.set(label, set.status.update_revision);
}

}  // namespace previct::sequence
