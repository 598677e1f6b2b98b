#include "base/go.h"
#include "engine/kube/scored_resources.h"

#include <algorithm>
#include <cmath>

namespace previct::kube {
namespace {

constexpr std::int64_t kAll = kMaxNodeScore;

// Scores the share of its resources that a node would have free, or in use.
// Source: plugins/noderesources/least_allocated.go, most_allocated.go, requested_to_capacity_ratio.go.
class NodeResourcesFitScore final : public Score {
 public:
  explicit NodeResourcesFitScore(const Scoring& scoring)
      : strategy_(scoring.settings.strategy),
        resources_(scoring.incoming, strategy_.resources, true),
        by_ratio_(strategy_.type == "RequestedToCapacityRatio"),
        by_most_(strategy_.type == "MostAllocated") {}

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    std::int64_t sum = 0;
    std::int64_t weights = 0;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      const ScoredResources::Amounts amounts = resources_.on(node, i);
      if (amounts.allocatable == 0) continue;
      const std::int64_t score = of_resource(amounts);
      if (by_ratio_ && score <= 0) continue;
      sum += score * resources_.weight(i);
      weights += resources_.weight(i);
    }
    if (weights == 0) return 0;
    if (!by_ratio_) return sum / weights;
    return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(weights)));
  }

  void of_all(std::span<const NodeId> nodes, std::span<std::int64_t> scores) const override {
    score_each(*this, nodes, scores);
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override { return resources_.doubt(); }

 private:
  [[nodiscard]] auto of_resource(const ScoredResources::Amounts& amounts) const -> std::int64_t {
    const auto& [before, requested, allocatable] = amounts;
    if (by_ratio_) return on_broken_line(strategy_.requested_to_capacity_ratio->shape, requested, allocatable);
    if (by_most_) return go::multiply(std::min(requested, allocatable), kAll) / allocatable;
    return requested > allocatable ? 0 : go::multiply(go::subtract(allocatable, requested), kAll) / allocatable;
  }

  const ScoringStrategy& strategy_;
  ScoredResources resources_;
  bool by_ratio_;
  bool by_most_;
};

}  // namespace

const ScoreInfo& node_resources_fit_score = ScoreInfo{
    "NodeResourcesFit",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<NodeResourcesFitScore>(scoring)); }};

}  // namespace previct::kube
