#include "engine/kube/attempt.h"

#include "base/contains.h"
#include "engine/kube/devices/findings.h"
#include "engine/kube/pinned_attempts.h"
#include "engine/kube/post_filters.h"
#include "engine/kube/resource_claims.h"
#include "engine/kube/smallest_sets.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace previct::kube {
namespace {

/// Replaces a filter whose PreFilter is disabled: it fails wherever it runs.
class StateMissing final : public Filter {
 public:
  StateMissing(const FilterInfo& info, Rule rule, std::unique_ptr<Filter> filter)
      : info_(info), rule_(rule), filter_(std::move(filter)) {}

  void enter(NodeId node) override { filter_->enter(node); }
  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (const Code code = filter_->check_without_state(reasons); code != Code::success) return code;
    add_reason(reasons, {rule_, rank_of(info_)});
    return Code::error;
  }
  void add(const PodInfo& pod) override { filter_->add(pod); }
  void remove(const PodInfo& pod) override { filter_->remove(pod); }
  void save() override { filter_->save(); }
  void restore() override { filter_->restore(); }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<StateMissing>(info_, rule_, filter_->clone());
  }

 private:
  const FilterInfo& info_;
  Rule rule_;
  std::unique_ptr<Filter> filter_;
};

class Attempt {
 public:
  Attempt(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile, Instant now,
          const AttemptOptions& options)
      : node_infos_(node_infos),
        cluster_(node_infos.cluster()),
        budgets_(budgets),
        profile_(profile),
        options_(options),
        now_(now),
        incoming_{node_infos, node_infos.incoming(pod)},
        nominated_(node_infos.node_count()) {}

  auto run() -> Decision {
    if (pod().spec.node_name) return ended(Ending::assigned);
    if (is_gated(incoming_.placed.pod)) return ended(Ending::gated);
    if (pod().meta.deleting) return ended(Ending::deleting);
    look_for_devices();
    read_tolerances();
    if (options_.all_tolerances) list_tolerances();
    if (node_infos_.node_count() == 0) return ended(Ending::no_nodes);

    collect_nominated();
    pre_filter();
    as_group();
    if (result_.as_group()) return std::move(result_);
    filter_all_nodes();
    // If the pod fits there, no other node is tried, and errors on other nodes do not occur.
    result_.nominated_used = own_nominated_ && result_.nodes[own_nominated_].filter.ok();
    if (filter_error_ && !result_.nominated_used) {
      result_.error_may_be_missed = result_.feasible.size() > nodes_to_find();
      result_.feasible.clear();
      return ended(Ending::error);
    }
    if (!result_.feasible.empty()) {
      if (!result_.nominated_used) forget_trial();
      result_.score = select();
      if (!result_.score) return ended(Ending::scheduled);
      result_.feasible.clear();
      result_.selection.reset();
      return ended(Ending::error);
    }
    post_filter();
    return std::move(result_);
  }

  // ---- one node at a time (pinned_attempts.h)

  // Runs what does not depend on the node.
  void begin() {
    look_for_devices();
    read_tolerances();
    collect_nominated();
    pre_filter();
    result_.nodes.items().resize(node_infos_.node_count());
    for (NodeVerdict& verdict : result_.nodes) verdict.filter = outside_node_set(nullptr);
  }

  // Decides as run() does if only this node is in the set that PreFilter returns.
  auto on_node(NodeId node, Instant now, RequestBounds& requests) -> Decision& {
    now_ = Moment(now);
    forget_decision();
    last_node_ = node;
    NodeVerdict& verdict = result_.nodes[node];
    trial_.vary(&requests);
    trial_.enter(node);
    verdict.filter = result_.pre_filter         ? *result_.pre_filter
                     : admits_[node.index] != 0 ? trial_.check(nominated_[node])
                                                : outside_node_set(nullptr);
    if (verdict.filter.ok()) {
      result_.feasible.push_back(node);
      result_.score = select();
      result_.ending = Ending::scheduled;
    } else if (verdict.filter.code == Code::error) {
      result_.ending = Ending::error;
    } else {
      list_tolerances_on(node);
      run_plugins_after_failure();
    }
    result_.next_change = now_.horizon();
    return result_;
  }

