#pragma once

#include "base/go.h"
#include "engine/kube/filter.h"
#include "engine/kube/request_bounds.h"

namespace previct::kube {

/// The pod's requests, and one more pod, must fit. Collects all reasons; if a request exceeds the node's total,
/// evicting pods cannot help.
/// Source: plugins/noderesources fitsRequest.
///
/// Every trial runs this filter after every step, so NodeTrial calls it directly and the compiler can inline it.
class NodeResourcesFit final : public Filter {
 public:
  NodeResourcesFit(const Incoming& incoming, const FilterSettings& settings);

  void enter(NodeId node) override {
    pods_ = static_cast<std::int64_t>(node_infos_.pods_on(node).size());
    max_pods_ = node_infos_.max_pods(node);
    for (Wanted& w : wanted_) {
      w.allocatable = w.allocatable_on(node);
      w.used = w.column->used[node];
    }
  }

  /// Requires that the requests do not vary.
  [[nodiscard]] auto keep_feasible(IdVector<NodeId, char>& nodes) -> bool override;

  /// The requests vary (request_bounds.h). Null: they are those of the pod.
  void vary(RequestBounds* requests);

  [[nodiscard]] auto check(Reasons reasons) const -> Code override;

  [[nodiscard]] auto fits() const -> bool {
    if (pods_ + 1 > max_pods_) return false;
    for (const Wanted& w : wanted_) {
      if (!w.is_at_most(w.free())) return false;
    }
    return true;
  }

  /// Returns true if the incoming pod would fit with this pod added.
  [[nodiscard]] auto fits_with(const PodInfo& pod) const -> bool {
    if (pods_ + 2 > max_pods_) return false;
    for (const Wanted& w : wanted_) {
      if (!w.is_at_most(go::subtract(w.free(), w.demand(pod)))) return false;
    }
    return true;
  }

  /// Returns the largest number of these pods that can be added so that, for each resource alone, the incoming pod
  /// still fits. The requests must not vary.
  [[nodiscard]] auto most_that_fit(std::span<const PodInfo* const> pods) const -> std::size_t;
  /// Returns the largest share of one of the requests that this pod uses.
  [[nodiscard]] auto share_freed(const PodInfo& pod) const -> double;

  void add(const PodInfo& pod) override {
    ++pods_;
    for (Wanted& w : wanted_) w.used = go::add(w.used, w.demand(pod));
  }
  void remove(const PodInfo& pod) override {
    --pods_;
    for (Wanted& w : wanted_) w.used = go::subtract(w.used, w.demand(pod));
  }

  void remove(std::span<const PodInfo* const> pods) {
    pods_ -= static_cast<std::int64_t>(pods.size());
    for (Wanted& w : wanted_) {
      std::int64_t freed = 0;
      for (const PodInfo* pod : pods) freed = go::add(freed, w.demand(*pod));
      w.used = go::subtract(w.used, freed);
    }
  }

  void save() override {
    saved_pods_ = pods_;
    for (Wanted& w : wanted_) w.saved = w.used;
  }
  void restore() override {
    pods_ = saved_pods_;
    for (Wanted& w : wanted_) w.used = w.saved;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<NodeResourcesFit>(*this);
  }

 private:
  /// More than any request: DynamicResources decides whether there is enough.
  static constexpr std::int64_t kLeftToDevices = INT64_MAX / 2;

  struct Wanted {
    ResourceId resource;
    bool of_devices = false;          ///< a device class serves this resource
    RequestBounds* varied = nullptr;  ///< null: `value` is the request
    std::size_t range = 0;            ///< its range in `varied`
    const ResourceColumn* column = nullptr;
    std::int64_t value = 0;
    std::int64_t allocatable = 0;
    std::int64_t used = 0;
    std::int64_t saved = 0;

    // Without bounds checks: this is the innermost loop of a decision.
    [[nodiscard]] auto demand(const PodInfo& pod) const -> std::int64_t { return column->demand.data()[pod.slot]; }
    [[nodiscard]] auto allocatable_on(NodeId node) const -> std::int64_t { return offered(column->allocatable[node]); }
    [[nodiscard]] auto offered(std::int64_t by_node) const -> std::int64_t {
      return of_devices && by_node <= 0 ? kLeftToDevices : by_node;
    }
    [[nodiscard]] auto free() const -> std::int64_t { return go::subtract(allocatable, used); }
    [[nodiscard]] auto is_at_most(std::int64_t limit) const -> bool {
      return varied == nullptr ? value <= limit : varied->at_most(range, limit);
    }
  };

  const NodeInfoSnapshot& node_infos_;
  std::vector<Wanted> wanted_;
  std::int64_t pods_ = 0;
  std::int64_t saved_pods_ = 0;
  std::int64_t max_pods_ = 0;
};

}  // namespace previct::kube
