#pragma once

#include "api/device_taint_rule.h"
#include "cluster/device_id.h"

#include <cstdint>
#include <vector>

/// The taints of devices.
namespace previct {

/// How a release reads DeviceTaintRules.
enum class TaintRules : std::uint8_t {
  ignored,
  with_selector,  ///< rules without a selector select no device
  all             ///< rules without a selector select every device
};

/// Returns true if the rule selects the device by driver, pool and name. A device class and expressions are not read:
/// see selects_by_expression(). Source: kubernetes dynamic-resource-allocation/resourceslice/tracker/tracker.go
/// applyPatches; v1.34 and v1.37.
[[nodiscard]] auto selects(const DeviceTaintRule& rule, TaintRules use, const DeviceId& device) -> bool;

/// Returns true if a DeviceClass or an expression of the rule limits which devices it selects, in releases that read
/// these.
[[nodiscard]] auto selects_by_expression(const DeviceTaintRule& rule) -> bool;

/// Calls `look` with each taint of a device: those of its slice (null: no slice offers it), then those of rules.
template <class Look>
void for_each_taint(const Device* offered, const DeviceId& device, const std::vector<DeviceTaintRule>& rules,
                    TaintRules use, Look&& look) {
  if (offered != nullptr) {
    for (const DeviceTaint& taint : offered->facts().taints) look(taint);
  }
  for (const DeviceTaintRule& rule : rules) {
    if (selects(rule, use, device)) look(rule.spec.taint);
  }
}

}  // namespace previct
