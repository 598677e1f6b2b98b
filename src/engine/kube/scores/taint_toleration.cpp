#include "cluster/matching.h"
#include "engine/kube/score.h"

#include <algorithm>

namespace previct::kube {
namespace {

// Scores nodes higher the fewer PreferNoSchedule taints the pod does not tolerate.
// Source: plugins/tainttoleration.
class TaintTolerationScore final : public Score {
 public:
  explicit TaintTolerationScore(const Scoring& scoring)
      : cluster_(scoring.incoming.cluster()),
        node_infos_(scoring.incoming.node_infos),
        prefer_(cluster_.symbol("PreferNoSchedule")) {
    for (const TaintToleration& toleration : scoring.incoming.pod().spec.tolerations) {
      if (!toleration.effect || toleration.effect == prefer_) tolerations_.push_back(toleration);
    }
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    if (!prefer_) return 0;
    const auto& taints = cluster_.node(node).spec.taints;
    return std::count_if(taints.begin(), taints.end(), [&](const Taint& taint) {
      return taint.effect == prefer_ &&
             !tolerates(tolerations_, taint, cluster_.known(), node_infos_.numbers_in_tolerations());
    });
  }
  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    return normalized_by_default(score, all.highest, true);
  }

 private:
  const Snapshot& cluster_;
  const NodeInfoSnapshot& node_infos_;
  Symbol prefer_;
  std::vector<TaintToleration> tolerations_;
};

}  // namespace

const ScoreInfo& taint_toleration_score = ScoreInfo{
    "TaintToleration",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<TaintTolerationScore>(scoring)); },
    Rule::score_failed_to_read};

}  // namespace previct::kube
