#pragma once

#include "api/kueue.h"
#include "api/limits.h"
#include "cluster/snapshot.h"
#include "engine/kueue/amounts.h"
#include "engine/kueue/settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::kueue {

struct ResourceAmount {
  Symbol resource;
  Amount amount;
  friend auto operator==(const ResourceAmount&, const ResourceAmount&) -> bool = default;
};

/// The pods of one pod set and their total requests, by resource name.
struct PodSetRequest {
  Symbol name;
  std::int64_t count = 0;  ///< without reclaimable pods
  std::vector<ResourceAmount> requests{};
  /// Resources that a transformation adds to what the pods request of them. Before sums_transformations(), the order of
  /// a Go map decides which additions count; `requests` has all of them.
  std::vector<Symbol> by_chance{};
};

/// Returns how many pods of each pod set still need quota: reclaimable pods no longer do.
/// Source: pkg/workload/workload.go podSetsCountsAfterReclaim.
[[nodiscard]] auto counts_after_reclaim(const Workload& workload, const Settings& settings)
    -> std::vector<std::int64_t>;
[[nodiscard]] auto count_of(const PodSet& set) -> std::int64_t;
[[nodiscard]] auto name_of(const PodSet& set, const Snapshot& cluster) -> std::string_view;

/// Computes the requests that Kueue derives from pod templates: overhead, LimitRanges, limits as requests.
/// Source: pkg/workload/resources.go AdjustResources, ValidateAdmissibility; pkg/workload/workload.go
/// totalRequestsFromPodSets; pkg/util/limitrange.
class RequestReader {
 public:
  RequestReader(const Snapshot& cluster, const Settings& settings) : cluster_(cluster), settings_(settings) {}

  [[nodiscard]] auto requests_of(const Workload& workload) const -> std::vector<PodSetRequest>;

  /// Returns the spec of the pods of a pod set with the defaults of LimitRanges and the overhead of its RuntimeClass.
  [[nodiscard]] auto adjusted(const PodSet& set, Symbol ns) const -> PodSpec;
  /// Returns the requests of one such pod.
  [[nodiscard]] auto request_of_pod(const PodSpec& spec) const -> ResourceList;

  /// Returns why its pods would be rejected, in Kueue's words; empty if they would not.
  [[nodiscard]] auto refusal(const Workload& workload) const -> std::string;

  /// Returns a text that is equal for pod sets that Kueue considers the same except for names.
  /// Source: pkg/util/pod/pod.go SpecShape.
  [[nodiscard]] auto shape_of(const Workload& workload) const -> std::string;

  /// Returns a RuntimeClass that a pod set names and the input does not contain; empty: none.
  [[nodiscard]] auto missing_runtime_class(const Workload& workload) const -> std::string_view;

 private:
  struct Bounds {
    bool given = false;
    ResourceList default_limit{}, default_request{}, min{}, max{};
  };

  [[nodiscard]] auto runtime_class(Symbol name) const -> const RuntimeClass*;
  [[nodiscard]] auto bounds(Symbol ns, std::string_view type) const -> Bounds;
  struct Transformed {
    ResourceList requests;
    std::vector<Symbol> by_chance;
  };
  [[nodiscard]] auto transformed(const ResourceList& requests) const -> Transformed;
  void out_of_bounds(const std::string& path, const ResourceList& low, const ResourceList& high, const Bounds& bounds,
                     std::vector<std::string>& errors) const;
  [[nodiscard]] auto above(const ResourceList& a, const ResourceList& b) const -> std::string;

  const Snapshot& cluster_;
  const Settings& settings_;
};

}  // namespace previct::kueue
