#include "engine/kube/affinity_terms.h"
#include "engine/kube/filter.h"
#include "engine/kube/namespaces.h"

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

// Number of pods by topology domain (key, value). An entry that drops to 0 is removed.
class AffinityCounts {
 public:
  void change(Symbol key, Symbol value, std::int64_t by) {
    const auto at = counts_.try_emplace({key, value}, 0).first;
    at->second += by;
    if (at->second == 0) counts_.erase(at);
  }
  [[nodiscard]] auto positive(Symbol key, Symbol value) const -> bool {
    const auto at = counts_.find({key, value});
    return at != counts_.end() && at->second > 0;
  }
  [[nodiscard]] auto empty() const -> bool { return counts_.empty(); }

 private:
  std::map<std::pair<Symbol, Symbol>, std::int64_t> counts_;
};

// Required affinity and anti-affinity between pods, both ways. Source: plugins/interpodaffinity filtering.go.
class InterPodAffinity final : public Filter {
 public:
  explicit InterPodAffinity(const Incoming& incoming)
      : incoming_(incoming), cluster_(incoming.cluster()), terms_(incoming.node_infos, incoming.placed.pod) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    if (has_malformed_terms(incoming_.pod(), cluster_.symbols()))
      return {
          .skip = false, .rejection = {Code::unresolvable, nullptr, {{Rule::pod_terms_malformed}}}, .only_nodes = {}};
    const Affinity& spec = incoming_.pod().spec.affinity;
    for (const PodAffinityTerm& term : spec.pod.required) affinity_.push_back(terms_.resolved(term));
    for (const PodAffinityTerm& term : spec.pod_anti.required) anti_affinity_.push_back(terms_.resolved(term));
    incoming_.node_infos.repelling().each_for(incoming_.pod().meta,
                                              [&](const TermsOfPods::Alike& each) { apply_terms_of(each); });
    apply_own_terms();
    return {.skip = would_skip(), .rejection = {}, .only_nodes = {}};
  }

  void enter(NodeId node) override {
    restore_to(0);
    node_ = node;
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    const SymbolMap& labels = cluster_.node(node_).meta.labels;
    if (const Symbol missing = missing_label(labels)) {
      add_reason(reasons, {Rule::pod_affinity_no_label, operand(missing)});
      return Code::unresolvable;
    }
    if (const Symbol unmet = unmet_affinity(labels)) {
      add_reason(reasons, {Rule::pod_affinity, operand(unmet)});
      return Code::unresolvable;
    }
    for (const OwnTerm& term : anti_affinity_) {
      const Symbol key = term.raw->topology_key;
      if (!apart_.positive(key, labels.get(key))) continue;
      add_reason(reasons, {Rule::pod_anti_affinity, operand(key)});
      return Code::unschedulable;
    }
    for (const auto& [key, value] : labels) {
      if (!existing_.positive(key, value)) continue;
      add_reason(reasons, {Rule::existing_anti_affinity, operand(key)});
      return Code::unschedulable;
    }
    return Code::success;
  }

  void settle(const PodInfo& pod, NodeId node, std::int64_t by) override {
    restore_to(0);
    apply(cluster_.pod(pod.pod), node, by);
  }
  [[nodiscard]] auto would_skip() const -> bool override {
    return existing_.empty() && affinity_.empty() && anti_affinity_.empty();
  }

  void add(const PodInfo& pod) override { change(pod.pod, 1); }
  void remove(const PodInfo& pod) override { change(pod.pod, -1); }
  void remove_without_pre_filter(const PodInfo& /*pod*/) override {}
  void save() override { saved_ = changes_.size(); }
  void restore() override { restore_to(saved_); }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    auto copy = std::make_unique<InterPodAffinity>(*this);
    copy->restore_to(0);
    return copy;
  }

 private:
  struct Change {
    PodId pod;
    std::int64_t by;
  };

  // Returns the topology key of a term that the node has no label for: no pod could satisfy the term there.
  [[nodiscard]] auto missing_label(const SymbolMap& labels) const -> Symbol {
    const auto lacking = std::find_if(affinity_.begin(), affinity_.end(),
                                      [&](const OwnTerm& term) { return !labels.get(term.raw->topology_key); });
    return lacking == affinity_.end() ? Symbol{} : lacking->raw->topology_key;
  }

  // Returns the topology key of a term that is not satisfied; none if all are, or if the pod is the first of its kind.
  [[nodiscard]] auto unmet_affinity(const SymbolMap& labels) const -> Symbol {
    Symbol unmet;
    for (const OwnTerm& term : affinity_) {
      const Symbol key = term.raw->topology_key;
      if (!together_.positive(key, labels.get(key))) unmet = key;
    }
    if (!unmet) return {};
    const bool first_of_its_kind =
        together_.empty() && std::all_of(affinity_.begin(), affinity_.end(),
                                         [&](const OwnTerm& t) { return terms_.ours_matches(t, incoming_.pod()); });
    return first_of_its_kind ? Symbol{} : unmet;
  }

  // Adds a pod to a node (+1) or removes it (−1) in all three counters, for the topology keys that the node has.
  void apply(const Pod& pod, NodeId node, std::int64_t by) {
    const SharedList<PodAffinityTerm>& required = pod.spec.affinity.pod_anti.required;
    const bool left_out = incoming_.node_infos.repelling().lacks_some() && are_malformed(required, cluster_.symbols());
    for (const PodAffinityTerm& term : required) {
      if (!left_out && terms_.theirs_matches(term, pod.meta.ns)) count(existing_, node, term.topology_key, by);
    }
    apply_own_terms(pod, node, by);
  }

  void apply_terms_of(const TermsOfPods::Alike& others) {
    for (const PodAffinityTerm& term : others.required) {
      if (others.pods.empty() || !terms_.theirs_matches(term, others.ns)) continue;
      for (const auto& [node, pods] : others.pods) count(existing_, NodeId{node}, term.topology_key, pods);
    }
  }

  void apply_own_terms() {
    if (!affinity_.empty()) {
      terms_.each_match(affinity_.front(), [&](PodId pod, NodeId node) { count_together(cluster_.pod(pod), node, 1); });
    }
    for (const OwnTerm& term : anti_affinity_)
      terms_.each_match(term, [&](PodId, NodeId node) { count(apart_, node, term.raw->topology_key, 1); });
  }

  void apply_own_terms(const Pod& pod, NodeId node, std::int64_t by) {
    count_together(pod, node, by);
    for (const OwnTerm& term : anti_affinity_) {
      if (terms_.ours_matches(term, pod)) count(apart_, node, term.raw->topology_key, by);
    }
  }

  void count_together(const Pod& pod, NodeId node, std::int64_t by) {
    const auto matches = [&](const OwnTerm& term) { return terms_.ours_matches(term, pod); };
    if (!std::all_of(affinity_.begin(), affinity_.end(), matches)) return;
    for (const OwnTerm& term : affinity_) count(together_, node, term.raw->topology_key, by);
  }

  void count(AffinityCounts& counts, NodeId node, Symbol key, std::int64_t by) const {
    if (const Symbol value = cluster_.node(node).meta.labels.get(key)) counts.change(key, value, by);
  }

  void change(PodId pod, std::int64_t by) {
    apply(cluster_.pod(pod), node_, by);
    changes_.push_back({pod, by});
  }

  void restore_to(std::size_t length) {
    while (changes_.size() > length) {
      apply(cluster_.pod(changes_.back().pod), node_, -changes_.back().by);
      changes_.pop_back();
    }
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  AffinityTerms terms_;
  std::vector<OwnTerm> affinity_;
  std::vector<OwnTerm> anti_affinity_;
  AffinityCounts existing_;  // anti-affinity terms of existing pods that match the incoming pod
  AffinityCounts together_;  // pods that match all affinity terms of the incoming pod
  AffinityCounts apart_;     // pods that match an anti-affinity term of the incoming pod
  NodeId node_;
  std::vector<Change> changes_;
  std::size_t saved_ = 0;
};

