#pragma once

#include "api/wire.h"
#include "base/instant.h"
#include "base/place.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// A kind of which a capture holds all that its source had, be it none; or all of one namespace.
struct CapturedKind {
  std::string kind;              ///< `Pod`, `policy/PodDisruptionBudget`
  std::int64_t count = 0;        ///< objects of it in the capture
  std::string resource_version;  ///< of the list of a cluster; empty: it was no such list
  std::string ns;                ///< the only one whose objects a cluster let the user list; empty: all

  template <class Field>
  friend void describe(Field& field, CapturedKind& self) {
    field("kind", self.kind);
    field("count", self.count);
    field("resourceVersion", self.resource_version);
    field("namespace", self.ns);
  }
};

/// A kind that the cluster did not give.
struct RefusedKind {
  std::string resource;  ///< `poddisruptionbudgets.policy`
  std::string why;       ///< kubectl's words, raw

  template <class Field>
  friend void describe(Field& field, RefusedKind& self) {
    field("resource", self.resource);
    field("why", self.why);
  }
};

/// What the first line of a capture says of the rest (`previct capture`, `previct anonymize`).
struct Capture {
  std::string tool;              ///< `previct 1.2.3`
  std::string of;                ///< `cluster` or `files`
  std::optional<Instant> taken;  ///< of a cluster: when; of files: their newest time. Questions are about then.
  bool anonymized = false;       ///< names stand for others
  bool inputs_skipped = false;   ///< as Stores::inputs_skipped
  bool nodes_apart = false;      ///< see listed_with_nodes()
  std::vector<CapturedKind> kinds;
  std::vector<CapturedKind> of_plugins;  ///< a PluginKind in one namespace: its objects were there and are not kept
  std::vector<RefusedKind> refused;
  Place source;

  template <class Field>
  friend void describe(Field& field, Capture& self) {
    field("tool", self.tool);
    field("of", self.of);
    field("taken", self.taken);
    field("anonymized", self.anonymized);
    field("inputsSkipped", self.inputs_skipped);
    field("nodesApart", self.nodes_apart);
    field("kinds", self.kinds);
    field("ofPlugins", self.of_plugins);
    field("refused", self.refused);
  }
};

}  // namespace previct
