#include "engine/kube/post_filters.h"

#include "base/launch.h"
#include "engine/kube/devices/findings.h"
#include "engine/kube/equals.h"
#include "engine/kube/resource_claims.h"

#include <algorithm>
#include <future>

namespace previct::kube {
namespace {

class PostFilters {
 public:
  PostFilters(const FailedAttempt& attempt, Decision& decision)
      : attempt_(attempt), cluster_(attempt.node_infos.cluster()), result_(decision) {}

  auto run() -> Ending {
    for (const PostFilter& plugin : attempt_.profile.post_filters) {
      if (plugin.kind == PostFilter::Kind::unmodelled) continue;  // reported by the answer's gaps
      if (plugin.kind == PostFilter::Kind::dynamic_resources) {
        if (attempt_.node_infos.release().has(Change::claimless_pods_pass) && pod().spec.resource_claims.empty())
          continue;
        if (!result_.resources_prepared) {
          only_ask_eligibility();
          result_.steps.push_back({.plugin = plugin.kind, .reason = {}, .nodes = {}});
          return Ending::preemption_error;
        }
        result_.steps.push_back({.plugin = plugin.kind, .reason = deallocation(), .nodes = {}});
        continue;
      }
      begin_preemption(plugin.kind);
      if (!result_.eligible()) continue;
      try_preemption(plugin);
      if (!result_.candidates.empty()) {
        choose(plugin);
        try_orders(plugin);
        return Ending::preempting;
      }
      const bool any_error = std::any_of(result_.nodes.begin(), result_.nodes.end(), [](const NodeVerdict& v) {
        return v.preemption == NodeVerdict::Preemption::none && v.run->status.code == Code::error;
      });
      if (any_error) return Ending::preemption_error;
    }
    return Ending::unschedulable;
  }

 private:
  [[nodiscard]] auto pod() const -> const Pod& { return attempt_.incoming.pod(); }

  // Source: plugins/defaultpreemption PodEligibleToPreemptOthers.
  [[nodiscard]] auto eligibility(PostFilter::Kind plugin) const -> Reason {
    if (pod().spec.preemption_policy == cluster_.known().never) return {Rule::policy_never};
    if (!pod().status.nominated_node_name) return {Rule::eligible};
    const NodeId node = cluster_.find_node(pod().status.nominated_node_name);
    const Code code = node                 ? result_.nodes[node].filter.code
                      : result_.pre_filter ? result_.pre_filter->code
                                           : Code::unresolvable;
    if (code == Code::unresolvable || !node) return {Rule::eligible};
    for (const PodInfo& p : attempt_.node_infos.pods_on(node)) {
      if (p.priority < attempt_.incoming.placed.priority && blocks(cluster_.pod(p.pod), plugin)) {
        return {Rule::victim_terminating, operand(p.pod), operand(node)};
      }
    }
    return {Rule::eligible};
  }

  // DefaultPreemption waits only for pods that terminate because of a preemption, PreemptionToleration for any pod.
  [[nodiscard]] auto blocks(const Pod& other, PostFilter::Kind plugin) const -> bool {
    if (!other.meta.deleting) return false;
    if (plugin == PostFilter::Kind::preemption_toleration) return true;
    const WellKnown& known = cluster_.known();
    const Condition* target = other.condition(known.disruption_target);
    return target != nullptr && target->status == known.true_status && target->reason == known.preemption_by_scheduler;
  }

  // Moves the findings of the previous preemption plugin into its step.
  void begin_preemption(PostFilter::Kind plugin) {
    for (PostFilterStep& step : result_.steps) {
      if (step.plugin == PostFilter::Kind::dynamic_resources || !step.nodes.empty()) continue;
      step.nodes = result_.nodes;
      for (NodeVerdict& verdict : result_.nodes) {
        Status filter = std::move(verdict.filter);
        verdict = {};
        verdict.filter = std::move(filter);
      }
    }
    result_.decided_by = plugin;
    result_.eligibility = eligibility(plugin);
    result_.steps.push_back({.plugin = plugin, .reason = result_.eligibility, .nodes = {}});
  }

