#pragma once

#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/kube/release.h"
#include "engine/own_flags.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// What an input shows about the release of its kube-scheduler; created once for a cluster.
struct ObservedRelease {
  explicit ObservedRelease(const Snapshot& cluster);

  std::optional<int> minor;  ///< none: nothing shows it
  std::optional<int> patch;  ///< the lowest patch release that is seen; none: nothing shows it
  std::string known_by;      ///< the evidence, in words: `nodes run v1.33.4`
  std::optional<Gap> doubt;  ///< evidence against it: pods of other releases run, too
  int oldest = 0;            ///< with doubt
  int newest = 0;
  bool by_nodes = false;   ///< only kubelets show it, so it may be another release
  int oldest_kubelet = 0;  ///< with by_nodes
  int newest_kubelet = 0;
  std::string gates;        ///< from the scheduler's --feature-gates
  bool scheduler = false;   ///< the pod of the scheduler is in the input
  bool configured = false;  ///< the scheduler reads a configuration file
  OwnFlags flags;           ///< of the scheduler; of the last one if there are several

  /// A field that the API server drops while a gate is off.
  struct Gated {
    Change change;
    std::string_view gate;
    std::string_view field;
    int since = 0;  ///< first release whose API has the field; 0: all that have the gate
  };
  std::vector<Gated> gated_fields;  ///< the fields that the input contains
};

}  // namespace previct::kube
