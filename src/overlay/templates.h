#pragma once

#include "api/objects.h"

#include <optional>

namespace previct {

/// Where the template of a workload's pods stands on the tape; none if the object is no workload, or has none.
[[nodiscard]] auto template_of(const FoundObject& found) -> std::optional<std::uint32_t>;

/// Adds the pod that a workload would make next (Deployment, StatefulSet, ReplicaSet, ReplicationController, Job,
/// CronJob): its template, named and owned as its controller does. A DaemonSet makes one pod for every node that its
/// pods may run on and that has none of them yet.
///
/// False if the object is no workload.
[[nodiscard]] auto add_pods_of_template(const FoundObject& found, FileId file, Objects& objects) -> Result<bool>;

}  // namespace previct
