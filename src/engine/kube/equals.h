#pragma once

#include "engine/kube/attempt.h"

#include <cstdint>
#include <map>
#include <vector>

namespace previct::kube {

/// Groups of two or more possible victims of a node that tie in priority and start, at least one of them a victim:
/// upstream may evict any of a group in place of another. Pods that tolerate the preemptor are left out.
[[nodiscard]] auto interchangeable_victims(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node,
                                           std::int32_t preemptor_priority) -> std::vector<std::vector<PodId>>;

/// Which victims of a node go in any case if it is chosen. The order among equal pods follows from the history of the
/// scheduler's cache, which no dump shows.
/// Source: pkg/scheduler/util/utils.go MoreImportantPod; default_preemption.go SelectVictimsOnNode; v1.35.4.
class Equals {
 public:
  Equals(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node, std::int32_t preemptor_priority);

  /// The equal pods, some of which go and some stay; null if the victim is of no such group.
  [[nodiscard]] auto group_of(PodId victim) const -> const std::vector<PodId>*;
  /// Are the pods of such a group not alike? In another order others go, and maybe more or fewer.
  [[nodiscard]] auto hangs_on_order() const -> bool { return unlike_; }
  /// Do they request different amounts?
  [[nodiscard]] auto of_unlike_sizes() const -> bool { return unlike_sizes_; }
  /// False also for a victim whose turn comes behind a group whose members ask for different things.
  [[nodiscard]] auto certain(PodId victim) const -> bool;

 private:
  const NodeInfoSnapshot& node_infos_;
  std::vector<std::vector<PodId>> split_;  // groups of which some stay
  std::map<PodId, std::size_t> split_of_;  // by pod
  bool unlike_sizes_ = false;
  bool unlike_ = false;              // a split group's members ask for different things:
  std::int32_t doubtful_up_to_ = 0;  // then from this priority down everything may be otherwise
};

}  // namespace previct::kube
