#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "engine/kube/score.h"

namespace previct::kube {
namespace {

// Adds up the weights of the preferred terms that a node matches. An invalid term ends the attempt.
// Source: plugins/nodeaffinity; component-helpers: scheduling/corev1/nodeaffinity NewPreferredSchedulingTerms.
class NodeAffinityScore final : public Score {
 public:
  explicit NodeAffinityScore(const Scoring& scoring)
      : cluster_(scoring.incoming.cluster()), prepared_(scoring.prepared) {
    const auto take = [&](std::span<const WeightedNodeTerm> terms) {
      for (const WeightedNodeTerm& each : terms) {
        const bool empty = each.term.match_expressions.empty() && each.term.match_fields.empty();
        if (each.weight == 0 || empty) continue;
        malformed_ = malformed_ || !fault_of(each.term, cluster_.symbols()).empty();
        terms_.push_back({each.weight, NodeSelector{{each.term}}});
      }
    };
    const NodeAffinitySpec& own = scoring.incoming.pod().spec.affinity.node;
    const NodeAffinitySpec& added = scoring.settings.added_affinity;
    take(own.preferred_terms());
    take(added.preferred_terms());
    none_ = !own.preferred && !added.preferred;
  }

  [[nodiscard]] auto prepare() -> Prepared override {
    if (malformed_)
      return {.skip = false,
              .error = Reason{prepared_ ? Rule::preferred_malformed : Rule::preferred_malformed_at_score}};
    return {.skip = none_ && prepared_, .error = {}};
  }

  [[nodiscard]] auto of(NodeId id) const -> std::int64_t override {
    const Node& node = cluster_.node(id);
    std::int64_t sum = 0;
    for (const auto& [weight, selector] : terms_) {
      if (matches(selector, node.meta.labels, node.meta.name, cluster_)) sum += weight;
    }
    return sum;
  }
  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    return normalized_by_default(score, all.highest, false);
  }

 private:
  const Snapshot& cluster_;
  bool prepared_;
  bool none_ = false;
  bool malformed_ = false;
  std::vector<std::pair<std::int64_t, NodeSelector>> terms_;
};

}  // namespace

const ScoreInfo& node_affinity_score = ScoreInfo{
    "NodeAffinity",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<NodeAffinityScore>(scoring)); }};

}  // namespace previct::kube
