#pragma once

#include "engine/yunikorn/required_node.h"

namespace previct::yunikorn {

/// Returns every set of victims that the required-node preemptor can select, over all orders in which the scheduler may
/// see its candidates. `candidates` are sorted.
///
/// Candidates with the same class, priority and second of creation form a group. Within a group, a pod comes after
/// those that are smaller (no more of any type, less of some), and otherwise in any order: Go's sort can produce every
/// order that satisfies this, and for up to 20 candidates no other. Groups are taken whole until the one in which the
/// ask fits.
///
/// Pods of equal size in that group are interchangeable, so the search counts how many of each size are taken. It stops
/// at a limit; the result is then marked as incomplete.
[[nodiscard]] auto possible_victims(const Allocation& ask, const Resources& available,
                                    const std::vector<Allocation>& candidates) -> VictimSets;

}  // namespace previct::yunikorn
