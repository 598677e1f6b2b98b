#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace previct::kube::devices {

/// A device by its driver, pool and name.
struct DeviceId {
  Symbol driver;
  Symbol pool;
  Symbol name;

  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

/// What claims hold of one device.
struct Held {
  bool whole = false;
  bool part = false;         ///< by a share ID
  MapOf<Quantity> consumed;  ///< of its capacities, by all parts together
};

/// All devices of the cluster, and which of them claims hold: made once, of the snapshot alone.
/// Source: plugins/dynamicresources/allocateddevices.go foreachAllocatedDevice, v1.36.
class Inventory {
 public:
  using Slices = std::vector<const ResourceSlice*>;

  explicit Inventory(const Snapshot& cluster);

  /// Slices that name this node, and those that any node may match; by name.
  [[nodiscard]] auto slices_for(Symbol node) const -> Slices;
  /// All slices of a pool, of whatever generation.
  [[nodiscard]] auto slices_of(Symbol driver, Symbol pool) const -> const Slices&;
  /// Null if no claim holds anything of it.
  [[nodiscard]] auto held(const DeviceId& device) const -> const Held*;

 private:
  std::map<Symbol, Slices> by_node_;
  Slices others_;
  std::map<std::pair<Symbol, Symbol>, Slices> by_pool_;
  std::map<DeviceId, Held> held_;
  Slices none_;
};

}  // namespace previct::kube::devices
