#include "engine/kube/devices/inventory.h"

#include <algorithm>

namespace previct::kube::devices {
namespace {

void add(const MapOf<Quantity>& from, MapOf<Quantity>& to) {
  for (const auto& [name, quantity] : from) {
    const auto known =
        std::find_if(to.begin(), to.end(), [&, wanted = name](const auto& e) { return e.first == wanted; });
    if (known == to.end()) {
      to.emplace_back(name, quantity);
    } else {
      known->second += quantity;
    }
  }
}

}  // namespace

Inventory::Inventory(const Snapshot& cluster) {
  for (const ResourceSlice& slice : cluster.objects().resource_slices) {
    const ResourceSliceSpec& spec = slice.spec;
    const bool of_one_node = spec.node_name && spec.shared_counters.empty();
    (of_one_node ? by_node_[spec.node_name] : others_).push_back(&slice);
    by_pool_[{spec.driver, spec.pool.name}].push_back(&slice);
  }
  const auto by_name = [&](const ResourceSlice* a, const ResourceSlice* b) {
    return cluster.text(a->meta.name) < cluster.text(b->meta.name);
  };
  for (auto& [node, slices] : by_node_) std::stable_sort(slices.begin(), slices.end(), by_name);
  std::stable_sort(others_.begin(), others_.end(), by_name);
  for (const ResourceClaim& claim : cluster.objects().resource_claims) {
    if (!claim.status.allocation) continue;
    for (const AllocatedDevice& device : claim.status.allocation->devices.results) {
      if (device.admin_access) continue;
      Held& held = held_[{device.driver, device.pool, device.device}];
      (device.share_id ? held.part : held.whole) = true;
      if (device.share_id) add(device.consumed, held.consumed);
    }
  }
}

auto Inventory::slices_for(Symbol node) const -> Slices {
  const auto own = by_node_.find(node);
  Slices slices = own == by_node_.end() ? Slices() : own->second;
  slices.insert(slices.end(), others_.begin(), others_.end());
  return slices;
}

auto Inventory::slices_of(Symbol driver, Symbol pool) const -> const Slices& {
  const auto found = by_pool_.find({driver, pool});
  return found == by_pool_.end() ? none_ : found->second;
}

auto Inventory::held(const DeviceId& device) const -> const Held* {
  const auto found = held_.find(device);
  return found == held_.end() ? nullptr : &found->second;
}

}  // namespace previct::kube::devices
