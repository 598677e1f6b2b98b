#include "engine/kube/filters/volume_binding.h"

namespace previct::kube {

const FilterInfo& volume_binding_filter = FilterInfo{
    .name = "VolumeBinding",
    .make = [](const Incoming& incoming,
               const FilterSettings&) { return std::unique_ptr<Filter>(std::make_unique<VolumeBinding>(incoming)); },
    .looks_at = LooksAt::volumes,
    .events = [](const Release& release) -> EventTable {
      const Actions of_driver = release.has(Change::node_updates_told_apart) ? 0 : action::kAdd;
      return {{Resource::storage_class, action::kAdd | action::kUpdate},
              {Resource::persistent_volume_claim, action::kAdd | action::kUpdate},
              {Resource::persistent_volume, action::kAdd | action::kUpdate},
              {Resource::node, new_nodes_and_labels(release)},
              {Resource::csi_node, action::kAdd | action::kUpdate},
              {Resource::csi_driver, of_driver | action::kUpdate},
              {Resource::csi_storage_capacity, action::kAdd | action::kUpdate}};
    },
    .without_state = Rule::state_missing,
    .kai = true};

}  // namespace previct::kube
