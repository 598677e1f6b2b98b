#include "engine/kube/resource_claims.h"
#include "engine/kube/score.h"

#include <algorithm>

namespace previct::kube {
namespace {

// Scores the alternative of a device request that a node satisfies.
// Source: plugins/dynamicresources/dynamicresources.go computeScore.
class DynamicResourcesScore final : public Score {
 public:
  explicit DynamicResourcesScore(const Scoring& scoring)
      : claims_(resource_claims_of(scoring.incoming.cluster(), scoring.incoming.placed.pod)) {}

  [[nodiscard]] auto of(NodeId /*node*/) const -> std::int64_t override { return 0; }
  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    return normalized_by_default(score, all.highest, false);
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override {
    for (const ResourceClaim* claim : claims_.claims) {
      const auto& requests = claim->spec.devices.requests;
      const bool any = std::any_of(requests.begin(), requests.end(),
                                   [](const DeviceRequest& request) { return !request.first_available.empty(); });
      if (any) return Gap{GapRule::score_of_alternatives};
    }
    return {};
  }

 private:
  PodResourceClaims claims_;
};

}  // namespace

const ScoreInfo& dynamic_resources_score = ScoreInfo{
    "DynamicResources",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<DynamicResourcesScore>(scoring)); }};

}  // namespace previct::kube
