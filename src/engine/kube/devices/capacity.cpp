#include "engine/kube/devices/capacity.h"

#include <algorithm>

namespace previct::kube::devices {
namespace {

auto rounded_up(Quantity asked, const CapacityRange& range) -> Quantity {
  if (asked < *range.min) return *range.min;
  if (!range.step || range.step->value() <= 0) return asked;
  const std::int64_t above = asked.value() - range.min->value();
  const std::int64_t step = range.step->value();
  return Quantity::of(range.min->value() + (above / step + (above % step != 0 ? 1 : 0)) * step);
}

}  // namespace

auto taken_of(const DeviceCapacity& capacity, const Quantity* asked) -> Quantity {
  const std::optional<CapacityPolicy>& policy = capacity.policy;
  if (asked == nullptr) return policy && policy->default_amount ? *policy->default_amount : capacity.value;
  if (!policy) return *asked;
  if (policy->valid_range && policy->valid_range->min) return rounded_up(*asked, *policy->valid_range);
  const auto& values = policy->valid_values;
  const auto enough = std::find_if(values.begin(), values.end(), [&](Quantity value) { return *asked <= value; });
  return enough == values.end() ? *asked : *enough;
}

auto allowed(const DeviceCapacity& capacity, Quantity taken) -> bool {
  if (!capacity.policy) return true;
  const CapacityPolicy& policy = *capacity.policy;
  if (policy.default_amount && taken == *policy.default_amount) return true;
  if (policy.valid_range) {
    const CapacityRange& range = *policy.valid_range;
    if (range.max && taken > *range.max) return false;
    if (!range.step || range.step->value() <= 0) return true;
    return (taken.value() - (range.min ? range.min->value() : 0)) % range.step->value() == 0;
  }
  return policy.valid_values.empty() ||
         std::find(policy.valid_values.begin(), policy.valid_values.end(), taken) != policy.valid_values.end();
}

auto taken_of(const DeviceFacts& device, const std::optional<CapacityRequirements>& asked) -> MapOf<Quantity> {
  MapOf<Quantity> taken;
  for (const auto& [name, capacity] : device.capacity)
    taken.emplace_back(name, taken_of(capacity, asked ? asked->requests.find(name) : nullptr));
  return taken;
}

}  // namespace previct::kube::devices
