#pragma once

#include "api/meta.h"

#include <string_view>

namespace previct {

/// A kind that no scheduler of itself reads, but a plugin that may be built into kube-scheduler does. Of its objects no
/// more is kept than that they are there.
struct PluginKind {
  std::string_view kind;       ///< with its group: `scheduling.x-k8s.io/ElasticQuota`
  std::string_view plugin;     ///< as configurations name it
  std::string_view label;      ///< it decides about pods with this label alone; empty: about any
  bool refuses_nodes = false;  ///< it does no more than to refuse nodes
};
/// Null if it is none.
/// Source: kubernetes-sigs/scheduler-plugins: pkg/capacityscheduling, coscheduling, noderesourcetopology,
/// networkaware; koordinator-sh/koordinator: pkg/scheduler/plugins/elasticquota, coscheduling.
[[nodiscard]] auto find_plugin_kind(std::string_view kind) -> const PluginKind*;

/// What is kept of an object of such a kind.
struct PluginObject {
  ObjectMeta meta;

  template <class Field>
  friend void describe(Field& field, PluginObject& self) {
    field("metadata", self.meta);
  }
};

}  // namespace previct
