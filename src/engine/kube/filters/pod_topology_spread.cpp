#include "cluster/matching.h"
#include "engine/kube/filter.h"
#include "engine/kube/spread_counts.h"
#include "engine/kube/spread_selectors.h"
#include "engine/kube/topology_domains.h"

#include <algorithm>
#include <limits>
#include <map>

namespace previct::kube {
namespace {

/// Number of pods by topology domain, with the minimum, which is read for each node; there may be as many domains as
/// nodes.
class DomainCounts {
 public:
  DomainCounts() = default;
  /// `pods`: of domains that exist; none: the domain does not exist.
  explicit DomainCounts(const std::vector<std::optional<std::int64_t>>& pods) : counts_(pods.size()) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (!pods[i]) continue;
      counts_[i] = *pods[i];
      ++domains_with_[*pods[i]];
      ++size_;
    }
  }

  /// The domain must exist.
  void add(std::uint32_t domain, std::int64_t by) {
    const auto with = domains_with_.find(counts_[domain]);
    if (--with->second == 0) domains_with_.erase(with);
    counts_[domain] += by;
    ++domains_with_[counts_[domain]];
  }
  [[nodiscard]] auto of(std::uint32_t domain) const -> std::int64_t { return counts_[domain]; }
  [[nodiscard]] auto size() const -> std::int64_t { return size_; }
  [[nodiscard]] auto fewest() const -> std::int64_t {
    return domains_with_.empty() ? std::numeric_limits<std::int32_t>::max() : domains_with_.begin()->first;
  }

 private:
  std::vector<std::int64_t> counts_;
  std::map<std::int64_t, std::int64_t> domains_with_;  // number of domains, by number of pods
  std::int64_t size_ = 0;
};

// Returns the DoNotSchedule constraints of a pod, with the labels that matchLabelKeys adds to their selectors: its own,
// or those of the profile's arguments, for the pods that the same Services and controller select.
// Source: plugins/podtopologyspread: plugin.go getConstraints; common.go filterTopologySpreadConstraints,
// buildDefaultConstraints.
auto hard_constraints(const NodeInfoSnapshot& node_infos, const Pod& pod,
                      const std::vector<TopologySpreadConstraint>& defaults) -> std::vector<TopologySpreadConstraint> {
  const Snapshot& cluster = node_infos.cluster();
  std::vector<TopologySpreadConstraint> constraints;
  if (pod.spec.topology_spread.empty()) {
    const LabelSelector selector = defaults.empty() ? LabelSelector() : selector_by_default(cluster, pod);
    if (selector.empty()) return {};
    for (const TopologySpreadConstraint& each : defaults) {
      constraints.push_back(each);
      constraints.back().selector = selector;
    }
    return constraints;
  }
  const Symbol hard = cluster.symbol("DoNotSchedule");
  for (const TopologySpreadConstraint& each : pod.spec.topology_spread) {
    if (hard && each.when_unsatisfiable == hard)
      constraints.emplace_back(each).selector = spread_selector(node_infos, pod, each);
  }
  return constraints;
}

