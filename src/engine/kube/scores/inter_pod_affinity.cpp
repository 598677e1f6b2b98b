#include "engine/kube/affinity_terms.h"
#include "engine/kube/namespaces.h"
#include "engine/kube/score.h"

#include <map>
#include <set>
#include <unordered_map>

namespace previct::kube {
namespace {

// Scores the preferences of the pods in the node's topology for the incoming pod, and those of the incoming pod for
// them.
// Source: plugins/interpodaffinity/scoring.go.
class InterPodAffinityScore final : public Score {
 public:
  explicit InterPodAffinityScore(const Scoring& scoring)
      : incoming_(scoring.incoming),
        cluster_(scoring.incoming.cluster()),
        settings_(scoring.settings),
        terms_(scoring.incoming.node_infos, scoring.incoming.placed.pod) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const Affinity& own = incoming_.pod().spec.affinity;
    const bool prefers = !own.pod.preferred.empty() || !own.pod_anti.preferred.empty();
    if (settings_.ignores_preferred_terms_of_others && !prefers) return {.skip = true, .error = {}};
    for (const WeightedPodAffinityTerm& each : own.pod.preferred) add_own(each, 1);
    for (const WeightedPodAffinityTerm& each : own.pod_anti.preferred) add_own(each, -1);
    for (const TermsOfPods::Alike& each : incoming_.node_infos.attracting().all()) add_terms_of(each);
    return {.skip = points_.empty(), .error = {}};
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    const SymbolMap& labels = cluster_.node(node).meta.labels;
    std::int64_t sum = 0;
    for (const auto& [key, by_value] : points_) {
      const Symbol value = labels.get(key);
      const auto at = value ? by_value.find(value.index) : by_value.end();
      if (at != by_value.end()) sum += at->second;
    }
    return sum;
  }

  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    if (all.highest <= all.lowest) return 0;
    const auto share = static_cast<double>(score - all.lowest) / static_cast<double>(all.highest - all.lowest);
    return static_cast<std::int64_t>(static_cast<double>(kMaxNodeScore) * share);
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override {
    if (!lacks_namespaces_of_preferences(incoming_.node_infos, incoming_.placed.pod)) return {};
    return Gap{GapRule::namespaces_score, {"Namespace"}};
  }

 private:
  // An entry exists even if its sum is 0.
  void add_points(const PodAffinityTerm& term, std::int64_t weight, NodeId node) {
    const Symbol value = cluster_.node(node).meta.labels.get(term.topology_key);
    if (value) points_[term.topology_key][value.index] += weight;
  }

  void add_own(const WeightedPodAffinityTerm& each, std::int64_t sign) {
    const OwnTerm term = terms_.resolved(each.term);
    const auto count = [&](PodId pod, NodeId node) {
      if (node && terms_.ours_matches(term, cluster_.pod(pod))) add_points(each.term, sign * each.weight, node);
    };
    const NodeInfoSnapshot& node_infos = incoming_.node_infos;
    if (terms_.meets_all_namespaces(term)) {
      for (const NodeId node : node_infos.nodes()) {
        for (const PodInfo& pod : node_infos.pods_on(node)) count(pod.pod, node);
      }
      return;
    }
    for (const Symbol ns : std::set<Symbol>(term.namespaces.begin(), term.namespaces.end())) {
      for (const PodId pod : node_infos.pods_of(ns)) count(pod, node_infos.place_of(pod));
    }
  }

  void add_terms_of(const TermsOfPods::Alike& others) {
    const auto add = [&](const PodAffinityTerm& term, std::int64_t weight) {
      if (others.pods.empty() || !terms_.theirs_matches(term, others.ns)) return;
      std::unordered_map<std::uint32_t, std::int64_t>* by_value = nullptr;
      for (const auto& [node, count] : others.pods) {
        const Symbol value = cluster_.node(NodeId{node}).meta.labels.get(term.topology_key);
        if (!value) continue;
        if (by_value == nullptr) by_value = &points_[term.topology_key];
        (*by_value)[value.index] += weight * count;
      }
    };
    if (settings_.hard_pod_affinity_weight > 0) {
      for (const PodAffinityTerm& term : others.required) add(term, settings_.hard_pod_affinity_weight);
    }
    for (const WeightedPodAffinityTerm& each : others.preferred) add(each.term, each.weight);
    for (const WeightedPodAffinityTerm& each : others.anti_preferred) add(each.term, -std::int64_t{each.weight});
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  const ScoreSettings& settings_;
  AffinityTerms terms_;
  std::map<Symbol, std::unordered_map<std::uint32_t, std::int64_t>> points_;  // by topology key and value
};

}  // namespace

const ScoreInfo& inter_pod_affinity_score = ScoreInfo{
    "InterPodAffinity",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<InterPodAffinityScore>(scoring)); },
    Rule::score_failed_to_read};

}  // namespace previct::kube