  // DynamicResources fails before any preemption plugin runs; this records what the first one would say of the pod.
  void only_ask_eligibility() {
    for (const PostFilter& plugin : attempt_.profile.post_filters) {
      if (!plugin.preempts() || result_.eligibility) continue;
      result_.eligibility = eligibility(plugin.kind);
      result_.decided_by = plugin.kind;
      if (!result_.eligible()) return;
      for (NodeVerdict& verdict : result_.nodes) {
        if (verdict.filter.code != Code::unschedulable) verdict.preemption = NodeVerdict::Preemption::skipped;
      }
    }
  }

  // Source: plugins/dynamicresources/dynamicresources.go PostFilter.
  [[nodiscard]] auto deallocation() const -> Reason {
    const PodResourceClaims claims = resource_claims_of(cluster_, attempt_.incoming.placed.pod);
    const bool by_itself = result_.pre_filter && result_.pre_filter->plugin != nullptr &&
                           result_.pre_filter->plugin->name == "DynamicResources";
    const bool extended = !resources_of_devices(attempt_.node_infos, attempt_.incoming.placed).empty();
    if ((claims.claims.empty() && !extended) || by_itself) return {Rule::no_claims_to_deallocate};
    const std::uint64_t unavailable = result_.devices == nullptr ? 0 : result_.devices->unavailable();
    for (std::size_t i = 0; i < claims.claims.size() && i < 64; ++i) {
      const ResourceClaim& claim = *claims.claims[i];
      if ((unavailable >> i & 1U) != 0 && can_be_deallocated(claim, pod()))
        return {Rule::claim_deallocated, operand(claim.meta.name)};
    }
    const ResourceClaim* left = extended ? extended_claim_of(cluster_, pod()) : nullptr;
    if (left != nullptr) return {Rule::extended_claim_deleted, operand(left->meta.name)};
    return {Rule::claims_stay};
  }

  void try_preemption(const PostFilter& plugin) {
    std::vector<NodeId> potential;
    for (const NodeId node : attempt_.node_infos.nodes()) {
      NodeVerdict& verdict = result_.nodes[node];
      const bool helpful = verdict.filter.code == Code::unschedulable;
      verdict.preemption = helpful ? NodeVerdict::Preemption::none : NodeVerdict::Preemption::skipped;
      if (helpful) potential.push_back(node);
    }
    potential_nodes_ = static_cast<std::int64_t>(potential.size());
    const Tolerances* tolerances = tolerances_for(plugin);

    // Fixed ranges, joined in order: the answer is the same for any number of threads.
    const std::size_t parts =
        std::clamp<std::size_t>(attempt_.options.threads, 1, std::max<std::size_t>(1, potential.size() / 64));
    std::vector<Moment> moments(parts, attempt_.now.fork());
    const auto work = [&](std::size_t part) {
      VictimSearch search(attempt_.node_infos, attempt_.incoming, NodeTrial(attempt_.trial), attempt_.budgets,
                          tolerances, attempt_.nominated);
      VictimSearch unprotected(attempt_.node_infos, attempt_.incoming, NodeTrial(attempt_.trial), attempt_.budgets,
                               nullptr, attempt_.nominated);
      const std::size_t begin = potential.size() * part / parts;
      const std::size_t end = potential.size() * (part + 1) / parts;
      for (std::size_t i = begin; i < end; ++i) {
        NodeVerdict& verdict = result_.nodes[potential[i]];
        verdict.run = search.on(potential[i], moments[part], attempt_.options.records_results);
        if (verdict.run->status.ok()) verdict.preemption = NodeVerdict::Preemption::candidate;
        if (attempt_.options.records_results && tolerances != nullptr && !verdict.run->status.ok())
          look_ahead(potential[i], search, unprotected, verdict);
      }
    };
    std::vector<std::future<void>> helpers;
    for (std::size_t part = 1; part < parts; ++part) helpers.push_back(launched([&work, part] { work(part); }));
    work(0);
    for (std::future<void>& helper : helpers) helper.get();
    for (const Moment& moment : moments) attempt_.now.absorb(moment);
    const bool none_kept = sample_size(potential_nodes_, plugin.candidate_percentage, plugin.candidate_absolute) == 0;
    for (const NodeId node : potential) {
      NodeVerdict& verdict = result_.nodes[node];
      if (verdict.preemption != NodeVerdict::Preemption::candidate) continue;
      if (none_kept) {
        verdict.preemption = NodeVerdict::Preemption::not_kept;
      } else {
        result_.candidates.push_back(node);
      }
    }
  }

