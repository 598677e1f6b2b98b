#pragma once

#include "api/dynamic_resources.h"
#include "api/resource_slice.h"

namespace previct::kube::devices {

/// Returns how much of a capacity a request uses that asks for `asked` (null: no amount given).
/// Source: dynamic-resource-allocation: structured/internal/incubating/consumable_capacity.go
/// calculateConsumedCapacity, v0.36, v0.37.
/// `fractions`: steps may have three decimal places; otherwise all amounts are rounded up to integers.
[[nodiscard]] auto taken_of(const DeviceCapacity& capacity, const Quantity* asked, bool fractions) -> Quantity;

/// Returns true if the capacity's policy allows a request to use this amount.
[[nodiscard]] auto allowed(const DeviceCapacity& capacity, Quantity taken, bool fractions) -> bool;

/// Returns what a request uses of each capacity of a device.
[[nodiscard]] auto taken_of(const DeviceFacts& device, const std::optional<CapacityRequirements>& asked, bool fractions)
    -> MapOf<Quantity>;

}  // namespace previct::kube::devices
