#pragma once

#include "api/dynamic_resources.h"
#include "api/resource_slice.h"
#include "cluster/device_taints.h"
#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <vector>

/// Which pods the device taint eviction controller deletes, and when. It runs with the feature gate DRADeviceTaints.
/// Source: kubernetes pkg/controller/devicetainteviction/device_taint_eviction.go claimEvictionTime, v1.36.
namespace previct {

/// Source: kubernetes dynamic-resource-allocation/resourceclaim/devicetoleration.go ToleratesTaint, v1.36.
[[nodiscard]] auto tolerates(const DeviceToleration& toleration, const DeviceTaint& taint, const WellKnown& known)
    -> bool;

/// The deletion of a running pod because a NoExecute taint of a device that is allocated to one of its claims is not
/// tolerated, or no longer.
struct DeviceEviction {
  PodId pod{};
  std::string taint{};  ///< `x:NoExecute of device gpu-0`
  Instant at{};         ///< not before the time in question
  bool since_missing =
      false;  ///< it is tolerated for a time, but not known when it was added: counted from the time in question
};
/// Of one pod; none: its devices have no such taint.
[[nodiscard]] auto device_eviction_of(PodId pod, const Snapshot& cluster, TaintRules rules, Instant now)
    -> std::optional<DeviceEviction>;
/// Those of the input, in the order of pods.
[[nodiscard]] auto device_evictions(const Snapshot& cluster, TaintRules rules, Instant now)
    -> std::vector<DeviceEviction>;

}  // namespace previct
