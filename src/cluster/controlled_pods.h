#pragma once

#include "cluster/snapshot.h"

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace previct {

/// The pods that one controller made, or one pod that has no controller.
struct PodOwner {
  std::string ns;
  std::string kind;  ///< of the controller: `Deployment` (known by the template's hash), `StatefulSet`, `Job` …; `Pod`
  std::string name;

  friend auto operator<(const PodOwner& a, const PodOwner& b) -> bool {
    return std::tie(a.ns, a.kind, a.name) < std::tie(b.ns, b.kind, b.name);
  }
  friend auto operator==(const PodOwner&, const PodOwner&) -> bool = default;
};
[[nodiscard]] auto owner_of_pod(const Snapshot& cluster, const Pod& pod) -> PodOwner;

/// `Deployment ml/web`, `Pod ml/eval`
[[nodiscard]] auto owner_words(const PodOwner& owner) -> std::string;

/// Its pods that are on nodes and not being deleted.
[[nodiscard]] auto running_pods(const Snapshot& cluster, const PodOwner& owner) -> std::size_t;

/// What a sentence calls several pods: `ml/eval` of one, `2 of 5 pods of Deployment ml/web`, or `4 pods`.
[[nodiscard]] auto pods_words(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string;

}  // namespace previct
