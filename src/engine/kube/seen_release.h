#pragma once

#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/kube/release.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// What an input shows of the release of its kube-scheduler; made once for a cluster.
struct SeenRelease {
  explicit SeenRelease(const Snapshot& cluster);

  std::optional<int> minor;  ///< none: nothing tells
  std::string known_by;      ///< in words: `nodes run v1.33.4`
  std::optional<Gap> doubt;  ///< what speaks against it
  bool by_nodes = false;     ///< only kubelets tell, so that it may be another
  int oldest_kubelet = 0;    ///< with by_nodes
  int newest_kubelet = 0;
  std::string gates;        ///< of its own --feature-gates
  bool configured = false;  ///< it reads a configuration file

  /// A field that the API server drops while a gate is off.
  struct Gated {
    Change change;
    std::string_view gate;
    std::string_view field;
    int since = 0;  ///< the first release whose API has the field; 0: all that have the gate
  };
  std::vector<Gated> gated_fields;  ///< those that the input has
};

}  // namespace previct::kube
