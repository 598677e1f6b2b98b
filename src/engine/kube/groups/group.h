#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/requeue.h"
#include "engine/kube/rules.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace previct::kube {

/// Pods that the scheduler places together, as the input has them. Finished pods do not count.
struct Group {
  const PodGroup* object = nullptr;  ///< null: the input has no PodGroup of that name
  std::vector<PodId> pods;           ///< in input order

  /// Returns the number of pods that must be placed together; nothing: pods are placed as resources allow.
  [[nodiscard]] auto gang() const -> std::optional<std::int32_t>;
  /// Returns the priority of the group; its pods' priorities do not matter.
  [[nodiscard]] auto priority() const -> std::int32_t;
};

/// The groups of a cluster, built once for all questions (Snapshot::derived). A pod belongs to the PodGroup named in
/// its spec.schedulingGroup.
/// Source: pkg/scheduler/backend/cache/podgroupstate.go, v1.36.3.
class Groups {
 public:
  explicit Groups(const Snapshot& cluster);

  /// Returns the group of a pod; null if it has none.
  [[nodiscard]] auto of(PodId pod) const -> const Group*;

 private:
  const Snapshot& cluster_;
  std::map<std::pair<Symbol, Symbol>, Group> groups_;  // by namespace and name
};

/// Returns true if the pod belongs to a group by the rules of this release, regardless of gates.
[[nodiscard]] auto in_a_group(const NodeInfoSnapshot& node_infos, PodId pod) -> bool;

/// Returns true if the scheduler has the plugin for gangs. Then each pod that arrives is an event for waiting pods.
/// Source: pkg/scheduler/eventhandlers.go, addPodToSchedulingQueue, v1.35.4 and v1.36.3.
[[nodiscard]] auto schedules_gangs(const Release& release) -> bool;

/// Returns true if the pod is placed together with its group and the input describes that group.
[[nodiscard]] auto placed_together(const NodeInfoSnapshot& node_infos, PodId pod) -> bool;

/// Returns the kind that describes a pod's group and that the input must have.
[[nodiscard]] auto kind_of_groups(const Release& release) -> const KindInfo&;

/// Returns the events that requeue a pod that its group holds back: another pod of the group is added, or the group
/// itself.
/// Source: plugins/gangscheduling EventsToRegister, isSchedulableAfterPodAdded, v1.35.4, v1.36.3.
[[nodiscard]] auto events_of_gangs(const Release& release) -> EventTable;

/// Returns why the pod is not tried yet: its group does not exist, or the gang is not complete.
/// Source: plugins/gangscheduling PreEnqueue, v1.35.4, v1.36.3.
[[nodiscard]] auto held_by_group(const NodeInfoSnapshot& node_infos, PodId pod) -> std::optional<Reason>;

}  // namespace previct::kube
