#include "base/clamped.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "tell/kube/messages.h"
#include "tell/yunikorn/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// Returns the type that is short by the largest fraction of the request.
auto scarcest(const Resources& room, const Resources& ask) -> std::optional<TypeId> {
  std::optional<TypeId> worst;
  double least = 0;
  for (const auto& [type, wanted] : ask) {
    const std::int64_t have = room.amount(type);
    if (wanted <= have || wanted <= 0) continue;
    const double share = static_cast<double>(have) / static_cast<double>(wanted);
    if (!worst || share < least) {
      worst = type;
      least = share;
    }
  }
  return worst;
}

}  // namespace

/// `it requests 0 nvidia.com/gpu`; empty if it does not request 0 of anything.
auto Sentences::zero_request(const ReleaseDecision& decision) const -> std::string {
  for (const auto& [name, amount] : core_.types().by_name(decision.ask.size)) {
    if (amount == 0) return fmt::format("it requests 0 {}", name);
  }
  return {};
}

auto Sentences::node(NodeId id) const -> std::string {
  return id ? std::string(core_.cluster().name(id)) : std::string();
}

/// `host port 80 is taken by ml/web-0`
auto Sentences::refusal(const ReleaseDecision& decision, const kube::Reason& reason) const -> std::string {
  return kube::Words(core_.cluster().derived<kube::NodeInfoSnapshot>(), decision.ask.pod, Instant{}).ours(reason);
}

auto Sentences::pods(const std::vector<PodId>& pods) const -> std::string {
  return describe_pods(core_.cluster(), pods);
}

/// ` (already terminating)`, ` (1 of them already terminating)`; empty if no victim has a deletionTimestamp. YuniKorn
/// does not look at it: it releases such pods like others.
auto Sentences::terminating(const std::vector<PodId>& victims) const -> std::string {
  const auto count = static_cast<std::size_t>(std::count_if(
      victims.begin(), victims.end(), [&](PodId pod) { return core_.cluster().pod(pod).meta.deleting.has_value(); }));
  if (count == 0) return {};
  if (count == victims.size()) return count == 1 ? " (already terminating)" : " (all of them already terminating)";
  return fmt::format(" ({} of them already terminating)", count);
}

/// `; n1 has enough free resources, but is cordoned`; empty if no cordoned node has.
auto Sentences::cordoned(const Resources& ask) const -> std::string {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> names;
  for (const NodeId id : core_.cluster().nodes().ids()) {
    if (core_.cluster().node(id).spec.unschedulable && fits(core_.room(id).available(), ask)) names.push_back(node(id));
  }
  if (names.empty()) return {};
  std::sort(names.begin(), names.end());
  const bool one = names.size() == 1;
  return fmt::format("; {} {} enough free resources, but {} cordoned", joined_up_to(kNamed, std::move(names)),
                     one ? "has" : "have", one ? "is" : "are");
}

