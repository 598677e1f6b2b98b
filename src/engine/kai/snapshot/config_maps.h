#pragma once

#include "cluster/snapshot.h"
#include "engine/kai/snapshot/release.h"

#include <unordered_set>
#include <vector>

namespace previct::kai {

/// The existing ConfigMaps, by name: a pod that needs another one is rejected on every node.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/k8s_internal/predicates/config_maps.go.
class ConfigMaps {
 public:
  /// `all_exist`: assume that every ConfigMap exists.
  ConfigMaps(const Snapshot& cluster, bool all_exist, const Release& release);

  /// False: all are assumed to exist, because the input was made without listing them.
  [[nodiscard]] auto told() const -> bool { return told_; }
  /// Returns the names of the ConfigMaps without which the pod cannot start, except the one that every namespace has.
  [[nodiscard]] auto needed(const Pod& pod) const -> std::vector<Symbol>;
  /// Returns those of needed() that do not exist.
  [[nodiscard]] auto missing(const Pod& pod) const -> std::vector<Symbol>;

 private:
  const Snapshot& cluster_;
  bool all_sources_;  ///< false: see Change::config_map_sources
  bool told_ = true;
  std::unordered_set<std::uint64_t> there_;  // by namespace and name
};

}  // namespace previct::kai