  [[nodiscard]] auto may_run_on(NodeId node, RequestBounds& requests) -> bool {
    if (result_.pre_filter) return result_.pre_filter->code == Code::unschedulable;
    if (admits_[node.index] == 0) return false;
    trial_.vary(&requests);
    trial_.enter(node);
    return trial_.check(nominated_[node]).code != Code::unresolvable;
  }

  // ---- all nodes on which preemption works (smallest_sets.h)

  void look_for_better_sets(const Decision& decision, SmallestSets& sets) {
    begin();
    const bool tolerated = decision.decided_by == PostFilter::Kind::preemption_toleration;
    VictimSearch search(node_infos_, incoming_, NodeTrial(trial_), budgets_, tolerated ? &*tolerances_ : nullptr,
                        nominated_);
    for (const NodeId node : decision.candidates) search.look_for_better_sets(node, now_, sets);
  }

  [[nodiscard]] auto potential_victims(NodeId node, Moment& now) const -> std::vector<PodId> {
    std::vector<PodId> pods;
    if (profile_.preempting() == Preempting::never) return pods;
    const bool tolerated = profile_.preempting() == Preempting::with_tolerations;
    for (const PodInfo& each : node_infos_.pods_on(node)) {
      if (each.priority >= incoming_.placed.priority) continue;
      if (tolerated && tolerances_->of(each, now).answer == Tolerance::Answer::yes) continue;
      pods.push_back(each.pod);
    }
    return pods;
  }

 private:
  [[nodiscard]] auto pod() const -> const Pod& { return incoming_.pod(); }

  void read_tolerances() {
    if (!profile_.tolerates()) return;
    tolerances_.emplace(cluster_, pod().spec.priority, pod().spec.preemption_policy == cluster_.known().never);
  }

  // Forgets what on_node() found before.
  void forget_decision() {
    if (last_node_) {
      result_.nodes[last_node_] = {};
      result_.nodes[last_node_].filter = outside_node_set(nullptr);
    }
    result_.feasible.clear();
    result_.selection.reset();
    result_.steps.clear();
    result_.eligibility.reset();
    result_.candidates.clear();
    result_.choice = {};
    result_.orders.reset();
    result_.tolerances.clear();
  }

  auto ended(Ending ending) -> Decision {
    result_.ending = ending;
    result_.next_change = now_.horizon();
    return std::move(result_);
  }

  void look_for_devices() {
    const bool devices = std::any_of(profile_.filters.begin(), profile_.filters.end(),
                                     [](const FilterInfo* info) { return info->name == "DynamicResources"; });
    if (!devices) return;
    const auto findings = std::make_shared<devices::Findings>(now_.now());
    incoming_.devices = findings.get();
    result_.devices = findings;
  }

  // Returns true if a PreEnqueue plugin holds the pod back. For the pod in question, records the reason in the
  // decision.
  auto is_gated(PodId id) -> bool {
    const std::optional<Hold> hold = held_before_queue(node_infos_, profile_, id);
    if (hold && id == incoming_.placed.pod) {
      result_.gate = hold->reason;
      result_.gate_plugin = hold->plugin;
    }
    return hold.has_value();
  }

  // Chooses among the feasible nodes, or returns the error of that choice.
  auto select() -> std::optional<Reason> {
    if (result_.nominated_used || result_.feasible.size() == 1) {
      const NodeId node = result_.nominated_used ? own_nominated_ : result_.feasible.front();
      result_.selection.emplace();
      result_.selection->by = result_.nominated_used ? SelectedBy::nominated : SelectedBy::only_node;
      result_.selection->best = result_.selection->possible = {node};
      result_.selection->first = node;
      return {};
    }
    const std::vector<char> searched = allowed_nodes();
    SelectionResult found = select_node({.incoming = incoming_,
                                         .profile = profile_,
                                         .feasible = result_.feasible,
                                         .nodes_to_find = nodes_to_find(),
                                         .searched = searched,
                                         .chooses = options_.chooses});
    if (found.error) return found.error;
    result_.selection = std::move(found.selection);
    return score_fault_of_devices();
  }

