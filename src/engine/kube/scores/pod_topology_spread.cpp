#include "cluster/matching.h"
#include "engine/kube/score.h"
#include "engine/kube/spread_selectors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace previct::kube {
namespace {

// Scores the number of matching pods that the node's topology domain already has, for ScheduleAnyway constraints.
// Source: plugins/podtopologyspread/scoring.go, common.go.
class PodTopologySpreadScore final : public Score {
 public:
  explicit PodTopologySpreadScore(const Scoring& scoring)
      : incoming_(scoring.incoming), cluster_(scoring.incoming.cluster()), settings_(scoring.settings) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const PodSpec& spec = incoming_.pod().spec;
    strict_ = !spec.topology_spread.empty() || !settings_.system_spread;
    spec.topology_spread.empty() ? use_defaults() : use_own();
    if (constraints_.empty()) return {.skip = true, .error = {}};
    count();
    return {};
  }

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
      if (!cluster_.node(node).meta.labels.has(c.key)) continue;
      const std::int64_t count = c.by_host ? (*c.on_node)[node] : c.counts[c.domain[node]];
      sum += static_cast<double>(count) * c.weight + static_cast<double>(c.max_skew - 1);
    }
    return static_cast<std::int64_t>(std::round(sum));
  }

  [[nodiscard]] auto normalizes() const -> bool override { return true; }
  [[nodiscard]] auto leaves_out(NodeId node) const -> bool override { return left_out_[node] != 0; }
  [[nodiscard]] auto normalized(std::int64_t score, const ScoreRange& all) const -> std::int64_t override {
    if (all.highest <= 0) return kMaxNodeScore;
    return kMaxNodeScore * (all.highest + all.lowest - score) / all.highest;
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override { return doubt_; }

  // Objects missing from the input may select by any subset of the pod's labels, besides those known to be selected.
  [[nodiscard]] auto alternatives(std::span<const NodeId> nodes) const
      -> std::vector<std::vector<std::int64_t>> override {
    const LabelSelector known = selector_by_default(cluster_, incoming_.pod());
    const std::vector<SymbolMap::Entry> labels = labels_that_differ(known);
    constexpr std::size_t kMostLabels = 6;
    if (labels.size() > kMostLabels) return {};
    // What is the same for all subsets.
    const std::vector<Labelled> pods = labelled(known, labels);
    PodTopologySpreadScore other({.incoming = incoming_, .settings = settings_});
    other.strict_ = strict_;
    other.use_defaults_for(known, std::make_shared<OnNode>(cluster_.nodes().size()));
    other.count();
    for (const NodeId node : nodes) other.add(node);
    (void)other.update();
    std::set<std::vector<std::int64_t>> found;
    const std::uint32_t all = (1U << labels.size()) - 1;
    for (std::uint32_t subset = 0; subset <= all; ++subset) {
      const bool selects = subset != 0 || !known.empty();  // an empty selector counts no pods
      found.insert(selects ? other.with(pods, subset, nodes) : std::vector<std::int64_t>(nodes.size(), 0));
    }
    return {found.begin(), found.end()};
  }

 private:
  static constexpr std::uint32_t kNoDomain = UINT32_MAX;
  using OnNode = IdVector<NodeId, std::int64_t>;

  struct Constraint {
    Symbol key;
    std::int64_t max_skew = 0;
    bool by_host = false;
    bool honors_affinity = true;
    bool honors_taints = false;
    std::optional<LabelSelector> selector;
    std::shared_ptr<const OnNode> on_node;     // number of matching pods
    IdVector<NodeId, std::uint32_t> domain{};  // by the value of the label
    std::vector<std::int64_t> counts{};        // of pods, by domain
    std::vector<std::uint32_t> found{};        // number of current nodes, by domain
    std::uint32_t values = 0;                  // number of domains of current nodes
    std::uint32_t weighed = kNoDomain;         // the `values` for which `weight` was computed
    double weight = 0;
  };

  // A placed pod that matches what is known to be selected.
  struct Labelled {
    NodeId node;
    std::uint32_t has = 0;  // a bit for each label in question that it has
  };
  [[nodiscard]] auto labelled(const LabelSelector& known, const std::vector<SymbolMap::Entry>& labels) const
      -> std::vector<Labelled> {
    const NodeInfoSnapshot& node_infos = incoming_.node_infos;
    std::vector<Labelled> found;
    for (const PodId id : node_infos.pods_of(incoming_.pod().meta.ns)) {
      const Pod& pod = cluster_.pod(id);
      Labelled each{.node = node_infos.place_of(id)};
      if (!each.node || pod.meta.deleting || !matches(known, pod.meta.labels, cluster_.symbols())) continue;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto [key, value] = labels[i];
        if (pod.meta.labels.get(key) == value) each.has |= 1U << i;
      }
      found.push_back(each);
    }
    return found;
  }

  // Returns the normalized scores of the nodes, which have been added, if all pods with the labels of `subset` count.
  [[nodiscard]] auto with(const std::vector<Labelled>& pods, std::uint32_t subset, std::span<const NodeId> nodes)
      -> std::vector<std::int64_t> {
    const auto counts = std::make_shared<OnNode>(cluster_.nodes().size());
    for (const Labelled& each : pods) {
      if ((each.has & subset) == subset) ++(*counts)[each.node];
    }
    for (Constraint& c : constraints_) {
      c.on_node = counts;
      std::fill(c.counts.begin(), c.counts.end(), std::int64_t{0});
    }
    count_pods();
    std::vector<std::int64_t> scores(nodes.size(), 0);
    ScoreRange extent{INT64_MAX, INT64_MIN};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] = of(nodes[i]);
      if (leaves_out(nodes[i])) continue;
      extent = {std::min(extent.lowest, scores[i]), std::max(extent.highest, scores[i])};
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] = leaves_out(nodes[i]) ? 0 : normalized(scores[i], extent);
    return scores;
  }

  // Returns the pod's labels in which placed pods that match `known` differ; one of each set that selects the same
  // pods. Where `known` selects by a label already, upstream takes for granted that no other object selects another
  // value. Source: kubernetes/kubernetes pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector, v1.35.
  [[nodiscard]] auto labels_that_differ(const LabelSelector& known) const -> std::vector<SymbolMap::Entry> {
    const NodeInfoSnapshot& node_infos = incoming_.node_infos;
    std::map<std::vector<PodId>, SymbolMap::Entry> by_pods;
    std::vector<PodId> all;
    for (const PodId id : node_infos.pods_of(incoming_.pod().meta.ns)) {
      const Pod& pod = cluster_.pod(id);
      if (node_infos.place_of(id) && !pod.meta.deleting && matches(known, pod.meta.labels, cluster_.symbols()))
        all.push_back(id);
    }
    for (const auto& label : incoming_.pod().meta.labels) {
      if (known.match_labels.has(label.first)) continue;
      std::vector<PodId> pods;
      for (const PodId id : all) {
        if (cluster_.pod(id).meta.labels.get(label.first) == label.second) pods.push_back(id);
      }
      if (pods != all || known.empty()) by_pods.emplace(std::move(pods), label);
    }
    std::vector<SymbolMap::Entry> labels;
    for (const auto& [pods, label] : by_pods) labels.push_back(label);
    return labels;
  }

  void use_own() {
    const Symbol soft = cluster_.symbol("ScheduleAnyway");
    for (const TopologySpreadConstraint& c : incoming_.pod().spec.topology_spread) {
      if (!soft || c.when_unsatisfiable != soft) continue;
      constraints_.push_back(make(c, spread_selector(incoming_.node_infos, incoming_.pod(), c)));
      constraints_.back().on_node = matching(constraints_.back().selector);
    }
  }

  void use_defaults() {
    if (settings_.default_spread.empty()) return;
    const LabelSelector selector = selector_by_default(cluster_, incoming_.pod());
    doubt_ = doubt_of_default_spread(cluster_, incoming_.pod());
    if (!selector.empty()) use_defaults_for(selector, matching(selector));
  }
  void use_defaults_for(const LabelSelector& selector, const std::shared_ptr<const OnNode>& on_node) {
    for (const TopologySpreadConstraint& c : settings_.default_spread) {
      constraints_.push_back(make(c, selector));
      constraints_.back().on_node = on_node;
    }
  }

  [[nodiscard]] auto make(const TopologySpreadConstraint& raw, std::optional<LabelSelector> selector) const
      -> Constraint {
    Constraint c;
    c.key = raw.topology_key;
    c.max_skew = raw.max_skew;
    c.by_host = cluster_.text(raw.topology_key) == "kubernetes.io/hostname";
    c.honors_affinity = cluster_.text(raw.node_affinity_policy) != "Ignore";
    c.honors_taints = cluster_.text(raw.node_taints_policy) == "Honor";
    c.selector = std::move(selector);
    return c;
  }

  // An empty selector counts no pods.
  [[nodiscard]] auto matching(const std::optional<LabelSelector>& selector) const -> std::shared_ptr<const OnNode> {
    auto counts = std::make_shared<OnNode>(cluster_.nodes().size());
    if (!selector || selector->empty()) return counts;
    const NodeInfoSnapshot& node_infos = incoming_.node_infos;
    for (const PodId id : node_infos.pods_of(incoming_.pod().meta.ns)) {
      const NodeId node = node_infos.place_of(id);
      const Pod& pod = cluster_.pod(id);
      if (node && !pod.meta.deleting && matches(*selector, pod.meta.labels, cluster_.symbols())) ++(*counts)[node];
    }
    return counts;
  }

  void count() {
    const std::size_t nodes = cluster_.nodes().size();
    for (Constraint& c : constraints_) {
      c.domain = IdVector<NodeId, std::uint32_t>(nodes, kNoDomain);
      std::unordered_map<std::uint32_t, std::uint32_t> domains;
      for (const NodeId node : cluster_.nodes().ids()) {
        const Symbol value = value_of(c, node);
        if (value || !strict_) c.domain[node] = domains.try_emplace(value.index, domains.size()).first->second;
      }
      c.counts.resize(domains.size());
      c.found.resize(domains.size());
    }
    left_out_ = IdVector<NodeId, char>(nodes);
    for (const NodeId node : cluster_.nodes().ids()) left_out_[node] = strict_ && !has_all_keys(node) ? 1 : 0;
    count_pods();
  }

  // Counts over all nodes, current or not: only the domains of current nodes are read.
  void count_pods() {
    for (Constraint& c : constraints_) {
      if (c.by_host) continue;
      for (const NodeId node : cluster_.nodes().ids()) {
        const std::int64_t count = (*c.on_node)[node];
        if (count != 0 && !leaves_out(node) && included(c, node)) c.counts[c.domain[node]] += count;
      }
    }
  }

  [[nodiscard]] auto included(const Constraint& c, NodeId id) const -> bool {
    const PodSpec& spec = incoming_.pod().spec;
    const Node& node = cluster_.node(id);
    if (c.honors_affinity && !matches_required_affinity(spec, node, cluster_)) return false;
    return !c.honors_taints || first_untolerated_taint(spec, node, cluster_.known(),
                                                       incoming_.node_infos.numbers_in_tolerations()) == nullptr;
  }

  // A missing label counts as an empty one.
  [[nodiscard]] auto value_of(const Constraint& c, NodeId node) const -> Symbol {
    const Symbol value = cluster_.node(node).meta.labels.get(c.key);
    return strict_ || !cluster_.text(value).empty() ? value : Symbol{};
  }

  [[nodiscard]] auto has_all_keys(NodeId node) const -> bool {
    const SymbolMap& labels = cluster_.node(node).meta.labels;
    return std::all_of(constraints_.begin(), constraints_.end(),
                       [&](const Constraint& c) { return labels.has(c.key); });
  }

  void change(NodeId node, bool comes) {
    if (constraints_.empty() || leaves_out(node)) return;
    comes ? ++nodes_ : --nodes_;
    for (Constraint& c : constraints_) {
      std::uint32_t& there = c.found[c.domain[node]];
      if (comes && there++ == 0) ++c.values;
      if (!comes && --there == 0) --c.values;
    }
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  const ScoreSettings& settings_;
  bool strict_ = true;
  std::vector<Constraint> constraints_;
  IdVector<NodeId, char> left_out_;
  std::uint32_t nodes_ = 0;  // current nodes that are not left out
  std::optional<Gap> doubt_;
};

}  // namespace

const ScoreInfo& pod_topology_spread_score = ScoreInfo{
    "PodTopologySpread",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<PodTopologySpreadScore>(scoring)); },
    Rule::score_error_reading};

}  // namespace previct::kube
