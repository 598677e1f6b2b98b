#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/rules.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct::kube {

/// A volume of an in-tree plugin, as it reads where that plugin is migrated to its CSI driver.
struct MigratedVolume {
  std::string_view plugin;               ///< `kubernetes.io/gce-pd`; empty: the volume is of no such plugin
  std::optional<NodeSelector> affinity;  ///< by the driver's own topology
  std::optional<Reason> fault;           ///< why it cannot be read so, which is an error of the filter
};
/// Source: csi-translation-lib: plugins/in_tree_volume.go translateTopologyFromInTreeToCSI, and TranslateInTreePVToCSI
/// of plugins/{gce_pd,aws_ebs,azure_disk,openstack_cinder,portworx}.go; v0.35.
[[nodiscard]] auto migrated(const Snapshot& cluster, const PersistentVolume& volume) -> MigratedVolume;

/// Does the node's CSINode name the plugin as migrated? Source: plugins/volumebinding isPluginMigratedToCSIOnNode.
[[nodiscard]] auto is_migrated_on(const Snapshot& cluster, Symbol node, std::string_view plugin) -> bool;

/// Why these zones (`a__b`) are not those of one region, in the words of the GCE plugin.
[[nodiscard]] auto region_fault(std::string_view zones) -> std::string;

}  // namespace previct::kube