  // Source: plugins/dynamicresources Score, getStateData.
  [[nodiscard]] auto score_fault_of_devices() const -> std::optional<Reason> {
    const bool scores = std::any_of(profile_.scores.begin(), profile_.scores.end(),
                                    [](const ScorePlugin& plugin) { return plugin.name == "DynamicResources"; });
    if (!scores) return {};
    const FilterInfo& info = *find_filter("DynamicResources");
    if (!result_.resources_prepared) return Reason{Rule::score_not_found, rank_of(info)};
    if (const auto open = claims_left_out()) return Reason{Rule::score_of_devices, rank_of(info), *open};
    return {};
  }

  // Returns the number of claims that get devices in this attempt, if Score wrongly expects all claims to get some.
  [[nodiscard]] auto claims_left_out() const -> std::optional<std::int64_t> {
    if (!node_infos_.release().has(Change::score_wants_all_claims)) return {};
    const PodResourceClaims claims = resource_claims_of(cluster_, incoming_.placed.pod);
    if (!claims.mixed()) return {};
    return std::count_if(claims.claims.begin(), claims.claims.end(),
                         [](const ResourceClaim* claim) { return !claim->status.allocation; });
  }

  // Lists tolerances for the answer's table; upstream evaluates them on the nodes that it tries. Unless results are
  // recorded, only pods that tolerate are listed.
  void list_tolerances() {
    if (tolerances_ && options_.records_results) result_.tolerances.reserve(node_infos_.cluster().pods().size());
    for (const NodeId node : node_infos_.nodes()) list_tolerances_on(node);
  }
  void list_tolerances_on(NodeId node) {
    if (!tolerances_) return;
    for (const PodInfo& p : node_infos_.pods_on(node)) {
      if (p.priority >= incoming_.placed.priority) continue;
      const Tolerance tolerance = tolerances_->of(p, now_);
      if (options_.records_results || tolerance.answer == Tolerance::Answer::yes)
        result_.tolerances.push_back({p.pod, node, tolerance});
    }
  }

  // Pods nominated to a node count there for incoming pods of at most their priority, if their profile shares the
  // queue.
  // Source: pkg/scheduler/eventhandlers.go responsibleForPod; backend/queue/nominator.go.
  void collect_nominated() {
    std::vector<Symbol> schedulers = {scheduler_of(pod())};
    for (const std::string& name : profile_.others_in_queue) schedulers.push_back(cluster_.symbol(name));
    for (const PodId id : node_infos_.nominees()) {
      const Pod& other = cluster_.pod(id);
      if (id == incoming_.placed.pod) continue;
      const bool queued = std::find(schedulers.begin(), schedulers.end(), scheduler_of(other)) != schedulers.end();
      if (!queued) continue;
      if (!node_infos_.release().has(Change::held_pods_are_nominated) && is_gated(id)) continue;
      if (other.spec.priority < incoming_.placed.priority) continue;
      if (other.meta.uid && other.meta.uid == pod().meta.uid) continue;
      const NodeId node = cluster_.find_node(other.status.nominated_node_name);
      if (node) nominated_.add(node, node_infos_.nominated(id));
    }
  }

  [[nodiscard]] auto scheduler_of(const Pod& p) const -> Symbol {
    return p.spec.scheduler_name ? p.spec.scheduler_name : cluster_.known().default_scheduler;
  }

