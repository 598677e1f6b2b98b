#pragma once

#include "api/pod.h"

#include <vector>

namespace previct {

struct Taint {
  Symbol key;
  Symbol value;
  Symbol effect;
  std::optional<Instant> time_added{};  ///< of NoExecute taints that the node lifecycle controller added

  template <class Field>
  friend void describe(Field& field, Taint& self) {
    field("key", self.key);
    field("value", self.value);
    field("effect", self.effect);
    field("timeAdded", self.time_added);
  }
};

struct NodeSpec {
  std::vector<Taint> taints;
  bool unschedulable = false;

  template <class Field>
  friend void describe(Field& field, NodeSpec& self) {
    field("taints", self.taints);
    field("unschedulable", self.unschedulable);
  }
};

struct NodeCondition {
  Symbol type;
  Symbol status;
  std::optional<Instant> last_heartbeat;
  std::optional<Instant> last_transition;

  template <class Field>
  friend void describe(Field& field, NodeCondition& self) {
    field("type", self.type);
    field("status", self.status);
    field("lastHeartbeatTime", self.last_heartbeat);
    field("lastTransitionTime", self.last_transition);
  }
};

/// Reduces a boot id to the fact that there is one: a kubelet reports it, and manifests of nodes omit it.
[[nodiscard]] auto some_boot_id(std::string_view id) -> std::string_view;

struct NodeSystemInfo {
  Symbol kubelet_version;  ///< `v1.33.4-gke.1043000`
  Symbol boot_id;          ///< see some_boot_id()

  template <class Field>
  friend void describe(Field& field, NodeSystemInfo& self) {
    field("kubeletVersion", self.kubelet_version);
    field("bootID", reduced(self.boot_id, some_boot_id));
  }
};

/// An image on a node: its names there, with tags and digests.
struct NodeImage {
  SharedList<Symbol> names;
  std::int64_t size_bytes = 0;

  template <class Field>
  friend void describe(Field& field, NodeImage& self) {
    field("names", self.names);
    field("sizeBytes", self.size_bytes);
  }
};

struct NodeStatus {
  ResourceList allocatable;
  ResourceList capacity;
  std::vector<NodeCondition> conditions;
  NodeSystemInfo info;
  SharedList<NodeImage> images;          ///< a kubelet reports the 50 largest
  SharedList<Symbol> declared_features;  ///< features that the kubelet offers to pods that need them (1.35)

  /// Returns true if containers have run on the node, as opposed to a node that was made up.
  [[nodiscard]] auto has_been_used() const -> bool { return info.boot_id && !images.empty(); }

  template <class Field>
  friend void describe(Field& field, NodeStatus& self) {
    field("allocatable", self.allocatable);
    field("capacity", self.capacity);
    field("conditions", self.conditions);
    field("nodeInfo", self.info);
    field("images", self.images);
    field("declaredFeatures", self.declared_features);
  }
};

struct Node {
  ObjectMeta meta;
  NodeSpec spec;
  NodeStatus status;

  template <class Field>
  friend void describe(Field& field, Node& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

/// Applies the API server's default for a node: without `status.allocatable`, its whole capacity is allocatable.
/// Source: kubernetes/kubernetes: pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus; v1.35.
void default_node(Node& node);

struct Namespace {
  ObjectMeta meta;

  template <class Field>
  friend void describe(Field& field, Namespace& self) {
    field("metadata", self.meta);
  }
};

}  // namespace previct
