#pragma once

#include "api/quantity.h"
#include "lint/repository.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// The quota of one ClusterQueue or cohort for one resource on one flavor.
struct KueueQuota {
  Value flavor;    ///< entry of `flavors`
  Value resource;  ///< entry of its `resources`

  [[nodiscard]] auto flavor_name() const -> std::string_view { return flavor["name"].text(); }
  [[nodiscard]] auto resource_name() const -> std::string_view { return resource["name"].text(); }
  /// Nullopt: absent, or not a quantity.
  [[nodiscard]] auto amount(std::string_view field) const -> std::optional<Quantity>;
};
[[nodiscard]] auto kueue_quotas(const Manifest& queue) -> std::vector<KueueQuota>;

/// The cohort of a ClusterQueue: `spec.cohortName`, in v1beta1 `spec.cohort`.
[[nodiscard]] auto kueue_cohort(const Manifest& queue) -> Value;

/// A preemption policy of the queue, `Never` by default: `withinClusterQueue`, `reclaimWithinCohort`.
[[nodiscard]] auto kueue_policy(const Manifest& queue, std::string_view field) -> std::string_view;

/// The object of that kind with this name, and with this namespace if one is given. Null: not in this scope.
[[nodiscard]] auto find_named(const Repository& repository, std::string_view kind, std::string_view name,
                              std::string_view ns = {}) -> const Manifest*;

/// Returns true if the status of this condition of a Workload is True.
[[nodiscard]] auto has_condition(const Manifest& workload, std::string_view type) -> bool;
/// Returns true if the Workload is neither finished nor deactivated, and has no quota.
[[nodiscard]] auto is_pending_workload(const Manifest& workload) -> bool;

/// The ClusterQueue in which a Workload waits; null: a link is missing.
[[nodiscard]] auto queue_of_workload(const Repository& repository, const Manifest& workload) -> const Manifest*;

}  // namespace previct::lint
