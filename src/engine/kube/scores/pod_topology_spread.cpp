#include "cluster/matching.h"
#include "engine/kube/score.h"
#include "engine/kube/spread_counts.h"
#include "engine/kube/spread_selectors.h"
#include "engine/kube/topology_domains.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace previct::kube {
namespace {

// Scores the number of matching pods that the node's topology domain already has, for ScheduleAnyway constraints.
// Source: plugins/podtopologyspread/scoring.go, common.go.
class PodTopologySpreadScore final : public Score {
 public:
  explicit PodTopologySpreadScore(const Scoring& scoring)
      : incoming_(scoring.incoming),
        cluster_(scoring.incoming.cluster()),
        settings_(scoring.settings),
        pods_(scoring.incoming.node_infos, scoring.incoming.pod()) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const PodSpec& spec = incoming_.pod().spec;
    if (has_malformed_constraint(cluster_, incoming_.pod(), cluster_.symbol("ScheduleAnyway")))
      return {.skip = false, .error = Reason{Rule::soft_spread_malformed}};
    strict_ = !spec.topology_spread.empty() || !settings_.system_spread;
    spec.topology_spread.empty() ? use_defaults() : use_own();
    if (constraints_.empty()) return {.skip = true, .error = {}};
    count();
    return {};
  }

  [[nodiscard]] auto counts_nodes() const -> bool override { return true; }
  void add(NodeId node) override { change(node, true); }
  void remove(NodeId node) override { change(node, false); }
  [[nodiscard]] auto update() -> bool override {
    bool other = false;
    for (Constraint& c : constraints_) {
      const std::uint32_t values = c.by_host ? nodes_ : c.values;
      other = other || values != c.weighed;
      if (values == c.weighed) continue;
      c.weighed = values;
      c.weight = std::log(static_cast<double>(values) + 2);
    }
    return other;
  }

