#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/requeue.h"
#include "engine/kube/rules.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace previct::kube {

/// Pods that the scheduler places as one, as the input has them. Those that have finished no longer count.
struct Group {
  const PodGroup* object = nullptr;  ///< null: the input has none of that name
  std::vector<PodId> pods;           ///< in input order

  /// So many at once, or none; nothing: they are placed as room allows.
  [[nodiscard]] auto gang() const -> std::optional<std::int32_t>;
  /// Whatever its pods have.
  [[nodiscard]] auto priority() const -> std::int32_t;
};

/// The groups of a cluster, joined once for all questions (Snapshot::derived). A pod belongs to the PodGroup that its
/// spec.schedulingGroup names. Source: pkg/scheduler/backend/cache/podgroupstate.go, v1.36.3.
class Groups {
 public:
  explicit Groups(const Snapshot& cluster);

  /// Null if the pod belongs to none.
  [[nodiscard]] auto of(PodId pod) const -> const Group*;

 private:
  const Snapshot& cluster_;
  std::map<std::pair<Symbol, Symbol>, Group> groups_;  // by namespace and name
};

/// Does the pod belong to a group by the rules of this release, whatever its gates say?
[[nodiscard]] auto in_a_group(const NodeInfoSnapshot& node_infos, PodId pod) -> bool;

/// Is the pod placed together with others of its group, and does the input say what that group is like?
[[nodiscard]] auto placed_together(const NodeInfoSnapshot& node_infos, PodId pod) -> bool;

/// The kind that says what a pod's group is like, which the input has to hold.
[[nodiscard]] auto kind_of_groups(const Release& release) -> const KindInfo&;

/// When a pod that its group holds back is tried again: when another of the group comes, or the group itself does.
/// Source: plugins/gangscheduling EventsToRegister, isSchedulableAfterPodAdded, v1.35.4, v1.36.3.
[[nodiscard]] auto events_of_gangs(const Release& release) -> EventTable;

/// Why the pod is not tried yet: its group does not exist, or the gang is not complete.
/// Source: plugins/gangscheduling PreEnqueue, v1.35.4, v1.36.3.
[[nodiscard]] auto held_by_group(const NodeInfoSnapshot& node_infos, PodId pod) -> std::optional<Reason>;

}  // namespace previct::kube
