#pragma once

#include "engine/kube/node_info_snapshot.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace previct::kube {

/// All amounts of one resource that the pods in question may request, in the units of Amount.
struct RequestRange {
  ResourceId resource;
  std::int64_t least = 0;  ///< both ends are included
  std::int64_t most = 0;
};

/// The requests of one pod, on behalf of all pods whose requests lie in the given ranges. The scheduler only compares a
/// request with limits. Each comparison that has another result for another of these pods narrows the range to the
/// amounts with the result of this pod. So at the end, the decision holds for all amounts that are left.
class RequestBounds {
 public:
  /// One comparison that narrowed a range.
  struct Comparison {
    std::size_t range = 0;
    std::int64_t limit = 0;
    bool within = false;  ///< the request is at most the limit
  };

  /// The pod requests the largest amount of each range.
  explicit RequestBounds(std::vector<RequestRange> ranges) : ranges_(std::move(ranges)) {
    for (const RequestRange& range : ranges_) amounts_.push_back(range.most);
  }
  RequestBounds(std::vector<RequestRange> ranges, std::vector<std::int64_t> amounts)
      : ranges_(std::move(ranges)), amounts_(std::move(amounts)) {}

  /// Returns true if the request is at most `limit`. A pod that requests nothing of a resource fits whatever is free.
  /// Source: kubernetes: pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest, v1.35.4.
  [[nodiscard]] auto at_most(std::size_t range, std::int64_t limit) -> bool {
    limit = std::max<std::int64_t>(limit, 0);
    RequestRange& known = ranges_[range];
    if (known.most <= limit) return true;
    if (known.least > limit) return false;
    const bool within = amounts_[range] <= limit;
    (within ? known.most : known.least) = within ? limit : limit + 1;
    comparisons_.push_back({range, limit, within});
    return within;
  }

  /// Returns the index of the range of a resource; ranges().size() if its amount does not vary.
  [[nodiscard]] auto index_of(ResourceId resource) const -> std::size_t {
    const auto found = std::find_if(ranges_.begin(), ranges_.end(),
                                    [&](const RequestRange& range) { return range.resource == resource; });
    return static_cast<std::size_t>(found - ranges_.begin());
  }
  [[nodiscard]] auto ranges() const -> const std::vector<RequestRange>& { return ranges_; }
  [[nodiscard]] auto amounts() const -> const std::vector<std::int64_t>& { return amounts_; }
  /// In the order in which they were made. Pods that differ in the result of one of them are alike up to it.
  [[nodiscard]] auto comparisons() const -> const std::vector<Comparison>& { return comparisons_; }

 private:
  std::vector<RequestRange> ranges_;
  std::vector<std::int64_t> amounts_;
  std::vector<Comparison> comparisons_;
};

}  // namespace previct::kube
