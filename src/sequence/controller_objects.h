#pragma once

#include "api/limits.h"
#include "api/objects.h"
#include "api/workloads.h"

#include <set>
#include <utility>
#include <vector>

namespace previct::sequence {

/// The objects that decide when evicted pods are replaced, and what the API server does with the new pods.
struct ControllerObjects {
  std::vector<Job> jobs;
  std::vector<StatefulSet> sets;
  std::vector<ResourceQuota> quotas;
  std::vector<LimitRange> limit_ranges{};
  bool all_limit_ranges = false;  ///< the cluster has no others
  std::vector<ReplicaSet> replica_sets{};
  std::vector<ReplicationController> replication_controllers{};
  std::set<std::pair<Symbol, Symbol>> rolling{};  ///< Deployments that may have something to do: namespace and name
};

/// A ReplicaSet that creates pods although none of its pods shows what they are like.
struct PodsOfSet {
  Symbol ns;
  Symbol name;
  Symbol uid;  ///< none: the set is new
  TemplateOfPods pods;
};

/// Returns true if some pod has a controller that may create new pods.
[[nodiscard]] auto has_controlled_pods(const Objects& objects) -> bool;

/// Returns those of an input. A dump holds all LimitRanges, or none.
[[nodiscard]] auto controller_objects_of(const Objects& objects) -> ControllerObjects;

}  // namespace previct::sequence
