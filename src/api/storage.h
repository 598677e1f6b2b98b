#pragma once

#include "api/pod.h"

#include <vector>

namespace previct {

struct ClaimReference {
  Symbol ns;
  Symbol name;
  Symbol uid;

  template <class Field>
  friend void describe(Field& field, ClaimReference& self) {
    field("namespace", self.ns);
    field("name", self.name);
    field("uid", self.uid);
  }
};

struct CsiSource {
  Symbol driver;
  Symbol volume_handle;

  template <class Field>
  friend void describe(Field& field, CsiSource& self) {
    field("driver", self.driver);
    field("volumeHandle", self.volume_handle);
  }
};

struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;

  template <class Field>
  friend void describe(Field& field, VolumeNodeAffinity& self) {
    field("required", self.required);
  }
};

struct PersistentVolumeSpec {
  ResourceList capacity;
  std::vector<Symbol> access_modes;
  Symbol storage_class_name;
  Symbol volume_mode;  ///< none: Filesystem
  Symbol volume_attributes_class_name;
  std::optional<ClaimReference> claim;
  std::optional<CsiSource> csi;
  VolumeNodeAffinity node_affinity;
  Disk disk;

  template <class Field>
  friend void describe(Field& field, PersistentVolumeSpec& self) {
    field("capacity", self.capacity);
    field("accessModes", self.access_modes);
    field("storageClassName", self.storage_class_name);
    field("volumeMode", self.volume_mode);
    field("volumeAttributesClassName", self.volume_attributes_class_name);
    field("claimRef", self.claim);
    field("csi", self.csi);
    field("nodeAffinity", self.node_affinity);
    describe_disks(field, self.disk);
  }
};

struct PhaseStatus {
  Symbol phase;

  template <class Field>
  friend void describe(Field& field, PhaseStatus& self) {
    field("phase", self.phase);
  }
};

struct PersistentVolume {
  ObjectMeta meta;
  PersistentVolumeSpec spec;
  PhaseStatus status;

  template <class Field>
  friend void describe(Field& field, PersistentVolume& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct PersistentVolumeClaimSpec {
  std::vector<Symbol> access_modes;
  Symbol storage_class_name;
  Symbol volume_name;
  Symbol volume_mode;
  Symbol volume_attributes_class_name;
  std::optional<LabelSelector> selector;
  ResourceRequirements resources;

  template <class Field>
  friend void describe(Field& field, PersistentVolumeClaimSpec& self) {
    field("accessModes", self.access_modes);
    field("storageClassName", self.storage_class_name);
    field("volumeName", self.volume_name);
    field("volumeMode", self.volume_mode);
    field("volumeAttributesClassName", self.volume_attributes_class_name);
    field("selector", self.selector);
    field("resources", self.resources);
  }
};

struct PersistentVolumeClaim {
  ObjectMeta meta;
  PersistentVolumeClaimSpec spec;
  PhaseStatus status;
  bool to_be_made = false;   ///< from an overlay: its controller has not seen it yet
  bool provisioned = false;  ///< in a simulation, it got a new volume of which nothing is known

  template <class Field>
  friend void describe(Field& field, PersistentVolumeClaim& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct TopologyLabelRequirement {
  Symbol key;
  std::vector<Symbol> values;

  template <class Field>
  friend void describe(Field& field, TopologyLabelRequirement& self) {
    field("key", self.key);
    field("values", self.values);
  }
};

struct TopologySelectorTerm {
  std::vector<TopologyLabelRequirement> match_label_expressions;

  template <class Field>
  friend void describe(Field& field, TopologySelectorTerm& self) {
    field("matchLabelExpressions", self.match_label_expressions);
  }
};

struct StorageClass {
  ObjectMeta meta;
  Symbol provisioner;
  Symbol volume_binding_mode;
  std::vector<TopologySelectorTerm> allowed_topologies;

  template <class Field>
  friend void describe(Field& field, StorageClass& self) {
    field("metadata", self.meta);
    field("provisioner", self.provisioner);
    field("volumeBindingMode", self.volume_binding_mode);
    field("allowedTopologies", self.allowed_topologies);
  }
};

struct CsiNodeDriverResources {
  std::optional<std::int32_t> count;

  template <class Field>
  friend void describe(Field& field, CsiNodeDriverResources& self) {
    field("count", self.count);
  }
};

struct CsiNodeDriver {
  Symbol name;
  std::vector<Symbol> topology_keys;  ///< the labels of nodes that decide from where its volumes can be reached
  CsiNodeDriverResources allocatable;

  template <class Field>
  friend void describe(Field& field, CsiNodeDriver& self) {
    field("name", self.name);
    field("topologyKeys", self.topology_keys);
    field("allocatable", self.allocatable);
  }
};

struct CsiNodeSpec {
  std::vector<CsiNodeDriver> drivers;

  template <class Field>
  friend void describe(Field& field, CsiNodeSpec& self) {
    field("drivers", self.drivers);
  }
};

struct CsiNode {
  ObjectMeta meta;
  CsiNodeSpec spec;

  template <class Field>
  friend void describe(Field& field, CsiNode& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct CsiDriverSpec {
  std::optional<bool> attach_required;  ///< false: there are no VolumeAttachments of its volumes
  bool storage_capacity = false;
  bool prevent_if_missing = false;  ///< pods that need the driver are not placed on nodes without it (1.35)

  template <class Field>
  friend void describe(Field& field, CsiDriverSpec& self) {
    field("attachRequired", self.attach_required);
    field("storageCapacity", self.storage_capacity);
    field("preventPodSchedulingIfMissing", self.prevent_if_missing);
  }
};

struct CsiDriver {
  ObjectMeta meta;
  CsiDriverSpec spec;

  template <class Field>
  friend void describe(Field& field, CsiDriver& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct CsiStorageCapacity {
  ObjectMeta meta;
  Symbol storage_class_name;
  std::optional<LabelSelector> node_topology;
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;

  template <class Field>
  friend void describe(Field& field, CsiStorageCapacity& self) {
    field("metadata", self.meta);
    field("storageClassName", self.storage_class_name);
    field("nodeTopology", self.node_topology);
    field("capacity", self.capacity);
    field("maximumVolumeSize", self.maximum_volume_size);
  }
};

struct VolumeAttachmentSource {
  Symbol persistent_volume_name;

  template <class Field>
  friend void describe(Field& field, VolumeAttachmentSource& self) {
    field("persistentVolumeName", self.persistent_volume_name);
  }
};

struct VolumeAttachmentSpec {
  Symbol attacher;
  Symbol node_name;
  VolumeAttachmentSource source;

  template <class Field>
  friend void describe(Field& field, VolumeAttachmentSpec& self) {
    field("attacher", self.attacher);
    field("nodeName", self.node_name);
    field("source", self.source);
  }
};

struct VolumeAttachment {
  ObjectMeta meta;
  VolumeAttachmentSpec spec;

  template <class Field>
  friend void describe(Field& field, VolumeAttachment& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

}  // namespace previct
