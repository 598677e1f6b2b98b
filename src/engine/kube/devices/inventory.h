#pragma once

#include "cluster/device_id.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace previct::kube::devices {

/// The part of one device that is allocated to claims.
struct Held {
  bool whole = false;
  bool part = false;         ///< allocated in part, by a share ID
  MapOf<Quantity> consumed;  ///< used amounts of its capacities, summed over all parts
};

/// All devices of the cluster and their allocations, computed once from the snapshot.
/// Source: plugins/dynamicresources/allocateddevices.go foreachAllocatedDevice, v1.36.
class Inventory {
 public:
  using Slices = std::vector<const ResourceSlice*>;

  explicit Inventory(const Snapshot& cluster);

  /// Returns the slices that name this node, then those that any node may match; each by name.
  [[nodiscard]] auto slices_for(Symbol node) const -> Slices;
  /// Returns all slices of a pool, of every generation.
  [[nodiscard]] auto slices_of(Symbol driver, Symbol pool) const -> const Slices&;
  /// Returns null if no part of the device is allocated.
  [[nodiscard]] auto held(const DeviceId& device) const -> const Held*;

 private:
  std::map<Symbol, Slices> by_node_;
  Slices others_;
  std::map<std::pair<Symbol, Symbol>, Slices> by_pool_;
  std::map<DeviceId, Held> held_;
  Slices none_;
};

}  // namespace previct::kube::devices
