#include "engine/kube/devices/findings.h"
#include "engine/kube/resource_claims.h"
#include "engine/kube/score.h"

#include <algorithm>
#include <tuple>

namespace previct::kube {
namespace {

// Scores the alternatives of device requests that are used on a node: the earlier in its request, the better.
// Source: plugins/dynamicresources/dynamicresources.go Score, computeScore, v1.36, v1.37; api: resource/v1/types.go
// FirstAvailableDeviceRequestMaxSize.
class DynamicResourcesScore final : public Score {
 public:
  explicit DynamicResourcesScore(const Scoring& scoring)
      : claims_(resource_claims_of(scoring.incoming.cluster(), scoring.incoming.placed.pod)),
        findings_(scoring.incoming.devices),
        in_order_(scoring.incoming.node_infos.release().has(Change::devices_in_order)) {}

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    if (findings_ == nullptr || node.index >= findings_->nodes().size()) return 0;
    constexpr std::int64_t kMostAlternatives = 8;
    const auto& found = findings_->at(node);
    if (!found) return 0;
    // A request may get several devices.
    std::vector<std::tuple<const ResourceClaim*, Symbol, std::size_t>> used;
    std::int64_t score = 0;
    for (const devices::ChosenDevice& chosen : found->chosen) {
      if (!chosen.alternative) continue;
      const std::tuple one{chosen.claim, chosen.request, *chosen.alternative};
      if (std::find(used.begin(), used.end(), one) != used.end()) continue;
      used.push_back(one);
      score += kMostAlternatives - static_cast<std::int64_t>(*chosen.alternative);
    }
    return score;
  }
  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    return normalized_by_default(score, all.highest, false);
  }

  // Before 1.36, the order in which devices are tried decides. Which alternatives allocated claims use is not read; it
  // counts only if other claims get devices in this attempt.
  [[nodiscard]] auto doubt() const -> std::optional<Gap> override {
    const auto has_alternatives = [](const ResourceClaim* claim) {
      const auto& requests = claim->spec.devices.requests;
      return std::any_of(requests.begin(), requests.end(),
                         [](const DeviceRequest& request) { return !request.first_available.empty(); });
    };
    bool open = false;
    bool mixed = false;
    for (const ResourceClaim* claim : claims_.claims) {
      const bool allocated = claim->status.allocation.has_value();
      if (has_alternatives(claim)) (allocated ? mixed : open) = true;
    }
    if (open && (!in_order_ || findings_ == nullptr)) return Gap{GapRule::score_of_alternatives};
    if (mixed && claims_.mixed()) return Gap{GapRule::score_of_alternatives};
    return {};
  }

 private:
  PodResourceClaims claims_;
  const devices::Findings* findings_;
  bool in_order_;
};

}  // namespace

const ScoreInfo& dynamic_resources_score = ScoreInfo{
    "DynamicResources",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<DynamicResourcesScore>(scoring)); }};

}  // namespace previct::kube
