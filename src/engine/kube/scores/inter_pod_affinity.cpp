#include "engine/kube/affinity_terms.h"
#include "engine/kube/namespaces.h"
#include "engine/kube/score.h"
#include "engine/kube/topology_domains.h"

#include <map>
#include <vector>

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
    incoming_.node_infos.attracting().each_for(incoming_.pod().meta,
                                               [&](const TermsOfPods::Alike& each) { add_terms_of(each); });
    return {.skip = points_.empty(), .error = {}};
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    std::int64_t sum = 0;
    for (const auto& [key, points] : points_) {
      if (points.domains.has(node)) sum += points.of_domain[points.domains.of[node]];
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
  /// The points of the domains of one topology key.
  struct Points {
    explicit Points(const TopologyDomains& of) : domains(of), of_domain(of.count) {}
    const TopologyDomains& domains;
    std::vector<std::int64_t> of_domain;
  };

  /// Adds points for one topology key. They exist from the first node with the key on, even if their sum is 0.
  class Adder {
   public:
    Adder(InterPodAffinityScore& score, Symbol key)
        : score_(score), key_(key), domains_(score.cluster_.derived<TopologyKeys>().domains(key)) {}
    void add(NodeId node, std::int64_t weight) {
      if (!domains_.has(node)) return;
      if (points_ == nullptr) points_ = &score_.points_.try_emplace(key_, domains_).first->second;
      points_->of_domain[domains_.of[node]] += weight;
    }

   private:
    InterPodAffinityScore& score_;
    Symbol key_;
    const TopologyDomains& domains_;
    Points* points_ = nullptr;
  };

  void add_own(const WeightedPodAffinityTerm& each, std::int64_t sign) {
    Adder points(*this, each.term.topology_key);
    terms_.each_match(terms_.resolved(each.term), [&](PodId, NodeId node) { points.add(node, sign * each.weight); });
  }

  void add_terms_of(const TermsOfPods::Alike& others) {
    const auto add = [&](const PodAffinityTerm& term, std::int64_t weight) {
      if (others.pods.empty() || !terms_.theirs_matches(term, others.ns)) return;
      Adder points(*this, term.topology_key);
      for (const auto& [node, count] : others.pods) points.add(NodeId{node}, weight * count);
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
  std::map<Symbol, Points> points_;  // by topology key
};

}  // namespace

const ScoreInfo& inter_pod_affinity_score = ScoreInfo{
    "InterPodAffinity",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<InterPodAffinityScore>(scoring)); },
    Rule::score_failed_to_read};

}  // namespace previct::kube
