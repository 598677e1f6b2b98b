#pragma once

#include "cluster/snapshot.h"

#include <unordered_set>
#include <vector>

namespace previct::kai {

/// The ConfigMaps that there are, by name: a pod that needs another one is refused on every node.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/k8s_internal/predicates/config_maps.go.
class ConfigMaps {
 public:
  /// `all_exist`: take every one to be there.
  ConfigMaps(const Snapshot& cluster, bool all_exist);

  /// False: all are taken to be there, as nobody looked for them when the input was made.
  [[nodiscard]] auto told() const -> bool { return told_; }
  /// The names of those without which the pod cannot start, but for the one that is in every namespace.
  [[nodiscard]] auto needed(const Pod& pod) const -> std::vector<Symbol>;
  /// Those of them that are not there.
  [[nodiscard]] auto missing(const Pod& pod) const -> std::vector<Symbol>;

 private:
  const Snapshot& cluster_;
  bool told_ = true;
  std::unordered_set<std::uint64_t> there_;  // by namespace and name
};

}  // namespace previct::kai
