#pragma once

#include "cluster/snapshot.h"

#include <unordered_set>
#include <vector>

namespace previct::kai {

/// The ConfigMaps that there are, by name: a pod that needs another one is refused on every node.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/k8s_internal/predicates/config_maps.go.
class ConfigMaps {
 public:
  explicit ConfigMaps(const Snapshot& cluster);

  /// Were ConfigMaps asked for when the input was made? Else all are taken to be there.
  [[nodiscard]] auto told() const -> bool { return told_; }
  /// The names of those that the pod needs and that are not there.
  [[nodiscard]] auto missing(const Pod& pod) const -> std::vector<Symbol>;

 private:
  [[nodiscard]] auto is_there(Symbol ns, Symbol name) const -> bool;

  const Snapshot& cluster_;
  bool told_ = true;
  std::unordered_set<std::uint64_t> there_;  // by namespace and name
};

}  // namespace previct::kai
