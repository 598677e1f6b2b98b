#pragma once

#include "engine/kube/disruption.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/groups/room.h"
#include "engine/kube/profile.h"

#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// How the pods of a group fare that are placed together.
struct GroupDecision {
  /// Why that cannot be told.
  enum class Doubt : std::uint8_t {
    none,
    one_by_one,    ///< without workload-aware preemption each pod preempts by itself, one behind the other
    topology,      ///< placements are tried one by one
    claims,        ///< the group shares devices, or asks for some by a resource's name
    schedulers,    ///< its pods name different schedulers
    unlike,        ///< its pods ask for different things, and it matters which of them gets which node
    beyond_nodes,  ///< a filter looks at more than one node at once
    nominated,     ///< some of its pods are nominated to a node that has hardly room for more pods
    not_all,       ///< there is room for some of its pods only, and which get in is left to chance
    order,         ///< pods that are equally important are put back in any order
    error          ///< a filter ends in an error
  };

  const Group* group = nullptr;
  std::vector<PodId> waiting;  ///< placed together, the pod asked about among them
  /// Those that wait by what they ask for; first those that ask for what the pod asked about does.
  std::vector<std::vector<PodId>> kinds;
  std::int64_t placed = 0;       ///< on nodes already
  std::int64_t needed = 1;       ///< of those that wait, so many must find room, or none gets in
  std::int64_t room = 0;         ///< so many of them find room as things are
  std::vector<PodId> victims;    ///< most important first
  std::vector<PodId> violating;  ///< of the victims: their disruption budget allows no more
  std::optional<Reason> reason;  ///< why nobody is evicted for it
  Doubt doubt = Doubt::none;
  const FilterInfo* beyond = nullptr;  ///< with Doubt::beyond_nodes
  std::vector<PodId> even;             ///< with Doubt::order
};

/// What attempts for one pod of each kind have found out beforehand.
struct GroupTrial {
  NodeInfoSnapshot& node_infos;
  const Budgets& budgets;
  const Profile& profile;
  std::vector<MemberKind> kinds;  ///< as in GroupDecision
};

/// Places the pods of a group together, and finds pods to evict in the whole cluster if that fails: all pods, and
/// groups that can only go as a whole, of lower priority than the group are taken away; if that makes room they are put
/// back one by one, most important first, those whose budget is exhausted before the others, as long as the group still
/// gets in. Exact where only what is on a node itself counts, and where enough of them find room, or too few, whoever
/// comes first and whatever the scores say; see Room. Source: pkg/scheduler/schedule_one_podgroup.go;
/// framework/preemption/podgrouppreemption.go, types.go; v1.36.3.
[[nodiscard]] auto place_group(GroupDecision known, GroupTrial with) -> GroupDecision;

/// What can be told of it before anything is tried: which pods wait, how many of them are needed, and a doubt.
[[nodiscard]] auto group_of(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod) -> GroupDecision;

}  // namespace previct::kube
