#pragma once

#include "engine/kube/devices/inventory.h"
#include "engine/kube/devices/rules.h"

#include <optional>

namespace previct::kube::devices {

/// The devices of one driver that belong together, as far as a node can reach them.
struct Pool {
  Symbol driver;
  Symbol name;
  bool incomplete = false;  ///< the driver is about to change it
  bool open = false;        ///< its slices disagree about their number, and that decides whether it is incomplete
  bool invalid = false;
  Symbol twice{};                 ///< name of two devices, if that is why it is invalid
  Inventory::Slices slices{};     ///< slices with devices for the node
  Inventory::Slices elsewhere{};  ///< slices of the pool for other nodes
  std::vector<const CounterSet*> counters{};
};

/// Returns the pools of a node in the order in which they are tried; nothing if a node selector is invalid.
/// Source: dynamic-resource-allocation: structured/internal/incubating/pools_incubating.go GatherPools, v0.34 to v0.36.
[[nodiscard]] auto pools_of(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node)
    -> std::optional<std::vector<Pool>>;

/// Returns true if a device or a slice is for this node; nothing if its selector is invalid.
template <class Target>
[[nodiscard]] auto reaches(const Snapshot& cluster, const Target& target, const Node& node) -> std::optional<bool>;

}  // namespace previct::kube::devices
