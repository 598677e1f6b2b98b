#pragma once

#include "api/wire.h"
#include "base/instant.h"
#include "base/place.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// A kind for which a capture holds all objects of its source (possibly none), or all objects of one namespace.
struct CapturedKind {
  std::string kind;              ///< `Pod`, `policy/PodDisruptionBudget`
  std::int64_t count = 0;        ///< number of its objects in the capture
  std::string resource_version;  ///< of the list in a cluster; empty: not from such a list
  std::string ns;                ///< the only namespace that the user was permitted to list; empty: all

  template <class Field>
  friend void describe(Field& field, CapturedKind& self) {
    field("kind", self.kind);
    field("count", self.count);
    field("resourceVersion", self.resource_version);
    field("namespace", self.ns);
  }
};

/// A kind that the cluster refused to list.
struct RefusedKind {
  std::string resource;  ///< `poddisruptionbudgets.policy`
  std::string why;       ///< kubectl's message, raw

  template <class Field>
  friend void describe(Field& field, RefusedKind& self) {
    field("resource", self.resource);
    field("why", self.why);
  }
};

/// The first line of a capture, which describes the rest (`previct capture`, `previct anonymize`).
struct Capture {
  std::string tool;              ///< `previct 1.2.3`
  std::string of;                ///< `cluster` or `files`
  std::optional<Instant> taken;  ///< of a cluster: when it was captured; of files: their newest time. Questions refer
                                 ///< to this time.
  bool anonymized = false;       ///< names are replaced
  bool inputs_skipped = false;   ///< as Stores::inputs_skipped
  bool nodes_read_separately = false;  ///< see listed_with_nodes()
  std::vector<CapturedKind> kinds;
  std::vector<CapturedKind> of_plugins;  ///< a PluginKind in one namespace: its objects existed but are not stored
  std::vector<RefusedKind> refused;
  Place source;

  template <class Field>
  friend void describe(Field& field, Capture& self) {
    field("tool", self.tool);
    field("of", self.of);
    field("taken", self.taken);
    field("anonymized", self.anonymized);
    field("inputsSkipped", self.inputs_skipped);
    field("nodesApart", self.nodes_read_separately);
    field("kinds", self.kinds);
    field("ofPlugins", self.of_plugins);
    field("refused", self.refused);
  }
};

}  // namespace previct
