#pragma once

#include "engine/yunikorn/partition_context.h"

#include <optional>
#include <vector>

/// The pods of one leaf queue that quota preemption evicts.
/// Source: apache/yunikorn-core 1.8 and 1.9 pkg/scheduler/objects/quota_preemptor.go filterAllocations,
/// sortAllocations, preemptVictims; preemption_utilities.go.
namespace previct::yunikorn {

/// What a leaf queue has to free, and what limits it.
struct QuotaTask {
  Resources amount;           ///< to be freed
  MaybeResources max;         ///< of the leaf queue
  MaybeResources guaranteed;  ///< of the leaf queue
  Resources allocated;        ///< by the leaf queue
};

/// `pods` are those of the queue, in the order in which the scheduler sees them. None if the scheduler crashes.
[[nodiscard]] auto quota_victims(const Release& release, const QuotaTask& task, std::vector<const Allocation*> pods)
    -> std::optional<std::vector<const Allocation*>>;

/// Returns true if the scheduler does not distinguish the two pods of an application.
[[nodiscard]] auto alike_for_quota(const Release& release, const Allocation& a, const Allocation& b) -> bool;

}  // namespace previct::yunikorn