/// `the pods that may be preempted are on n1, which is cordoned`; empty if one is on another node.
auto Sentences::victims_cordoned(const QueueAttempt& attempt) const -> std::string {
  constexpr std::size_t kNamed = 2;
  if (attempt.eligible.empty()) return {};
  std::vector<std::string> names;
  for (const Allocation& pod : attempt.eligible) {
    if (!pod.node || !core_.cluster().node(pod.node).spec.unschedulable) return {};
    names.push_back(node(pod.node));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const bool one = names.size() == 1;
  return fmt::format("the pods that may be preempted are on {}, which {} cordoned",
                     joined_up_to(kNamed, std::move(names)), one ? "is" : "are");
}

auto Sentences::no_headroom(const ReleaseDecision& decision) const -> std::string {
  const QueueTree& queues = core_.queues();
  for (QueueId at = decision.ask.queue; at; at = queues[at].parent) {
    const MaybeResources left = less_in_common(queues[at].max, queues[at].allocated);
    if (!left || fits_where_limited(*left, decision.ask.size)) continue;
    for (const auto& [type, wanted] : decision.ask.size) {
      const auto have = left->get(type);
      if (!have || wanted <= std::max<std::int64_t>(0, *have)) continue;
      const std::string_view name = core_.types().name(type);
      const std::vector<std::string> amounts =
          amount_texts(name, {std::max<std::int64_t>(0, *have), queues[at].max->amount(type), wanted});
      return fmt::format("queue {}{} has {} of max {} {} left, and the pod requests {}", queues[at].path,
                         at == queues.root() ? " (all nodes)" : "", amounts[0], amounts[1], name, amounts[2]);
    }
  }
  return "its queue has no headroom";
}

auto Sentences::too_large(const ReleaseDecision& decision) const -> std::string {
  const auto type = scarcest(decision.room.total, decision.ask.size);
  if (!type) return std::string(rule_words(Rule::larger_than_node));
  const std::string_view name = core_.types().name(*type);
  const std::vector<std::string> amounts =
      amount_texts(name, {decision.ask.size.amount(*type), decision.room.total.amount(*type)});
  return fmt::format("it requests {} {}, but the whole node {} has {}", name, amounts[0], node(decision.node),
                     amounts[1]);
}

auto Sentences::required_preempts(const ReleaseDecision& decision) const -> std::string {
  const RequiredNodeAttempt& attempt = *decision.required;
  std::vector<const std::vector<PodId>*> sets;
  for (const std::vector<PodId>& set : attempt.possible.sets) {
    if (!set.empty()) sets.push_back(&set);
  }
  const std::vector<PodId>& only = sets.size() == 1 ? *sets.front() : attempt.victims;
  std::string text =
      fmt::format("would preempt {} on its node {}{}", pods(only), node(decision.node), terminating(only));
  if (sets.size() > 1) {
    const auto [least, most] = std::minmax_element(sets.begin(), sets.end(),
                                                   [](const auto* a, const auto* b) { return a->size() < b->size(); });
    const std::string how_many = (*least)->size() == (*most)->size()
                                     ? counted((*most)->size(), "pod", "pods")
                                     : fmt::format("{} to {} pods", (*least)->size(), (*most)->size());
    const std::size_t sure = attempt.possible.always.size();
    text = fmt::format("would preempt {} on its node {}{} chosen from {} that are equal to the scheduler", how_many,
                       node(decision.node), sure == 0 ? "," : fmt::format(": {} for certain, the rest", sure),
                       attempt.possible.sometimes.size());
  }
  if (!attempt.possible.complete)
    text += fmt::format(" (more than the {} combinations listed are possible)", sets.size());
  if (decision.outcome == ReleaseOutcome::varies) {
    text +=
        ", or none, depending on the order in which it finds them; it tries again in another order until a pod is "
        "evicted";
  }
  if (!attempt.collateral.empty() && decision.outcome != ReleaseOutcome::varies) {
    text += fmt::format(", although {} would suffice",
                        attempt.victims.size() - attempt.collateral.size() == 1
                            ? std::string("1 of them")
                            : fmt::format("{} of them", attempt.victims.size() - attempt.collateral.size()));
  }
  if (decision.refused_without_victims)
    text += fmt::format(", and still could not start there ({})", refusal(decision, *decision.refused_without_victims));
  return text;
}

auto Sentences::required_no_help(const ReleaseDecision& decision) const -> std::string {
  const RequiredNodeAttempt& attempt = *decision.required;
  const std::string head = fmt::format("stays pending for {}: ", node(decision.node));
  const Resources then = attempt.freed + decision.room.available();
  if (const auto type = scarcest(then, decision.ask.size)) {
    const std::string_view name = core_.types().name(*type);
    const std::string who =
        attempt.candidates.empty()
            ? fmt::format("none of the {} there may be preempted;", counted(attempt.counts.total, "pod", "pods"))
            : fmt::format("without the {} that may be preempted,", counted(attempt.candidates.size(), "pod", "pods"));
    const std::vector<std::string> amounts =
        amount_texts(name, {std::max<std::int64_t>(0, then.amount(*type)), decision.ask.size.amount(*type)});
    return fmt::format("{}{} only {} of the requested {} {} would be free", head, who, amounts[0], amounts[1], name);
  }
  for (const auto& [type, amount] : then) {
    if (amount >= 0) continue;
    const std::string_view name = core_.types().name(type);
    return fmt::format("{}the node stays overcommitted by {} {}, which blocks every selection", head,
                       amount_text(name, -amount), name);
  }
  return head + "preemption does not help";
}

auto Sentences::queue_preempts(const ReleaseDecision& decision) const -> std::string {
  const std::vector<QueueSolution>& ends = decision.queue->solutions;
  const auto first =
      std::find_if(ends.begin(), ends.end(), [](const QueueSolution& end) { return end.rule == Rule::queue_preempts; });
  std::vector<std::string> queues;
  for (const PodId victim : first->victims) {
    const std::string& path = core_.queues()[core_.app(core_.app_of(victim)).queue].path;
    if (std::find(queues.begin(), queues.end(), path) == queues.end()) queues.push_back(path);
  }
  std::string text =
      fmt::format("would preempt {} of queue {} on {}", pods(first->victims), joined(queues, ", "), node(first->node));
  text += terminating(first->victims);
  if (!first->fits_then) text += ", and still would not fit";
  if (const std::string zero = zero_request(decision); !zero.empty())
    text += fmt::format(" ({}, so the first victim is left out)", zero);
  const auto nobody =
      std::find_if(ends.begin(), ends.end(), [](const QueueSolution& end) { return end.rule != Rule::queue_preempts; });
  if (nobody != ends.end()) text += fmt::format(", or none ({})", rule_words(nobody->rule));
  if (ends.size() > 1) {
    text += fmt::format("; not certain: {}{} outcomes are possible", decision.queue->all_orders ? "" : "at least ",
                        ends.size());
  }
  return text + orders(decision);
}

/// Returns how many orders were tried, if not all of them were.
auto Sentences::orders(const ReleaseDecision& decision) -> std::string {
  const QueueAttempt& attempt = *decision.queue;
  if (attempt.all_orders) return {};
  return fmt::format(" (YuniKorn may process pods of the same age in any order; {} random orders were tried)",
                     attempt.orders_tried);
}

auto Sentences::nodes(const std::vector<NodeId>& ids) const -> std::string {
  std::vector<std::string> names;
  for (const NodeId id : ids) names.push_back(node(id));
  return joined(names, " or ");
}

/// `no node has 4 vcore free (at most 2)`
auto Sentences::no_capacity(const Resources& ask) const -> std::string {
  for (const auto& [type, wanted] : ask) {
    std::int64_t most = 0;
    for (const NodeId id : core_.cluster().nodes().ids()) {
      if (!core_.cluster().node(id).spec.unschedulable) most = std::max(most, core_.room(id).available().amount(type));
    }
    if (wanted <= most) continue;
    const std::string_view name = core_.types().name(type);
    const std::vector<std::string> amounts = amount_texts(name, {wanted, most});
    return fmt::format("no node has {} {} free ({}{})", amounts[0], name, most == 0 ? "none" : "at most ",
                       most == 0 ? "" : amounts[1]);
  }
  return "no node has enough of all requested resources free";
}

/// `queue root.a uses 2Gi memory, above its max of 1Gi, so it accepts no pod that names this resource, …`
auto Sentences::over_max(const ReleaseDecision& decision) const -> std::string {
  const OverMax& over = decision.over_max;
  const std::string_view name = core_.types().name(over.type);
  const Queue& queue = core_.queues()[over.queue];
  const std::vector<std::string> amounts = amount_texts(name, {over.used, over.max});
  std::string text = fmt::format("queue {} uses {} {}", queue.path, amounts[0], name);
  text += queue.max && queue.max->has(over.type) ? fmt::format(", above its max of {}", amounts[1])
                                                 : std::string(", which no node has any more");
  if (!decision.ask.size.has(over.type)) return text + ", so this release of YuniKorn places no pod in it";
  return text + ", so it accepts no pod that names this resource, not even one that requests 0 of it";
}

/// Returns why no node is suitable, as far as filters and queues report it.
auto Sentences::no_node(const ReleaseDecision& decision) const -> std::string {
  std::string text =
      decision.over_max ? over_max(decision) : no_capacity(decision.ask.size) + cordoned(decision.ask.size);
  if (!decision.over_max && !decision.unsuited.empty()) {
    const Unsuited& first = decision.unsuited.front();
    text = fmt::format("{} has enough free resources, but the pod cannot run there ({})", node(first.node),
                       refusal(decision, first.why));
    if (decision.unsuited.size() > 1) {
      text += fmt::format(", nor on {}", counted(decision.unsuited.size() - 1, "other such node", "other such nodes"));
    }
  }
  if (decision.not_reserved) {
    text += fmt::format("; no node is reserved for it, because the only candidate, {}, is not suitable ({})",
                        node(decision.not_reserved->node), refusal(decision, decision.not_reserved->why));
  }
  return text;
}

/// Returns what blocks the pod before free resources are considered.
auto Sentences::held_back(const ReleaseDecision& decision) const -> std::string {
  const QueueTree& queues = core_.queues();
  if (decision.rule == Rule::applications_full) {
    const Queue& queue = queues[decision.full];
    return fmt::format(
        "stays pending: queue {} runs {}, and at most {} may run there (maxapplications), so its "
        "application does not start",
        queue.path, counted(clamped(queue.running), "application", "applications"), queue.max_applications);
  }
  const LimitHit& hit = decision.limit;
  const std::string who = hit.name == "*" ? fmt::format("any {}", hit.kind) : fmt::format("{} {}", hit.kind, hit.name);
  const std::string& path = queues[hit.queue].path;
  if (decision.rule == Rule::limit_of_applications) {
    return fmt::format(
        "stays pending: {} has {} running in queue {}, and at most {} may run there (limits), so its "
        "application does not start",
        who, counted(clamped(hit.running), "application", "applications"), path, hit.most);
  }
  const std::string_view type = core_.types().name(hit.type);
  const std::vector<std::string> amounts =
      amount_texts(type, {decision.ask.size.amount(hit.type), std::max<std::int64_t>(0, hit.left), hit.max});
  return fmt::format(
      "stays pending: it requests {} {}, and {} has {} left of the {} that it may use in queue {} (limits); "
      "so YuniKorn does not try preemption",
      type, amounts[0], who, amounts[1], amounts[2], path);
}

/// For a pod of a gang with placeholders.
auto Sentences::placed(const ReleaseDecision& decision) const -> std::string {
  const Replacement& replacement = *decision.replacement;
  if (decision.rule == Rule::takes_place) {
    const bool several = replacement.nodes.size() > 1;
    return fmt::format("fits on {}: it replaces {}{}; no preemption needed", nodes(replacement.nodes),
                       replacement.large_enough.size() == 1
                           ? core_.cluster().key(replacement.large_enough.front())
                           : fmt::format("one of the {} placeholders of its gang", replacement.large_enough.size()),
                       replacement.elsewhere ? ", whose own node does not suit it"
                       : several             ? ", whichever comes first"
                                             : "");
  }
  if (const std::size_t places = replacement.too_small.size(); replacement.large_enough.empty() && places > 0) {
    return fmt::format(
        "stays pending: it is larger than {} of its gang, which {} released; until then, YuniKorn tries nothing else",
        places == 1 ? "the placeholder" : fmt::format("each of the {} placeholders", places),
        places == 1 ? "is" : "are");
  }
  if (replacement.large_enough.empty()) {
    return "stays pending: the placeholders of its gang are terminating, and until they are gone, YuniKorn tries "
           "nothing else";
  }
  return fmt::format(
      "stays pending: its gang has {}, but no node of one suits it, and no other node has enough free resources; "
      "nothing else is tried while they are there",
      counted(replacement.large_enough.size(), "placeholder", "placeholders"));
}

auto Sentences::queue_refused(const ReleaseDecision& decision, const QueueSolution& end) const -> std::string {
  const bool headroom = fits_where_limited(decision.headroom, decision.ask.size);
  const std::string want = headroom ? no_node(decision) : no_headroom(decision);
  // No order of pods changes that their nodes are cordoned.
  const bool in_any_order = end.rule == Rule::no_node_helps && !victims_cordoned(*decision.queue).empty();
  return fmt::format("stays pending: {}; {}{}", want, why_no_victims(decision, end, headroom),
                     in_any_order ? "" : orders(decision));
}

auto Sentences::why_no_victims(const ReleaseDecision& decision, const QueueSolution& end, bool headroom) const
    -> std::string {
  const Queue& queue = core_.queues()[decision.ask.queue];
  const MaybeResources left = QueueSnapshot(core_.queues(), decision.ask.queue).remaining_guarantee(decision.ask.queue);
  switch (end.rule) {
    case Rule::delay_runs:
      return fmt::format("it may preempt when the preemption.delay of queue {} ends, {}", queue.path,
                         format_moment(decision.queue->delay_ends, now_));
    case Rule::never_preempts: return "it does not preempt: its preemptionPolicy is Never";
    case Rule::no_guarantee:
      return fmt::format("no resources are guaranteed to queue {}, so it cannot preempt", queue.path);
    case Rule::guarantees_fail:
      return fmt::format("queue {} has {} left of its guaranteed share, which is too little to preempt", queue.path,
                         amounts_text(core_.types(), left.value_or(Resources())));
    case Rule::short_of_resources:
      return fmt::format(
          "the victims on {} would free {}, less than it requests ({}): free capacity of the node does not count",
          node(end.freed_on), compared_text(end.freed, decision.ask.size),
          compared_text(decision.ask.size, decision.ask.size));
    case Rule::zero_request:
      return fmt::format(
          "{}, so the first victim is left out and no pod is evicted; it does not preempt again, and {} is "
          "reserved for it. Without that request, preemption would evict the victim",
          zero_request(decision), node(decision.reserved));
    case Rule::no_node_helps: break;
    default: return std::string(rule_words(end.rule));
  }
  if (decision.queue->eligible.empty())
    return fmt::format("no pod below queue {} may be preempted", core_.queues()[decision.queue->fence].path);
  if (end.too_large) {
    const Resources size = core_.size_of(end.too_large);
    Resources uses;
    Resources has;
    for (const auto& [type, amount] : left.value_or(Resources())) {
      if (size.amount(type) <= amount) continue;
      uses.set(type, size.amount(type));
      has.set(type, std::max<std::int64_t>(0, amount));
    }
    return fmt::format(
        "the search for victims{} ends at {} ({}), which uses more than queue {} has left of its guaranteed share ({})",
        end.searched_all_nodes ? "" : " on " + node(core_.cluster().node_of(end.too_large)),
        core_.cluster().key(end.too_large),
        left ? amounts_text(core_.types(), uses) : compared_text(size, decision.ask.size), queue.path,
        left ? amounts_text(core_.types(), has) : "nothing");
  }
  if (decision.over_max) return "YuniKorn finds no pods to preempt";
  if (const std::string on_cordoned = victims_cordoned(*decision.queue); !on_cordoned.empty()) return on_cordoned;
  const std::string kept = kept_for_others(end.kept);
  if (!headroom) return kept.empty() ? "preemption would not change this" : "preemption does not try " + kept;
  return fmt::format("the pods that may be preempted do not free enough on any node{}",
                     kept.empty() ? "" : fmt::format(" (preemption does not try {})", kept));
}

/// `node w1, which is reserved for another pod`
auto Sentences::kept_for_others(const std::vector<NodeId>& kept) const -> std::string {
  if (kept.empty()) return {};
  if (kept.size() == 1) return fmt::format("node {}, which is reserved for another pod", node(kept.front()));
  return fmt::format("node {} and {}, which are reserved for other pods", node(kept.front()),
                     counted(kept.size() - 1, "other node", "other nodes"));
}

/// Returns the most important of the requested types: `vcore 2`.
auto Sentences::compared_text(const Resources& amounts, const Resources& ask) const -> std::string {
  Resources asked;
  for (const auto& [type, wanted] : ask) {
    if (wanted > 0 && core_.types().name(type) != "pods") asked.set(type, amounts.amount(type));
  }
  return amounts_text(core_.types(), asked);
}

auto Sentences::verdict(const ReleaseDecision& decision) const -> std::string {
  if (decision.replacement) return placed(decision);
  if (decision.outcome == ReleaseOutcome::allocated) {
    return fmt::format("fits on {}; no preemption needed", node(decision.node));
  }
  std::string why(rule_words(decision.rule));
  switch (decision.rule) {
    case Rule::applications_full:
    case Rule::limit_of_applications:
    case Rule::limit_of_resources: return held_back(decision);
    case Rule::required_node_preempts: return required_preempts(decision);
    case Rule::required_node_no_help: return required_no_help(decision);
    case Rule::no_headroom:
      return fmt::format("stays pending, and preemption on its node does not start: {}", no_headroom(decision));
    case Rule::node_unknown:
      why = fmt::format("its node {} is not in the input", core_.cluster().text(decision.ask.required_node));
      break;
    case Rule::larger_than_node: why = too_large(decision); break;
    case Rule::over_max: why = over_max(decision) + ". YuniKorn does not try preemption"; break;
    case Rule::predicates_fail: why = no_node(decision) + ", so YuniKorn does not try preemption"; break;
    default: break;
  }
  if (decision.queue && !decision.queue->solutions.empty()) {
    const bool somebody = decision.outcome == ReleaseOutcome::preempted || decision.outcome == ReleaseOutcome::varies;
    return somebody ? queue_preempts(decision) : queue_refused(decision, decision.queue->solutions.front());
  }
  return fmt::format("stays pending: {}", why);
}

}  // namespace previct::yunikorn
