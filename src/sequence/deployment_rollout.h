#pragma once

#include "api/workloads.h"
#include "base/symbols.h"

#include <cstdint>
#include <vector>

namespace previct::sequence {

/// A ReplicaSet of a Deployment during a rollout.
struct RolledSet {
  std::int64_t replicas = 0;   ///< spec.replicas
  std::int64_t available = 0;  ///< its pods that have been ready for minReadySeconds and are not being deleted
  bool has_pods = false;       ///< pods that have not ended, including those that are being deleted
};

/// How a Deployment scales its ReplicaSets until all pods have its template.
///
/// Source: kubernetes v1.35 pkg/controller/deployment: rolling.go, recreate.go, util/deployment_util.go
/// NewRSNewReplicas, ResolveFenceposts, MaxUnavailable; pkg/apis/apps/v1/defaults.go SetDefaults_Deployment.
class DeploymentRollout {
 public:
  DeploymentRollout() = default;
  DeploymentRollout(const DeploymentSpec& spec, const Symbols& symbols);

  /// Scales the sets as one synchronization of the controller does. Returns false if nothing changes. `old_sets`: the
  /// oldest first; `current`: the set of the Deployment's template.
  [[nodiscard]] auto synchronize(std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool;

  [[nodiscard]] auto replicas() const -> std::int64_t { return replicas_; }
  [[nodiscard]] auto recreates() const -> bool { return recreates_; }
  /// The most pods that the Deployment wants at a time.
  [[nodiscard]] auto most() const -> std::int64_t { return replicas_ + max_surge_; }

 private:
  [[nodiscard]] auto scales_up(const std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool;
  [[nodiscard]] auto scales_down(std::vector<RolledSet>& old_sets, const RolledSet& current) const -> bool;
  [[nodiscard]] auto recreate(std::vector<RolledSet>& old_sets, RolledSet& current) const -> bool;

  std::int64_t replicas_ = 0;
  std::int64_t max_surge_ = 0;
  std::int64_t max_unavailable_ = 0;
  bool recreates_ = false;
};

/// Returns the number, or this percentage of `all`.
[[nodiscard]] auto scaled(NumberOrPercent value, std::int64_t all, bool rounds_up) -> std::int64_t;

}  // namespace previct::sequence
