#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/rules.h"

#include <vector>

/// Preemption for pods that can run on one node only, as released: those of DaemonSets.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/required_node_preemptor.go, application.go.
namespace previct::yunikorn {

/// Lower goes first.
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

/// What became of one pod of the node.
struct Fate {
  PodId pod;
  Rule rule;
};

/// All that can happen, given that the order in which the scheduler meets equal candidates is open.
struct VictimSets {
  std::vector<std::vector<PodId>> sets;  ///< each in the order of the candidates; an empty one: nobody
  bool complete = true;                  ///< false: there are more than are listed
  std::vector<PodId> always;             ///< victims in every set
  std::vector<PodId> sometimes;          ///< victims in some
  [[nodiscard]] auto open() const -> bool { return sets.size() > 1 || !complete; }
};

/// One attempt of the preemptor. Computed whether or not the scheduler would get there.
struct RequiredNodeAttempt {
  RequiredNodeCounts counts;
  std::vector<Fate> spared;            ///< pods filtered out, with the reason, in the order of the dump
  std::vector<Allocation> candidates;  ///< in the order in which they are taken
  std::vector<PodId> victims;          ///< empty: nobody
  std::vector<PodId> collateral;       ///< victims without which the others would still do, all together
  Resources freed;                     ///< what the candidates that were taken add up to
  VictimSets possible;
};

/// Rule::candidate, or the first rule that spares `pod` on the required node of `ask`.
[[nodiscard]] auto fate_on_required_node(const Allocation& ask, const Allocation& pod) -> Rule;

/// Tries to make room for `ask` on `room`'s node among `pods`, which are all of YuniKorn's pods there.
/// Cost: sorting the candidates, and one step per set of equal candidates that could go, up to a limit.
[[nodiscard]] auto attempt_required_node(const Allocation& ask, const NodeRoom& room,
                                         const std::vector<Allocation>& pods) -> RequiredNodeAttempt;

}  // namespace previct::yunikorn