enum class HowMany : std::uint8_t { all, any };

// Returns true if there are terms and `pod` matches them. A term's namespaceSelector is matched against no labels here,
// so the term matches only if the selector requires none.
// Source: interpodaffinity/filtering.go podMatchesAllAffinityTerms and podMatchesAnyAffinityTerms, Matches(pod, nil).
auto matches_terms(HowMany how_many, const SharedList<PodAffinityTerm>& terms, const Pod& owner, const Pod& pod,
                   const Symbols& symbols) -> bool {
  static const SymbolMap kNoLabels;
  const auto matches_term = [&](const PodAffinityTerm& term) {
    return term_matches(term, owner.meta.ns, pod, kNoLabels, symbols);
  };
  if (how_many == HowMany::any) return std::any_of(terms.begin(), terms.end(), matches_term);
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), matches_term);
}

// A new pod may satisfy the affinity; a deleted pod may have violated the anti-affinity or, since 1.36, have repelled
// the rejected pod by its own.
// Source: interpodaffinity/plugin.go isSchedulableAfterPodChange, isSchedulableAfterAssignedPodChange.
auto affinity_may_be_met(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const Release& release = rejected.node_infos.release();
  const Symbols& symbols = rejected.node_infos.cluster().symbols();
  const Pod& ours = rejected.object();
  const Pod& theirs = event.new_pod != nullptr ? *event.new_pod : *event.old_pod;
  if (!has_node(theirs, release.has(Change::affinity_hint_both_ways))) return false;
  const Affinity& affinity = ours.spec.affinity;
  if (event.new_pod != nullptr) return matches_terms(HowMany::all, affinity.pod.required, ours, theirs, symbols);
  const HowMany how_many = release.has(Change::affinity_hint_of_any_term) ? HowMany::any : HowMany::all;
  return matches_terms(how_many, affinity.pod_anti.required, ours, theirs, symbols) ||
         (release.has(Change::affinity_hint_both_ways) &&
          matches_terms(how_many, theirs.spec.affinity.pod_anti.required, theirs, ours, symbols));
}

}  // namespace

const FilterInfo& inter_pod_affinity_filter = FilterInfo{
    .name = "InterPodAffinity",
    .make = [](const Incoming& incoming,
               const FilterSettings&) { return std::unique_ptr<Filter>(std::make_unique<InterPodAffinity>(incoming)); },
    .looks_at = LooksAt::all_pods,
    .events = [](const Release& release) -> EventTable {
      EventTable table = {
          {assigned_pods(release), action::kAdd | action::kPodLabel | action::kDelete, affinity_may_be_met},
          {Resource::node, new_nodes_and_labels(release)}};
      if (release.has(Change::pods_told_apart)) table.push_back({Resource::target_pod, action::kPodLabel});
      return table;
    },
    .without_state = Rule::state_missing_error_reading,
    .lacks = Lacks::namespaces,
    .kai = true,
    .at_reservation = true};

}  // namespace previct::kube
