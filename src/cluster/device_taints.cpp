#include "cluster/device_taints.h"

namespace previct {

auto selects(const DeviceTaintRule& rule, TaintRules use, const DeviceId& device) -> bool {
  if (use == TaintRules::ignored) return false;
  const auto& selector = rule.spec.selector;
  if (!selector) return use == TaintRules::all;
  return (!selector->driver || selector->driver == device.driver) &&
         (!selector->pool || selector->pool == device.pool) && (!selector->device || selector->device == device.name);
}

auto selects_by_expression(const DeviceTaintRule& rule) -> bool {
  return rule.spec.selector && (rule.spec.selector->device_class_name || !rule.spec.selector->selectors.empty());
}

}  // namespace previct
