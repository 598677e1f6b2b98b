#pragma once

#include "api/objects.h"

#include <string>
#include <vector>

namespace previct {

/// Changes a copy of a controller's pod where the template of the controller differs from it, and returns the names of
/// these fields. The pod may come from an earlier template, or may have been resized. What admission adds to pods is no
/// difference: sidecars, tolerations, and the priority class that was the default.
///
/// Compared are requests, the priority class, what selects nodes, and, unless the template is `fixed`, spread
/// constraints and times. A fixed template is that of a Deployment's ReplicaSet: where these differ, admission has set
/// them, also in new pods. `change` is false: the pod stays as it is.
[[nodiscard]] auto follow_template(const PodSpec& pods, bool change, bool fixed, Pod& pod, Objects& objects)
    -> std::vector<std::string>;

}  // namespace previct
