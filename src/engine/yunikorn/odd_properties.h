#pragma once

#include "engine/yunikorn/config.h"

#include <string>
#include <vector>

namespace previct::yunikorn {

/// A property of a queue whose value the scheduler cannot read: it only logs it at debug level and uses another value.
struct OddProperty {
  Place place;
  std::string words;  ///< including the value that applies instead
};

/// Returns the unreadable properties of a partition, in file order.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go UpdateQueueProperties; pkg/scheduler/policies.
[[nodiscard]] auto odd_properties(const PartitionConfig& partition) -> std::vector<OddProperty>;

}  // namespace previct::yunikorn
