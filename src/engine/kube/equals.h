#pragma once

#include "engine/kube/attempt.h"

#include <cstdint>
#include <map>
#include <vector>

namespace previct::kube {

/// Returns the groups of two or more potential victims on a node that tie in priority and start, if at least one pod of
/// the group is a victim. Upstream may evict any pod of a group in place of another. Pods that tolerate the preemptor
/// are left out.
[[nodiscard]] auto interchangeable_victims(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node,
                                           std::int32_t preemptor_priority) -> std::vector<std::vector<PodId>>;

/// The victims on a node that are evicted in any case if the node is chosen. The order of equal pods follows from the
/// history of the scheduler's cache, which no dump shows.
/// Source: pkg/scheduler/util/utils.go MoreImportantPod; default_preemption.go SelectVictimsOnNode; v1.35.4.
class EqualPodGroups {
 public:
  EqualPodGroups(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node,
                 std::int32_t preemptor_priority);

  /// Returns the equal pods of which only some are evicted; null if the victim is not in such a group.
  [[nodiscard]] auto group_of(PodId victim) const -> const std::vector<PodId>*;
  /// Returns true if pods of such a group differ: in another order, other pods are evicted, and maybe more or fewer.
  [[nodiscard]] auto depends_on_order() const -> bool { return unlike_; }
  /// Returns true if pods of such a group request different amounts.
  [[nodiscard]] auto of_unlike_sizes() const -> bool { return unlike_sizes_; }
  /// Also returns false for a victim that is reprieved after a group whose pods request different things.
  [[nodiscard]] auto certain(PodId victim) const -> bool;

 private:
  const NodeInfoSnapshot& node_infos_;
  std::vector<std::vector<PodId>> split_;  // groups of which some pods are not evicted
  std::map<PodId, std::size_t> split_of_;  // by pod
  bool unlike_sizes_ = false;
  bool unlike_ = false;              // the pods of a split group request different things:
  std::int32_t doubtful_up_to_ = 0;  // then no victim of this priority or lower is certain
};

}  // namespace previct::kube
