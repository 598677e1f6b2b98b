#include "sequence/controller_objects.h"

#include <algorithm>

namespace previct::sequence {

auto has_controlled_pods(const Objects& objects) -> bool {
  return std::any_of(objects.pods.begin(), objects.pods.end(),
                     [](const Pod& pod) { return controller_of(pod.meta) != nullptr; });
}

auto controller_objects_of(const Objects& objects) -> ControllerObjects {
  return {objects.jobs,
          objects.stateful_sets,
          objects.resource_quotas,
          objects.limit_ranges,
          !objects.limit_ranges.empty(),
          objects.replica_sets,
          objects.replication_controllers};
}

}  // namespace previct::sequence