// DoNotSchedule constraints: for each constraint, matching pods are counted by topology domain, and the pod must not be
// placed where its domain would exceed the emptiest domain by more than maxSkew.
//
// As upstream, two passes count differently: the first leaves out terminating pods and counts nothing for an empty
// selector; changes during a trial do neither.
// Source: plugins/podtopologyspread filtering.go.
class PodTopologySpread final : public Filter {
 public:
  PodTopologySpread(const Incoming& incoming, const FilterSettings& settings)
      : incoming_(incoming),
        cluster_(incoming.cluster()),
        defaults_(settings.default_spread),
        counts_(incoming.node_infos, incoming.pod()) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    if (has_malformed_constraint(cluster_, incoming_.pod(), cluster_.symbol("DoNotSchedule")))
      return {.skip = false, .rejection = {Code::error, nullptr, {{Rule::spread_malformed}}}, .only_nodes = {}};
    for (TopologySpreadConstraint& c : hard_constraints(incoming_.node_infos, incoming_.pod(), defaults_))
      constraints_.push_back(make(std::move(c)));
    if (constraints_.empty()) return {.skip = true, .rejection = {}, .only_nodes = {}};
    for (Constraint& c : constraints_) {
      const SpreadCounts::OnNode on_node = counts_.on_nodes(c.selector);
      std::vector<std::optional<std::int64_t>> pods(c.domains->count);
      for (const NodeId node : incoming_.node_infos.nodes()) {
        if (!has_all_keys(node) || !counts_.includes(c.policies, node)) continue;
        std::optional<std::int64_t>& in_domain = pods[c.domains->of[node]];
        in_domain = in_domain.value_or(0) + on_node[node];
      }
      c.counts = DomainCounts(pods);
    }
    return {};
  }

  void enter(NodeId node) override {
    restore_to(0);
    node_ = node;
    counts_here_ = has_all_keys(node);
  }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    for (const Constraint& c : constraints_) {
      if (!c.domains->has(node_)) {
        add_reason(reasons, {Rule::spread_no_label, operand(c.key)});
        return Code::unresolvable;
      }
      const std::int64_t least = c.counts.size() >= c.min_domains ? c.counts.fewest() : 0;
      const std::int64_t skew = c.counts.of(c.domains->of[node_]) + (c.matches_itself ? 1 : 0) - least;
      if (skew <= c.max_skew) continue;
      add_reason(reasons, {Rule::spread_skew, operand(c.key), skew, c.max_skew});
      return Code::unschedulable;
    }
    return Code::success;
  }

  void add(const PodInfo& pod) override { change(pod, 1); }
  void remove(const PodInfo& pod) override { change(pod, -1); }
  void remove_without_pre_filter(const PodInfo& /*pod*/) override {}
  void save() override { saved_ = changes_.size(); }
  void restore() override { restore_to(saved_); }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    auto copy = std::make_unique<PodTopologySpread>(*this);
    copy->restore_to(0);
    return copy;
  }

 private:
  struct Constraint {
    Symbol key;
    std::int64_t max_skew = 0;
    std::int64_t min_domains = 1;
    InclusionPolicies policies{};
    bool matches_itself = false;
    std::optional<LabelSelector> selector;
    const TopologyDomains* domains = nullptr;
    DomainCounts counts{};  // a domain exists if a counted node is in it
  };
  struct Change {
    std::size_t constraint;
    std::uint32_t domain;
    std::int64_t by;
  };

  [[nodiscard]] auto make(TopologySpreadConstraint raw) const -> Constraint {
    Constraint c;
    c.key = raw.topology_key;
    c.domains = &cluster_.derived<TopologyKeys>().domains(c.key);
    c.max_skew = raw.max_skew;
    c.min_domains = std::max(raw.min_domains.value_or(1), 1);
    c.policies = InclusionPolicies(raw, cluster_);
    c.selector = std::move(raw.selector);
    c.matches_itself = selects(c, incoming_.pod());
    return c;
  }

  [[nodiscard]] auto selects(const Constraint& c, const Pod& pod) const -> bool {
    return matches(c.selector, pod.meta.labels, cluster_.objects().symbols);
  }

  [[nodiscard]] auto has_all_keys(NodeId node) const -> bool {
    return std::all_of(constraints_.begin(), constraints_.end(),
                       [&](const Constraint& c) { return c.domains->has(node); });
  }

  void change(const PodInfo& placed, std::int64_t by) {
    const Pod& pod = cluster_.pod(placed.pod);
    if (!counts_here_ || pod.meta.ns != incoming_.pod().meta.ns) return;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      Constraint& c = constraints_[i];
      if (!selects(c, pod) || !counts_.includes(c.policies, node_)) continue;
      const std::uint32_t domain = c.domains->of[node_];
      c.counts.add(domain, by);
      changes_.push_back({i, domain, by});
    }
  }

  void restore_to(std::size_t length) {
    while (changes_.size() > length) {
      const Change& last = changes_.back();
      constraints_[last.constraint].counts.add(last.domain, -last.by);
      changes_.pop_back();
    }
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  const std::vector<TopologySpreadConstraint>& defaults_;
  SpreadCounts counts_;
  std::vector<Constraint> constraints_;
  NodeId node_;
  bool counts_here_ = false;
  std::vector<Change> changes_;
  std::size_t saved_ = 0;
};

// Source: podtopologyspread/plugin.go isSchedulableAfterPodChange, isSchedulableAfterAssignedPodChange.
auto spread_may_change(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const NodeInfoSnapshot& node_infos = rejected.node_infos;
  const Pod& ours = rejected.object();
  const Pod& theirs = event.new_pod != nullptr ? *event.new_pod : *event.old_pod;
  if (theirs.meta.ns != ours.meta.ns) return false;
  if (!has_node(theirs, node_infos.release().has(kube::Change::affinity_hint_both_ways))) return false;
  const auto constraints = hard_constraints(node_infos, ours, rejected.settings.default_spread);
  return std::any_of(constraints.begin(), constraints.end(), [&](const TopologySpreadConstraint& c) {
    return matches(c.selector, theirs.meta.labels, node_infos.cluster().symbols());
  });
}

}  // namespace

const FilterInfo& pod_topology_spread_filter = FilterInfo{
    .name = "PodTopologySpread",
    .make =
        [](const Incoming& incoming, const FilterSettings& settings) {
          return std::unique_ptr<Filter>(std::make_unique<PodTopologySpread>(incoming, settings));
        },
    .looks_at = LooksAt::all_pods,
    .events = [](const Release& release) -> EventTable {
      constexpr Actions kOfOthers = action::kAdd | action::kPodLabel | action::kDelete;
      EventTable table = {{assigned_pods(release), kOfOthers, spread_may_change},
                          {Resource::node, action::kAdd | action::kDelete | action::kNodeLabel | action::kNodeTaint}};
      if (release.has(Change::queueing_hints) && release.has(Change::node_updates_told_apart))
        table.push_back({target_pod(release), action::kPodToleration});
      if (release.has(Change::pods_told_apart)) table.push_back({Resource::target_pod, action::kPodLabel});
      return table;
    },
    .without_state = Rule::state_missing_reading,
    .lacks = Lacks::default_spread,
    .at_reservation = true};

}  // namespace previct::kube