  void pre_filter() {
    std::vector<std::pair<const FilterInfo*, std::unique_ptr<Filter>>> prepared;  // null: skipped
    std::optional<Status> rejected;
    for (const FilterInfo* info : profile_.pre_filters) {
      std::unique_ptr<Filter> filter = info->make(incoming_, profile_.settings);
      Prepared found = filter->prepare();
      result_.resources_prepared = result_.resources_prepared || info->name == "DynamicResources";
      if (!found.rejection.ok()) {
        rejected = std::move(found.rejection);
        rejected->plugin = info;
        if (rejected->code != Code::unschedulable) break;
        continue;
      }
      prepared.emplace_back(info, found.skip ? nullptr : std::move(filter));
      if (!found.only_nodes) continue;
      // Of upstream's plugins only NodeAffinity returns node names, and never an empty set, so no sets are intersected.
      result_.pre_filter_nodes = std::move(found.only_nodes);
      node_set_plugin_ = info;
    }
    result_.pre_filter = std::move(rejected);
    admits_ = allowed_nodes();
    for (const FilterInfo* info : profile_.filters) {
      const auto found = std::find_if(prepared.begin(), prepared.end(), [&](const auto& p) { return p.first == info; });
      if (found == prepared.end()) {
        trial_.use(*info, unprepared(*info));
      } else if (found->second) {
        trial_.use(*info, std::move(found->second));
      }
    }
  }

  // Creates a filter that has no PreFilter, or whose PreFilter does not run.
  [[nodiscard]] auto unprepared(const FilterInfo& info) const -> std::unique_ptr<Filter> {
    std::unique_ptr<Filter> filter = info.make(incoming_, profile_.settings);
    if (info.without_state) return std::make_unique<StateMissing>(info, *info.without_state, std::move(filter));
    filter->skip_pre_filter();
    return filter;
  }

  // The rejecting plugins as a bit set over their ranks: the plugin that returned the node set, and `other` if it
  // refused.
  [[nodiscard]] auto outside_node_set(const FilterInfo* other) const -> Status {
    const auto bit = [](const FilterInfo* info) { return info == nullptr ? 0 : std::int64_t{1} << rank_of(*info); };
    return {Code::unresolvable, nullptr, {{Rule::outside_node_set, bit(node_set_plugin_) | bit(other)}}};
  }

  // By node: whether it is in the set that PreFilter returns.
  [[nodiscard]] auto allowed_nodes() const -> std::vector<char> {
    std::vector<char> allowed(node_infos_.node_count(), result_.pre_filter_nodes ? 0 : 1);
    if (!result_.pre_filter_nodes) return allowed;
    for (const Symbol name : *result_.pre_filter_nodes) {
      if (const NodeId node = cluster_.find_node(name)) allowed[node.index] = 1;
    }
    return allowed;
  }

  // Returns the kind of those pods of the group that request the same as this one. Pods of the group do not count as
  // nominated here.
  [[nodiscard]] auto kind_of(const std::vector<PodId>& group, std::size_t count) const -> MemberKind {
    NominatedPods nominated(node_infos_.node_count());
    for (const NodeId node : nominated_.nodes()) {
      for (const PodInfo& placed : nominated_[node]) {
        if (std::find(group.begin(), group.end(), placed.pod) == group.end()) nominated.add(node, placed);
      }
    }
    return {.incoming = incoming_,
            .trial = NodeTrial(trial_),
            .nominated = std::move(nominated),
            .allowed = result_.pre_filter ? std::vector<char>() : admits_,
            .count = static_cast<std::int64_t>(count)};
  }

