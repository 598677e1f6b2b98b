#pragma once

#include "api/dynamic_resources.h"
#include "api/resource_slice.h"

namespace previct::kube::devices {

/// How much of a capacity a request takes that asks for `asked` (none: it does not say).
/// Source: dynamic-resource-allocation: structured/internal/incubating/consumable_capacity.go
/// calculateConsumedCapacity, v0.36.
[[nodiscard]] auto taken_of(const DeviceCapacity& capacity, const Quantity* asked) -> Quantity;

/// May a request take that much?
[[nodiscard]] auto allowed(const DeviceCapacity& capacity, Quantity taken) -> bool;

/// What a request takes of each capacity of a device.
[[nodiscard]] auto taken_of(const DeviceFacts& device, const std::optional<CapacityRequirements>& asked)
    -> MapOf<Quantity>;

}  // namespace previct::kube::devices
