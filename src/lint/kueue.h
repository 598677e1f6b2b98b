#pragma once

#include "api/quantity.h"
#include "lint/repository.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// What one ClusterQueue or cohort offers of one resource on one flavor.
struct KueueQuota {
  Value flavor;    ///< the entry of `flavors`
  Value resource;  ///< the entry of its `resources`

  [[nodiscard]] auto flavor_name() const -> std::string_view { return flavor["name"].text(); }
  [[nodiscard]] auto resource_name() const -> std::string_view { return resource["name"].text(); }
  /// None: absent, or no quantity.
  [[nodiscard]] auto amount(std::string_view field) const -> std::optional<Quantity>;
};
[[nodiscard]] auto kueue_quotas(const Manifest& queue) -> std::vector<KueueQuota>;

/// Of a ClusterQueue: `spec.cohortName`, in v1beta1 `spec.cohort`.
[[nodiscard]] auto kueue_cohort(const Manifest& queue) -> Value;

/// Its policy, `Never` where none is given: `withinClusterQueue`, `reclaimWithinCohort`.
[[nodiscard]] auto kueue_policy(const Manifest& queue, std::string_view field) -> std::string_view;

/// The object of that kind with this name; of a namespace, if one is given. Null: none in this scope.
[[nodiscard]] auto find_named(const Repository& repository, std::string_view kind, std::string_view name,
                              std::string_view ns = {}) -> const Manifest*;

/// Condition of a Workload: its status is True.
[[nodiscard]] auto has_condition(const Manifest& workload, std::string_view type) -> bool;
/// Neither finished nor deactivated, and without quota.
[[nodiscard]] auto is_pending_workload(const Manifest& workload) -> bool;

/// The ClusterQueue that a Workload waits in; null: a link is missing.
[[nodiscard]] auto queue_of_workload(const Repository& repository, const Manifest& workload) -> const Manifest*;

}  // namespace previct::lint
