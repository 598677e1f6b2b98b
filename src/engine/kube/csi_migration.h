#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/rules.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct::kube {

/// A volume of an in-tree plugin, translated to the CSI driver that the plugin is migrated to.
struct MigratedVolume {
  std::string_view plugin;               ///< `kubernetes.io/gce-pd`; empty: not a volume of such a plugin
  std::optional<NodeSelector> affinity;  ///< with the driver's own topology keys
  std::optional<Reason> fault;           ///< why the translation fails, which is an error of the filter
};
/// Source: csi-translation-lib: plugins/in_tree_volume.go translateTopologyFromInTreeToCSI, and TranslateInTreePVToCSI
/// of plugins/{gce_pd,aws_ebs,azure_disk,openstack_cinder,portworx}.go; v0.35.
[[nodiscard]] auto migrated(const Snapshot& cluster, const PersistentVolume& volume) -> MigratedVolume;

/// Returns true if the node's CSINode lists the plugin as migrated.
/// Source: plugins/volumebinding isPluginMigratedToCSIOnNode.
[[nodiscard]] auto is_migrated_on(const Snapshot& cluster, Symbol node, std::string_view plugin) -> bool;

/// Returns why these zones (`a__b`) are not in one region, in the words of the GCE plugin; empty if they are.
[[nodiscard]] auto region_fault(std::string_view zones) -> std::string;

}  // namespace previct::kube
