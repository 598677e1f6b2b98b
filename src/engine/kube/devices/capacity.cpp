#include "engine/kube/devices/capacity.h"

#include <algorithm>

namespace previct::kube::devices {
namespace {

constexpr __int128 kNano = 1'000'000'000;
constexpr __int128 kMicro = 1'000'000;

// Source: consumable_capacity.go safeMilliValue, useMilli.
auto in_thousandths(const CapacityRange& range) -> bool {
  const auto fits = [](const std::optional<Quantity>& amount) {
    if (!amount) return true;
    const __int128 milli = amount->nanos() / kMicro;
    return amount->nanos() % kMicro == 0 && milli <= INT64_MAX && milli >= INT64_MIN;
  };
  return fits(range.min) && fits(range.max) && fits(range.step) && (!range.step || range.step->nanos() >= kMicro);
}

// Rounds up to an integer, unless the amounts of the range are counted in thousandths.
class CapacityScale {
 public:
  CapacityScale(const CapacityRange& range, bool fractions) : exact_(fractions && in_thousandths(range)) {}
  [[nodiscard]] auto nanos(Quantity amount) const -> __int128 {
    return exact_ ? amount.nanos() : __int128{amount.value()} * kNano;
  }

 private:
  bool exact_;
};

auto rounded_up(Quantity asked, const CapacityRange& range, bool fractions) -> Quantity {
  if (asked < *range.min) return *range.min;
  const CapacityScale scale(range, fractions);
  const __int128 step = range.step ? scale.nanos(*range.step) : 0;
  if (step <= 0) return asked;
  const __int128 least = scale.nanos(*range.min);
  const __int128 above = scale.nanos(asked) - least;
  return Quantity::of_nanos(least + (above / step + (above % step != 0 ? 1 : 0)) * step);
}

}  // namespace

auto taken_of(const DeviceCapacity& capacity, const Quantity* asked, bool fractions) -> Quantity {
  const std::optional<CapacityPolicy>& policy = capacity.policy;
  if (asked == nullptr) return policy && policy->default_amount ? *policy->default_amount : capacity.value;
  if (!policy) return *asked;
  if (policy->valid_range && policy->valid_range->min) return rounded_up(*asked, *policy->valid_range, fractions);
  const auto& values = policy->valid_values;
  const auto enough = std::find_if(values.begin(), values.end(), [&](Quantity value) { return *asked <= value; });
  return enough == values.end() ? *asked : *enough;
}

auto allowed(const DeviceCapacity& capacity, Quantity taken, bool fractions) -> bool {
  if (!capacity.policy) return true;
  const CapacityPolicy& policy = *capacity.policy;
  if (policy.default_amount && taken == *policy.default_amount) return true;
  if (policy.valid_range) {
    const CapacityRange& range = *policy.valid_range;
    if (range.max && taken > *range.max) return false;
    const CapacityScale scale(range, fractions);
    const __int128 step = range.step ? scale.nanos(*range.step) : 0;
    return step <= 0 || (scale.nanos(taken) - (range.min ? scale.nanos(*range.min) : 0)) % step == 0;
  }
  return policy.valid_values.empty() ||
         std::find(policy.valid_values.begin(), policy.valid_values.end(), taken) != policy.valid_values.end();
}

auto taken_of(const DeviceFacts& device, const std::optional<CapacityRequirements>& asked, bool fractions)
    -> MapOf<Quantity> {
  MapOf<Quantity> taken;
  for (const auto& [name, capacity] : device.capacity)
    taken.emplace_back(name, taken_of(capacity, asked ? asked->requests.find(name) : nullptr, fractions));
  return taken;
}

}  // namespace previct::kube::devices
