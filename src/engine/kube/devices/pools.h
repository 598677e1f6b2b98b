#pragma once

#include "engine/kube/devices/inventory.h"
#include "engine/kube/devices/rules.h"

#include <optional>

namespace previct::kube::devices {

/// The devices of one driver that belong together, as far as a node reaches them.
struct Pool {
  Symbol driver;
  Symbol name;
  bool incomplete = false;  ///< the driver is about to change it
  bool invalid = false;
  Symbol twice{};                 ///< the name of two devices, if that makes it invalid
  Inventory::Slices slices{};     ///< with devices for the node
  Inventory::Slices elsewhere{};  ///< of the pool, for other nodes
  std::vector<const CounterSet*> counters{};
};

/// Of a node, in the order in which they are looked at; none if a node selector cannot be read.
/// Source: dynamic-resource-allocation: structured/internal/incubating/pools_incubating.go GatherPools, v0.34 to v0.36.
[[nodiscard]] auto pools_of(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node)
    -> std::optional<std::vector<Pool>>;

/// Is a device, or a slice, for this node? None if the selector cannot be read.
template <class Target>
[[nodiscard]] auto reaches(const Snapshot& cluster, const Target& target, const Node& node) -> std::optional<bool>;

}  // namespace previct::kube::devices
