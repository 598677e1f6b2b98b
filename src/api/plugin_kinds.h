#pragma once

#include "api/meta.h"

#include <string_view>

namespace previct {

/// A kind that no scheduler reads by default, but a plugin that may be built into kube-scheduler does. Only the
/// existence of its objects is kept.
struct PluginKind {
  std::string_view kind;       ///< with its group: `scheduling.x-k8s.io/ElasticQuota`
  std::string_view plugin;     ///< its name in configurations
  std::string_view label{};    ///< the plugin affects only pods with this label; empty: all pods
  bool refuses_nodes = false;  ///< the plugin only rejects nodes
};
/// Null if the kind is not a PluginKind. The rows are in src/engine/<name>/scheduler.def.
[[nodiscard]] auto find_plugin_kind(std::string_view kind) -> const PluginKind*;

/// The part of an object of such a kind that is kept.
struct PluginObject {
  ObjectMeta meta;

  template <class Field>
  friend void describe(Field& field, PluginObject& self) {
    field("metadata", self.meta);
  }
};

}  // namespace previct