  // Finds when this node would become a candidate, by trying it again at the end of each toleration on it.
  void look_ahead(NodeId node, VictimSearch& search, VictimSearch& unprotected, NodeVerdict& verdict) const {
    std::vector<Instant> ends;
    for (const Fate& fate : verdict.run->fates) {
      Moment now = attempt_.now.fork();
      const Tolerance tolerance =
          fate.reason.rule == Rule::not_lower ? Tolerance{} : attempt_.tolerances->of(fate.pod, now);
      if (tolerance.answer != Tolerance::Answer::yes) continue;
      ends.push_back(tolerance.until);
    }
    if (ends.empty()) return;
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (const Instant end : ends) {
      Moment then(end);
      if (end.is_never() || !search.on(node, then, false).status.ok()) continue;
      verdict.candidate_from = end;
      break;
    }
    Moment any = attempt_.now.fork();
    verdict.shielded = unprotected.on(node, any, false).status.ok();
  }

  void choose(const PostFilter& plugin) {
    std::vector<Candidate> candidates;
    candidates.reserve(result_.candidates.size());
    for (const NodeId node : result_.candidates) candidates.push_back({node, &*result_.nodes[node].run});
    result_.choice = pick_node(attempt_.node_infos, candidates, potential_nodes_, plugin.candidate_percentage,
                               plugin.candidate_absolute);
  }

  void try_orders(const PostFilter& plugin) {
    if (attempt_.options.order_steps == 0 || result_.choice.sampled) return;
    VictimSearch search(attempt_.node_infos, attempt_.incoming, NodeTrial(attempt_.trial), attempt_.budgets,
                        tolerances_for(plugin), attempt_.nominated);
    std::size_t steps = attempt_.options.order_steps;
    std::vector<NodeOrders> nodes;
    bool hangs = false;
    for (const NodeId node : result_.candidates) {
      NodeOrders& orders = nodes.emplace_back(NodeOrders{.node = node, .runs = {}, .kinds = {}});
      if (!EqualPodGroups(result_, attempt_.node_infos, node, attempt_.incoming.placed.priority).depends_on_order()) {
        orders.kinds = interchangeable_victims(result_, attempt_.node_infos, node, attempt_.incoming.placed.priority);
        orders.runs = {*result_.nodes[node].run};
        orders.runs.front().fates.clear();
        continue;
      }
      Moment now = attempt_.now.fork();
      std::optional<NodeOrders> found = search.in_every_order(node, now, steps);
      hangs = true;
      result_.orders.emplace();
      if (!found) return;
      orders.kinds = std::move(found->kinds);
      orders.runs = std::move(found->runs);
    }
    if (hangs) result_.orders = keep_choosable(std::move(nodes));
  }

  [[nodiscard]] auto tolerances_for(const PostFilter& plugin) const -> const Tolerances* {
    return plugin.kind == PostFilter::Kind::preemption_toleration ? attempt_.tolerances : nullptr;
  }

  const FailedAttempt& attempt_;
  const Snapshot& cluster_;
  std::int64_t potential_nodes_ = 0;
  Decision& result_;
};

}  // namespace

auto run_post_filters(const FailedAttempt& attempt, Decision& decision) -> Ending {
  return PostFilters(attempt, decision).run();
}

}  // namespace previct::kube
