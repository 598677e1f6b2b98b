#pragma once

#include "engine/yunikorn/config.h"

#include <string>
#include <vector>

namespace previct::yunikorn {

/// A property of a queue whose value the scheduler cannot read: it says so at debug level only and takes another.
struct OddProperty {
  Place place;
  std::string words;  ///< with what counts instead
};

/// Those of a partition, in the order of the file.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go UpdateQueueProperties; pkg/scheduler/policies.
[[nodiscard]] auto odd_properties(const PartitionConfig& partition) -> std::vector<OddProperty>;

}  // namespace previct::yunikorn