  // Places the pod together with the other waiting pods of its group. If that is not possible to predict, the pod is
  // tried alone; so is the last waiting pod if pods preempt one by one.
  void as_group() {
    const Release& release = node_infos_.release();
    if (!placed_together(node_infos_, incoming_.placed.pod)) return;
    GroupDecision known = group_of(node_infos_, profile_, incoming_.placed.pod);
    if (!release.has(Change::workload_preemption)) {
      if (known.doubt != GroupDecision::Doubt::none) result_.group = std::move(known);
      return;
    }
    std::vector<std::unique_ptr<Attempt>> attempts;  // one for each kind, with the filters of its pods
    std::vector<MemberKind> kinds;
    for (const std::vector<PodId>& kind : known.kinds) {
      if (known.doubt != GroupDecision::Doubt::none) break;
      Attempt& one = *attempts.emplace_back(
          std::make_unique<Attempt>(node_infos_, budgets_, kind.front(), profile_, now_.now(), options_));
      one.look_for_devices();
      one.collect_nominated();
      one.pre_filter();
      kinds.push_back(one.kind_of(known.waiting, kind.size()));
    }
    result_.group =
        place_group(std::move(known),
                    {.node_infos = node_infos_, .budgets = budgets_, .profile = profile_, .kinds = std::move(kinds)});
    if (!result_.as_group()) return;
    const GroupDecision& group = *result_.group;
    result_.ending = group.room >= group.needed ? Ending::scheduled
                     : group.victims.empty()    ? Ending::unschedulable
                                                : Ending::preempting;
    if (group.reason && group.reason->rule == Rule::policy_never) result_.eligibility = group.reason;
    if (!options_.all_tolerances && result_.ending != Ending::scheduled) list_tolerances();
    result_.next_change = now_.horizon();
  }

  void filter_all_nodes() {
    if (result_.pre_filter) {
      result_.nodes.items().resize(node_infos_.node_count());
      result_.pre_filter_nodes.reset();
      for (NodeVerdict& verdict : result_.nodes) verdict.filter = *result_.pre_filter;
      filter_error_ = result_.pre_filter->code == Code::error;
      return;
    }
    own_nominated_ = pod().status.nominated_node_name ? cluster_.find_node(pod().status.nominated_node_name) : NodeId{};
    if (may_skip_results() && find_feasible()) return;
    result_.nodes.items().resize(node_infos_.node_count());
    std::optional<Status> tried;
    if (own_nominated_) {
      trial_.enter(own_nominated_);
      tried = trial_.check(nominated_[own_nominated_]);
      if (tried->code == Code::error) tried.reset();  // upstream only logs it
    }
    const Status outside = outside_node_set(tried ? tried->plugin : nullptr);

    for (const NodeId node : node_infos_.nodes()) {
      Status& status = result_.nodes[node].filter;
      if (admits_[node.index] != 0) {
        trial_.enter(node);
        status = trial_.check(nominated_[node]);
      } else {
        status = tried && node == own_nominated_ ? *tried : outside;
      }
      if (status.ok()) result_.feasible.push_back(node);
      filter_error_ = filter_error_ || status.code == Code::error;
    }
  }

  // Returns true if the results on nodes do not matter once the pod fits on one. Findings about devices, and about
  // volumes, are part of the results.
  [[nodiscard]] auto may_skip_results() const -> bool {
    return !options_.records_results && !own_nominated_ && trial_.find([](const FilterInfo& info) {
      return info.looks_at == LooksAt::devices || info.looks_at == LooksAt::volumes;
    }) == nullptr;
  }

  // Finds the nodes on which the pod fits without their results. Returns false if there are none, or after an error.
  auto find_feasible() -> bool {
    IdVector<NodeId, char> passes;
    passes.items() = admits_;
    std::vector<NodeId> with_nominated;
    for (const NodeId node : nominated_.nodes()) {
      if (passes[node] == 0 || nominated_[node].empty()) continue;
      with_nominated.push_back(node);
      passes[node] = 0;
    }
    if (!trial_.keep_feasible(passes)) return false;
    for (const NodeId node : with_nominated) {
      trial_.enter(node);
      const Status status = trial_.check(nominated_[node]);
      if (status.code == Code::error) return false;
      passes[node] = status.ok() ? 1 : 0;
    }
    std::vector<NodeId>& feasible = result_.feasible;
    feasible.resize(passes.size() - static_cast<std::size_t>(std::count(passes.begin(), passes.end(), 0)));
    auto next = feasible.begin();
    for (const NodeId node : node_infos_.nodes()) {
      if (passes[node] != 0) *next++ = node;
    }
    return !feasible.empty();
  }

