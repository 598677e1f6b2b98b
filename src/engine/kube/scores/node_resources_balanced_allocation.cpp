#include "engine/kube/scored_resources.h"

#include <algorithm>
#include <cmath>

namespace previct::kube {
namespace {

// Scores the spread of the used shares of resources; since 1.36, how much the pod reduces that spread.
// Source: plugins/noderesources/balanced_allocation.go.
class BalancedAllocationScore final : public Score {
 public:
  explicit BalancedAllocationScore(const Scoring& scoring)
      : resources_(scoring.incoming, scoring.settings.balanced, false),
        prepared_(scoring.prepared),
        by_improvement_(scoring.incoming.node_infos.release().has(Change::balance_by_improvement)),
        skips_best_effort_(scoring.incoming.node_infos.release().has(Change::balance_skips_best_effort)) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    nothing_ = skips_best_effort_ && resources_.nothing_requested();
    return {.skip = nothing_ && prepared_, .error = {}};
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    if (nothing_) return 0;
    const std::int64_t after = balance(node, &ScoredResources::Amounts::requested);
    if (!by_improvement_) return after;
    constexpr std::int64_t kHalf = kMaxNodeScore / 2;
    return kHalf + (kHalf + after - balance(node, &ScoredResources::Amounts::before)) / 2;
  }

  void of_all(std::span<const NodeId> nodes, std::span<std::int64_t> scores) const override {
    score_each(*this, nodes, scores);
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override { return resources_.doubt(); }

 private:
  // Uses upstream's order of floating-point operations, on which the last unit depends.
  [[nodiscard]] auto balance(NodeId node, std::int64_t ScoredResources::Amounts::*amount) const -> std::int64_t {
    fractions_.clear();
    double sum = 0;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      const ScoredResources::Amounts amounts = resources_.on(node, i);
      if (amounts.allocatable == 0) continue;
      const double fraction =
          std::min(static_cast<double>(amounts.*amount) / static_cast<double>(amounts.allocatable), 1.0);
      sum += fraction;
      fractions_.push_back(fraction);
    }
    double deviation = 0;
    if (fractions_.size() == 2) {
      deviation = std::fabs((fractions_[0] - fractions_[1]) / 2);
    } else if (fractions_.size() > 2) {
      const auto count = static_cast<double>(fractions_.size());
      const double mean = sum / count;
      double squares = 0;
      for (const double fraction : fractions_) squares = squares + (fraction - mean) * (fraction - mean);
      deviation = std::sqrt(squares / count);
    }
    return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMaxNodeScore));
  }

  ScoredResources resources_;
  bool prepared_;
  bool by_improvement_;
  bool skips_best_effort_;
  bool nothing_ = false;
  mutable std::vector<double> fractions_;  // of one node; a member to reuse its memory
};

}  // namespace

const ScoreInfo& node_resources_balanced_allocation_score = ScoreInfo{
    "NodeResourcesBalancedAllocation",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<BalancedAllocationScore>(scoring)); }};

}  // namespace previct::kube
