#pragma once

#include "engine/kube/disruption.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/groups/room.h"
#include "engine/kube/profile.h"

#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// The result for the pods of a group that are placed together.
struct GroupDecision {
  /// Why the result is not known.
  enum class Doubt : std::uint8_t {
    none,
    one_by_one,    ///< without workload-aware preemption each pod preempts for itself, one at a time
    topology,      ///< placements are tried one by one
    claims,        ///< the group shares devices, or requests some through an extended resource
    schedulers,    ///< its pods have different schedulerNames
    unlike,        ///< its pods request different things, and it matters which pod gets which node
    beyond_nodes,  ///< a filter depends on more than one node
    nominated,     ///< some of its pods are nominated to a node that is close to its pod limit
    not_all,       ///< only some of its pods fit, and it is random which
    order,         ///< pods of equal importance are reprieved in any order
    error          ///< a filter failed with an error
  };

  const Group* group = nullptr;
  std::vector<PodId> waiting;  ///< pods placed together, including the pod in question
  /// The waiting pods by what they request; the kind of the pod in question comes first.
  std::vector<std::vector<PodId>> kinds;
  std::int64_t placed = 0;       ///< number of pods already on nodes
  std::int64_t needed = 1;       ///< number of waiting pods that must fit; otherwise none is placed
  std::int64_t room = 0;         ///< number of waiting pods that fit without preemption
  std::vector<PodId> victims;    ///< most important first
  std::vector<PodId> violating;  ///< victims whose disruption budget allows no more disruptions
  std::optional<Reason> reason;  ///< why no pod is evicted for the group
  Doubt doubt = Doubt::none;
  const FilterInfo* beyond = nullptr;  ///< with Doubt::beyond_nodes: that filter
  std::vector<PodId> even;             ///< with Doubt::order: the pods whose order decides
};

/// The input of place_group(), prepared by one attempt for each kind of pod.
struct GroupTrial {
  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  const Profile& profile;
  std::vector<MemberKind> kinds;  ///< as in GroupDecision
};

/// Places the pods of a group together. If that fails, looks for victims in the whole cluster: removes all pods, and
/// groups that are evicted as a whole, of lower priority than the group. If the group then fits, reprieves them one by
/// one as long as it still fits, most important first, those whose budget is exhausted before the others.
///
/// The result is exact if only the state of a single node matters to filters, and if enough pods fit, or too few,
/// whatever their order and the scores; see Room.
/// Source: pkg/scheduler/schedule_one_podgroup.go; framework/preemption/podgrouppreemption.go, types.go; v1.36.3.
[[nodiscard]] auto place_group(GroupDecision known, GroupTrial with) -> GroupDecision;

/// Returns what is known before anything is tried: which pods wait, how many of them must fit, and a doubt.
[[nodiscard]] auto group_of(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod) -> GroupDecision;

}  // namespace previct::kube
