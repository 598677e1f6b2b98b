#pragma once

#include "engine/yunikorn/required_node.h"

namespace previct::yunikorn {

/// Every set of victims that the required-node preemptor can come to, over all orders in which the scheduler
/// may meet its candidates. `candidates` are sorted.
///
/// Candidates of one class, priority and second of creation form a group. Within a group, a pod stands behind
/// those that are smaller (no more of any type, less of some) and in any order otherwise: Go's sort can give
/// each order that keeps to this, and of up to 20 candidates no other. Groups are taken whole until the one in which
/// the ask is met.
///
/// Pods of equal size in that group can stand for each other, so the search is over how many of each size are
/// taken. It stops at a limit; the result then says that it is not complete.
[[nodiscard]] auto possible_victims(const Allocation& ask, const Resources& available,
                                    const std::vector<Allocation>& candidates) -> VictimSets;

}  // namespace previct::yunikorn