  // A label counts even if its value is empty.
  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override {
    if (leaves_out(node)) return 0;
    double sum = 0;
    for (const Constraint& c : constraints_) {
      if (!c.labelled->has(node)) continue;
      const std::int64_t count = c.by_host ? (*c.on_node)[node] : c.counts[c.domains->of[node]];
      sum += static_cast<double>(count) * c.weight + static_cast<double>(c.max_skew - 1);
    }
    return static_cast<std::int64_t>(std::round(sum));
  }

  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto leaves_out(NodeId node) const -> bool override { return strict_ && left_out_[node] != 0; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    if (all.highest <= 0) return kMaxNodeScore;
    return kMaxNodeScore * (all.highest + all.lowest - score) / all.highest;
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override { return doubt_; }

  // Objects missing from the input may select by any subset of the pod's labels, besides those known to be selected.
  [[nodiscard]] auto alternatives(std::span<const NodeId> nodes) const
      -> std::vector<std::vector<std::int64_t>> override {
    const LabelSelector known = selector_by_default(cluster_, incoming_.pod());
    const std::optional<Selections> selections = possible_selections(known);
    if (!selections) return {};
    PodTopologySpreadScore other({.incoming = incoming_, .settings = settings_});
    other.strict_ = strict_;
    OnNode counts(cluster_.nodes().size());
    other.use_defaults_for(std::shared_ptr<const OnNode>(std::shared_ptr<void>(), &counts));
    other.count();
    for (const NodeId node : nodes) other.add(node);
    (void)other.update();
    std::vector<std::vector<std::int64_t>> found;
    if (known.empty()) found.emplace_back(nodes.size(), 0);  // an empty selector counts no pods
    for (const std::vector<std::uint32_t>& labels : selections->sets) {
      for (const std::uint32_t each : labels) {
        for (const NodeId node : selections->places[each]) ++counts[node];
      }
      found.push_back(other.with(labels, selections->places, nodes));
      for (const std::uint32_t each : labels) {
        for (const NodeId node : selections->places[each]) counts[node] = 0;
      }
    }
    return found;
  }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  using OnNode = SpreadCounts::OnNode;

  struct Constraint {
    std::int64_t max_skew = 0;
    bool by_host = false;
    InclusionPolicies policies{};
    std::shared_ptr<const OnNode> on_node;      // number of matching pods
    const TopologyDomains* labelled = nullptr;  // of nodes that have the label
    const TopologyDomains* domains = nullptr;   // a missing label counts as an empty one unless constraints are strict
    // Unless by host:
    std::vector<std::int64_t> counts{};  // of pods, by domain
    std::vector<std::uint32_t> found{};  // number of current nodes, by domain
    std::uint32_t values = 0;            // number of domains of current nodes
    std::uint32_t weighed = kUnknown;    // the `values` for which `weight` was computed
    double weight = 0;
  };

  /// The sets of pods that may be selected.
  struct Selections {
    std::vector<std::vector<NodeId>> places;      ///< the nodes of pods, by which labels in question they have (bits)
    std::set<std::vector<std::uint32_t>> sets{};  ///< indexes of non-empty `places`
  };

  // Returns the normalized scores of the nodes, which have been added, if the pods with these labels count.
  [[nodiscard]] auto with(const std::vector<std::uint32_t>& labels, const std::vector<std::vector<NodeId>>& places,
                          std::span<const NodeId> nodes) -> std::vector<std::int64_t> {
    for (Constraint& c : constraints_) {
      if (c.by_host) continue;
      std::fill(c.counts.begin(), c.counts.end(), std::int64_t{0});
      for (const std::uint32_t each : labels) {
        for (const NodeId node : places[each]) count(c, node, 1);
      }
    }
    std::vector<std::int64_t> scores(nodes.size(), 0);
    ScoreRange extent{INT64_MAX, INT64_MIN};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (leaves_out(nodes[i])) continue;
      scores[i] = of(nodes[i]);
      extent = {std::min(extent.lowest, scores[i]), std::max(extent.highest, scores[i])};
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!leaves_out(nodes[i])) scores[i] = normalized(scores[i], extent);
    }
    return scores;
  }

  // Returns the sets of pods that may be selected; nothing if there are too many sets. Where `known` selects by a label
  // already, upstream takes for granted that no other object selects another value. Source: kubernetes/kubernetes
  // pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector, v1.35.
  [[nodiscard]] auto possible_selections(const LabelSelector& known) const -> std::optional<Selections> {
    PodsByLabel& lists = incoming_.node_infos.pods_by_label();
    const Symbol ns = incoming_.pod().meta.ns;
    std::vector<PodId> all;
    if (!known.empty()) {
      for (const PodId id : lists.near(ns, known)) {
        if (pods_.counts(known, id)) all.push_back(id);
      }
    }
    std::set<std::vector<PodId>> of_labels;  // labels that select the same pods count once
    for (const SymbolMap::Entry& label : incoming_.pod().meta.labels) {
      if (known.match_labels.has(label.first)) continue;
      std::vector<PodId> with_label;
      for (const PodId id : lists.with(ns, label)) {
        if (pods_.counts(known, id)) with_label.push_back(id);
      }
      if (known.empty() || with_label.size() != all.size()) of_labels.insert(std::move(with_label));
    }
    constexpr std::size_t kMostLabels = 6;
    if (of_labels.size() > kMostLabels) return {};
    const std::uint32_t subsets = std::uint32_t{1} << of_labels.size();
    constexpr std::uint8_t kListed = 1U << 7;
    IdVector<PodId, std::uint8_t> labels(cluster_.pods().size());
    std::uint8_t bit = 1;
    for (const std::vector<PodId>& with_label : of_labels) {
      for (const PodId id : with_label) labels[id] |= bit;
      bit = static_cast<std::uint8_t>(bit << 1);
    }
    Selections found{.places = std::vector<std::vector<NodeId>>(subsets)};
    const auto list = [&](PodId id) {
      if ((labels[id] & kListed) != 0) return;
      found.places[labels[id]].push_back(incoming_.node_infos.place_of(id));
      labels[id] |= kListed;
    };
    std::for_each(all.begin(), all.end(), list);
    for (const std::vector<PodId>& with_label : of_labels) std::for_each(with_label.begin(), with_label.end(), list);
    for (std::uint32_t subset = known.empty() ? 1 : 0; subset < subsets; ++subset) {
      std::vector<std::uint32_t> selected;
      for (std::uint32_t has = 0; has < subsets; ++has) {
        if ((has & subset) == subset && !found.places[has].empty()) selected.push_back(has);
      }
      found.sets.insert(std::move(selected));
    }
    return found;
  }

  void use_own() {
    const Symbol soft = cluster_.symbol("ScheduleAnyway");
    for (const TopologySpreadConstraint& c : incoming_.pod().spec.topology_spread) {
      if (!soft || c.when_unsatisfiable != soft) continue;
      add_constraint(c, matching(spread_selector(incoming_.node_infos, incoming_.pod(), c)));
    }
  }

  void use_defaults() {
    if (settings_.default_spread.empty()) return;
    const LabelSelector selector = selector_by_default(cluster_, incoming_.pod());
    doubt_ = doubt_of_default_spread(cluster_, incoming_.pod());
    if (!selector.empty()) use_defaults_for(matching(selector));
  }
  void use_defaults_for(const std::shared_ptr<const OnNode>& on_node) {
    for (const TopologySpreadConstraint& c : settings_.default_spread) add_constraint(c, on_node);
  }

  void add_constraint(const TopologySpreadConstraint& raw, std::shared_ptr<const OnNode> on_node) {
    Constraint& c = constraints_.emplace_back();
    c.on_node = std::move(on_node);
    auto& keys = cluster_.derived<TopologyKeys>();
    c.labelled = &keys.domains(raw.topology_key);
    c.domains = strict_ ? c.labelled : &keys.domains_of_all(raw.topology_key);
    c.max_skew = raw.max_skew;
    c.by_host = cluster_.text(raw.topology_key) == "kubernetes.io/hostname";
    c.policies = InclusionPolicies(raw, cluster_);
  }

  [[nodiscard]] auto matching(const std::optional<LabelSelector>& selector) const -> std::shared_ptr<const OnNode> {
    return std::make_shared<const OnNode>(pods_.on_nodes(selector));
  }

  void count() {
    if (strict_) left_out_ = IdVector<NodeId, char>(cluster_.nodes().size());
    for (Constraint& c : constraints_) {
      if (strict_) {
        for (const NodeId node : cluster_.nodes().ids()) {
          if (!c.labelled->has(node)) left_out_[node] = 1;
        }
      }
      if (c.by_host) continue;
      c.counts.resize(c.domains->count);
      c.found.resize(c.domains->count);
    }
    // Over all nodes, current or not: only the domains of current nodes are read.
    for (Constraint& c : constraints_) {
      if (c.by_host) continue;
      for (const NodeId node : cluster_.nodes().ids()) {
        if (const std::int64_t pods = (*c.on_node)[node]; pods != 0) count(c, node, pods);
      }
    }
  }

  void count(Constraint& c, NodeId node, std::int64_t pods) const {
    if (!leaves_out(node) && pods_.includes(c.policies, node)) c.counts[c.domains->of[node]] += pods;
  }

  void change(NodeId node, bool comes) {
    if (constraints_.empty() || leaves_out(node)) return;
    comes ? ++nodes_ : --nodes_;
    for (Constraint& c : constraints_) {
      if (c.by_host) continue;
      std::uint32_t& there = c.found[c.domains->of[node]];
      if (comes && there++ == 0) ++c.values;
      if (!comes && --there == 0) --c.values;
    }
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  const ScoreSettings& settings_;
  SpreadCounts pods_;
  bool strict_ = true;
  std::vector<Constraint> constraints_;
  IdVector<NodeId, char> left_out_;  // if constraints are strict
  std::uint32_t nodes_ = 0;          // current nodes that are not left out
  std::optional<Gap> doubt_;
};

}  // namespace

const ScoreInfo& pod_topology_spread_score = ScoreInfo{
    "PodTopologySpread",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<PodTopologySpreadScore>(scoring)); },
    Rule::score_error_reading};

}  // namespace previct::kube