  // Returns the number of feasible nodes at which the search stops. It starts where the last search ended.
  // Source: pkg/scheduler/schedule_one.go findNodesThatPassFilters, numFeasibleNodesToFind.
  [[nodiscard]] auto nodes_to_find() const -> std::size_t {
    constexpr std::size_t kFew = 100;
    const auto nodes = static_cast<std::size_t>(std::count(admits_.begin(), admits_.end(), 1));
    if (profile_.takes_first) return 1;
    if (nodes < kFew) return nodes;
    constexpr std::size_t kHalf = 50;
    constexpr std::size_t kStep = 125;
    constexpr std::size_t kLeast = 5;
    const std::size_t by_number = std::max(kHalf - std::min(nodes / kStep, kHalf), kLeast);
    const auto said = static_cast<std::size_t>(profile_.percentage_of_nodes);
    return std::max(nodes * (said == 0 ? by_number : said) / 100, kFew);
  }

  // Upstream reports the result on the pod's own nominated node only if the attempt fails.
  void forget_trial() {
    if (!own_nominated_ || !result_.pre_filter_nodes) return;
    const auto& names = *result_.pre_filter_nodes;
    if (std::find(names.begin(), names.end(), node_infos_.name(own_nominated_)) != names.end()) return;
    const Status outside = outside_node_set(nullptr);
    for (NodeVerdict& verdict : result_.nodes) {
      if (!verdict.filter.ok() && names_outside(verdict.filter)) verdict.filter = outside;
    }
    result_.nodes[own_nominated_].filter = outside;
  }
  [[nodiscard]] static auto names_outside(const Status& status) -> bool {
    return !status.reasons.empty() && status.reasons.front().rule == Rule::outside_node_set;
  }

  void post_filter() {
    if (!options_.all_tolerances) list_tolerances();
    run_plugins_after_failure();
  }

  void run_plugins_after_failure() {
    result_.ending = run_post_filters({.node_infos = node_infos_,
                                       .budgets = budgets_,
                                       .profile = profile_,
                                       .options = options_,
                                       .incoming = incoming_,
                                       .trial = trial_,
                                       .tolerances = tolerances_ ? &*tolerances_ : nullptr,
                                       .nominated = nominated_,
                                       .now = now_},
                                      result_);
    result_.next_change = now_.horizon();
    if (result_.steps.empty() || !result_.eligibility) return;
    if (result_.decided_by != PostFilter::Kind::preemption_toleration) result_.tolerances.clear();
  }

  NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Budgets& budgets_;
  const Profile& profile_;
  const AttemptOptions& options_;
  Moment now_;
  Incoming incoming_;
  NodeTrial trial_;
  std::optional<Tolerances> tolerances_;
  NominatedPods nominated_;
  const FilterInfo* node_set_plugin_ = nullptr;  // the plugin that returned pre_filter_nodes
  NodeId own_nominated_;
  std::vector<char> admits_;   // from pre_filter(), by node: whether it is in the set that PreFilter returns
  NodeId last_node_;           // the node of the last on_node()
  bool filter_error_ = false;  // a filter failed with an error on some node
  Decision result_;
};

class PinnedAttemptsOfOnePod final : public PinnedAttempts {
 public:
  PinnedAttemptsOfOnePod(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile,
                         Instant now, const AttemptOptions& options)
      : attempt_(node_infos, budgets, pod, profile, now, options) {
    attempt_.begin();
  }
  auto decide(NodeId node, Instant now, RequestBounds& requests) -> Decision& override {
    return attempt_.on_node(node, now, requests);
  }
  [[nodiscard]] auto potential_victims(NodeId node, Moment& now) const -> std::vector<PodId> override {
    return attempt_.potential_victims(node, now);
  }
  [[nodiscard]] auto may_run_on(NodeId node, RequestBounds& requests) -> bool override {
    return attempt_.may_run_on(node, requests);
  }

 private:
  Attempt attempt_;
};

}  // namespace

