#pragma once

#include "engine/kube/filters/node_resources_fit.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace previct::kube {

/// The filters that are not skipped for one pod, applied to one node at a time.
class NodeTrial {
 public:
  NodeTrial() = default;
  NodeTrial(const NodeTrial& other);
  auto operator=(const NodeTrial&) -> NodeTrial& = delete;
  NodeTrial(NodeTrial&&) = default;
  auto operator=(NodeTrial&&) -> NodeTrial& = default;
  ~NodeTrial() = default;

  /// Adds a filter. Call it in the order of the profile.
  void use(const FilterInfo& info, std::unique_ptr<Filter> filter);

  /// The pod's requests vary (request_bounds.h); null: they do not.
  void vary(RequestBounds* requests) {
    if (fit_filter_ != nullptr) fit_filter_->vary(requests);
  }

  void enter(NodeId node) {
    for (Entry& e : filters_) e.filter->enter(node);
  }
  void remove(std::span<const PodInfo* const> pods) {
    if (fit_filter_ != nullptr) fit_filter_->remove(pods);
    for (Filter* f : with_pods_) {
      for (const PodInfo* pod : pods) f->remove(*pod);
    }
  }

  /// Adds a pod to the entered node, whether or not the incoming pod still fits.
  void put(const PodInfo& pod) { add(pod); }

  /// Returns the first filter that satisfies `is`; null if none does.
  template <class Is>
  [[nodiscard]] auto find(Is is) const -> const FilterInfo* {
    for (const Entry& e : filters_) {
      if (is(*e.info)) return e.info;
    }
    return nullptr;
  }

  /// Runs all filters, first with those pods nominated to the node that have at least the incoming pod's priority, then
  /// without them. The first failure is the status.
  /// Source: RunFilterPluginsWithNominatedPods.
  [[nodiscard]] auto check(std::span<const PodInfo> nominated) -> Status;

  /// See Filter::keep_feasible(); for all filters, without nominated pods.
  [[nodiscard]] auto keep_feasible(IdVector<NodeId, char>& nodes) -> bool {
    return std::all_of(filters_.begin(), filters_.end(),
                       [&](const Entry& e) { return e.filter->keep_feasible(nodes); });
  }

  /// Returns how many of these pods could be added at most so that the incoming pod still fits, as far as its requests
  /// decide.
  [[nodiscard]] auto most_that_fit(std::span<const PodInfo* const> pods) const -> std::size_t {
    return fit_filter_ == nullptr ? pods.size() : fit_filter_->most_that_fit(pods);
  }
  /// Returns the largest share of one of the incoming pod's requests that this pod uses.
  [[nodiscard]] auto share_freed(const PodInfo& pod) const -> double {
    return fit_filter_ == nullptr ? 0 : fit_filter_->share_freed(pod);
  }

  /// Puts a pod back on the entered node if the incoming pod still fits then, and returns whether it did. check() must
  /// have passed since the node was entered: only filters that depend on pods run.
  [[nodiscard]] auto reprieve(const PodInfo& pod, std::span<const PodInfo> nominated) -> bool {
    if (fit_filter_ != nullptr && !fit_filter_->fits_with(pod)) return false;
    add(pod);
    if ((nominated.empty() || passes_with(nominated)) && others_pass()) return true;
    remove(pod);
    return false;
  }

 private:
  struct Entry {
    const FilterInfo* info;
    std::unique_ptr<Filter> filter;
  };

  void add(const PodInfo& pod) {
    if (fit_filter_ != nullptr) fit_filter_->add(pod);
    for (Filter* f : with_pods_) f->add(pod);
  }
  void remove(const PodInfo& pod) {
    if (fit_filter_ != nullptr) fit_filter_->remove(pod);
    for (Filter* f : with_pods_) f->remove(pod);
  }
  void save();
  void restore();
  [[nodiscard]] auto run() const -> Status;
  [[nodiscard]] auto passes_with(std::span<const PodInfo> nominated) -> bool;
  [[nodiscard]] auto others_pass() const -> bool {
    for (const Filter* f : with_pods_) {
      if (f->check(nullptr) != Code::success) return false;
    }
    return true;
  }

  std::vector<Entry> filters_;
  NodeResourcesFit* fit_filter_ = nullptr;  // one of filters_
  std::vector<Filter*> with_pods_;          // all others that depend on pods
};

}  // namespace previct::kube
