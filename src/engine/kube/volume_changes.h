#pragma once

#include "cluster/changed_cluster.h"
#include "engine/kube/profile.h"
#include "engine/verdict.h"

#include <memory>
#include <vector>

namespace previct::kube {

/// Claims and volumes before and after a change; null: the object was created, or deleted.
struct VolumeChanges {
  template <class Object>
  struct Change {
    std::shared_ptr<const Object> before{};
    std::shared_ptr<const Object> after{};
  };

  std::vector<Change<PersistentVolumeClaim>> claims{};
  std::vector<Change<PersistentVolume>> volumes{};

  [[nodiscard]] auto empty() const -> bool { return claims.empty() && volumes.empty(); }
};

/// Returns what the scheduler notes when it places the pod on the node, for claims that wait for their first consumer:
/// a volume that exists is promised to its claim, and a claim whose volume is to be provisioned gets the node.
/// Source: plugins/volumebinding Reserve; binder.go AssumePodVolumes, v1.35.
[[nodiscard]] auto volumes_of_placed(NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod, NodeId node)
    -> VolumeChanges;

/// The same for the pod of a verdict; none if the verdict is of another engine.
[[nodiscard]] auto volumes_of_placed(const Verdict& verdict, NodeId node) -> VolumeChanges;

/// Returns what follows from that before the pod is bound: claims are bound, and missing volumes provisioned. A new
/// volume is one of the CSI driver, and can be reached from the nodes whose labels with the driver's topologyKeys are
/// those of `node`; if that node has no such driver, nothing is known of the volume
/// (PersistentVolumeClaim::provisioned). A claim that was bound in the meantime does not change.
/// Source: pkg/controller/volume/persistentvolume/pv_controller.go bind, v1.35; kubernetes-csi/external-provisioner:
/// pkg/controller/topology.go GenerateAccessibilityRequirements, GenerateVolumeNodeAffinity, v5.
[[nodiscard]] auto volumes_of_bound(const Snapshot& cluster, const VolumeChanges& placed, NodeId node) -> VolumeChanges;

/// Returns the changes that undo these; claims that were bound in the meantime stay bound.
/// Source: binder.go RevertAssumedPodVolumes.
[[nodiscard]] auto reverted(const Snapshot& cluster, const VolumeChanges& placed) -> VolumeChanges;

/// Makes these changes. Snapshots made before do not show them, see Snapshot::volumes_changed().
void apply(const VolumeChanges& changes, ChangedCluster& changed);

}  // namespace previct::kube
