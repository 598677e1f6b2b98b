#pragma once

#include "engine/kueue/assignment.h"
#include "engine/kueue/inventory.h"

#include <string>
#include <vector>

/// Amounts and the state of quota as text.
namespace previct::kueue {

/// `4 cpu`, `2Gi memory`
[[nodiscard]] auto with_resource(Amount amount, Symbol resource, const Inventory& inventory) -> std::string;
/// `4`, `2Gi`, `unlimited`
[[nodiscard]] auto plain_amount(Amount amount, Symbol resource, const Inventory& inventory) -> std::string;

/// Returns why a flavor is not suitable, with its numbers: `flavor spot lacks 2 cpu (4 of nominal 4 used, cohort team
/// has 1 to lend)`. `tree`: the state at the start; `at_start`: the workload is tried then. At later times the numbers
/// differ and are omitted: `flavor spot then lacks 2 cpu`.
[[nodiscard]] auto no_placement_words(const NoPlacement& why, const Inventory& inventory) -> std::string;
[[nodiscard]] auto why_not_words(const WhyNot& why, QueueId queue, const QuotaTree& tree, const Inventory& inventory,
                                 bool at_start = true) -> std::string;

/// Returns why the topology of a pod set cannot be chosen: `pod set main would use several flavors that have a
/// topology: a100, h100`. Empty: the assignment has no such error.
[[nodiscard]] auto topology_error_words(const Assignment& assignment, const Workload& object,
                                        const Inventory& inventory) -> std::string;

/// `1st`, `2nd`, `11th`
[[nodiscard]] auto ordinal(std::size_t number) -> std::string;

}  // namespace previct::kueue
