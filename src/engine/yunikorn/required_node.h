#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/rules.h"

#include <vector>

/// Preemption for pods that can run on one node only, as released: pods of DaemonSets.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/required_node_preemptor.go, application.go.
namespace previct::yunikorn {

/// Lower classes are evicted first.
enum class VictimClass : std::uint8_t { regular, opted_out, originator };
[[nodiscard]] auto class_of(const Allocation& pod) -> VictimClass;

struct RequiredNodeCounts {
  std::size_t total = 0;
  std::size_t required_node = 0;
  std::size_t higher_priority = 0;
  std::size_t already_preempted = 0;
  std::size_t no_resource_match = 0;
  std::size_t released = 0;
};

/// The result for one pod of the node.
struct Fate {
  PodId pod;
  Rule rule;
};

/// All possible results, given that the order in which the scheduler sees equal candidates is undefined.
struct VictimSets {
  std::vector<std::vector<PodId>> sets;  ///< each in the order of the candidates; empty: no victims
  bool complete = true;                  ///< false: there are more than those listed
  std::vector<PodId> always;             ///< victims in every set
  std::vector<PodId> sometimes;          ///< victims in some sets
  [[nodiscard]] auto open() const -> bool { return sets.size() > 1 || !complete; }
};

/// One attempt of the preemptor. Computed even if the scheduler would not get that far.
struct RequiredNodeAttempt {
  RequiredNodeCounts counts;
  std::vector<Fate> spared;            ///< pods filtered out, with the reason, in the order of the dump
  std::vector<Allocation> candidates;  ///< in the order in which they are evicted
  std::vector<PodId> victims;          ///< empty: no victims
  std::vector<PodId> collateral;       ///< victims that together are not needed
  Resources freed;                     ///< sum of the candidates that were taken
  VictimSets possible;
};

/// The scheduler's own order of victims: by class, priority, age and size. Sizes that are equal or not comparable are
/// "before" in both directions. (preemption_utilities.go SortAllocations)
[[nodiscard]] auto goes_before(const Allocation& a, const Allocation& b) -> bool;

/// Returns Rule::candidate, or the first rule that protects `pod` on the required node of `ask`.
[[nodiscard]] auto fate_on_required_node(const Allocation& ask, const Allocation& pod) -> Rule;

/// Tries to free resources for `ask` on `room`'s node. `pods` must be all of YuniKorn's pods there.
/// Cost: sorting the candidates, and one step per set of equal candidates that could be evicted, up to a limit.
[[nodiscard]] auto attempt_required_node(const Allocation& ask, const NodeUsage& room,
                                         const std::vector<Allocation>& pods) -> RequiredNodeAttempt;

}  // namespace previct::yunikorn