auto pinned_attempts(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile,
                     Instant now, const AttemptOptions& options) -> std::unique_ptr<PinnedAttempts> {
  return std::make_unique<PinnedAttemptsOfOnePod>(node_infos, budgets, pod, profile, now, options);
}

auto smallest_sets(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile, Instant now,
                   const Decision& decision) -> SmallestSets {
  SmallestSets sets;
  sets.scheduler = price_of(*decision.nodes[decision.choice.chosen.front()].run);
  const AttemptOptions options;
  Attempt(node_infos, budgets, pod, profile, now, options).look_for_better_sets(decision, sets);
  return sets;
}

auto held_before_queue(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod) -> std::optional<Hold> {
  const Snapshot& cluster = node_infos.cluster();
  for (const std::string& plugin : profile.pre_enqueue) {
    std::optional<Reason> reason;
    if (plugin == "SchedulingGates" && !cluster.pod(pod).spec.scheduling_gates.empty()) reason = Reason{Rule::gated};
    if (plugin == "DynamicResources") reason = resource_claims_of(cluster, pod).fault;
    if (plugin == "GangScheduling") reason = held_by_group(node_infos, pod);
    if (reason) return Hold{plugin, *reason};
  }
  return {};
}

auto Decision::orders_on(NodeId node) const -> const NodeOrders* {
  if (!orders) return nullptr;
  const auto found =
      std::find_if(orders->begin(), orders->end(), [&](const NodeOrders& each) { return each.node == node; });
  return found == orders->end() ? nullptr : &*found;
}

auto Decision::filter_errors() const -> FilterErrors {
  FilterErrors found;
  if (ending != Ending::error || pre_filter || score) return found;
  for (const NodeVerdict& verdict : nodes) {
    const Status& status = verdict.filter;
    if (status.code != Code::error) continue;
    const bool known = std::any_of(found.errors.begin(), found.errors.end(), [&](const Status* other) {
      return other->plugin == status.plugin && other->reasons.front() == status.reasons.front();
    });
    if (!known) found.errors.push_back(&status);
  }
  if (devices == nullptr) return found;
  const auto& of_devices = devices->nodes();
  found.others_possible = std::any_of(of_devices.begin(), of_devices.end(), [](const auto& on_node) {
    return on_node && on_node->doubt != devices::Doubt::none;
  });
  return found;
}

auto Decision::rejecting_plugins() const -> std::vector<const FilterInfo*> {
  std::vector<const FilterInfo*> plugins;
  const auto add = [&](const FilterInfo* plugin) {
    if (plugin != nullptr && !contains(plugins, plugin)) plugins.push_back(plugin);
  };
  if (pre_filter) {
    add(pre_filter->plugin);
    return plugins;
  }
  std::int64_t added = 0;  // of the plugins that returned a set of nodes
  for (const NodeVerdict& verdict : nodes) {
    add(verdict.filter.plugin);
    if (verdict.filter.plugin != nullptr || verdict.filter.reasons.empty()) continue;
    const Reason& reason = verdict.filter.reasons.front();
    if (reason.rule != Rule::outside_node_set || reason.a == std::exchange(added, reason.a)) continue;
    for (const FilterInfo* filter : filters()) add((reason.a >> rank_of(*filter) & 1) != 0 ? filter : nullptr);
  }
  return plugins;
}

auto Decision::may_depend_on_unmodelled_filter() const -> bool {
  const auto hangs = [](const NodeVerdict& v) {
    const auto& reasons = v.run->status.reasons;
    return v.preemption == NodeVerdict::Preemption::candidate || v.preemption == NodeVerdict::Preemption::not_kept ||
           (!reasons.empty() && reasons.front().rule == Rule::nobody_had_to_go);
  };
  return !feasible.empty() || std::any_of(nodes.begin(), nodes.end(), hangs);
}

auto attempt(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod, const Profile& profile, Instant now,
             const AttemptOptions& options) -> Decision {
  return Attempt(node_infos, budgets, pod, profile, now, options).run();
}

}  // namespace previct::kube
