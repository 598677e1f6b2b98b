#include "tell/kube/explain.h"

#include "base/contains.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "engine/kube/equals.h"
#include "engine/kube/next_end.h"
#include "tell/gap_words.h"
#include "tell/kube/evidence.h"
#include "tell/kube/evidence_fields.h"
#include "tell/kube/obstacles.h"
#include "tell/pod_words.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace previct::kube {
namespace {

auto lacks_nodes(const Gap& gap) -> bool {
  constexpr std::array kRules = {GapRule::missing_nodes, GapRule::lost_node, GapRule::lost_nodes,
                                 GapRule::lost_own_node, GapRule::lost_own_nodes};
  return gap.decides && contains(kRules, gap.rule);
}

/// The pods on nodes that are marked as victims of a preemption by the scheduler; found once for all questions.
struct MarkedVictims {
  explicit MarkedVictims(const Snapshot& cluster) {
    const WellKnown& known = cluster.known();
    for (const NodeId node : cluster.nodes().ids()) {
      for (const PodId id : cluster.pods_on(node)) {
        const Condition* target = cluster.pod(id).condition(known.disruption_target);
        const bool marked =
            target != nullptr && target->status == known.true_status && target->reason == known.preemption_by_scheduler;
        if (marked) by_node[node].push_back(id);
      }
    }
  }

  std::map<NodeId, std::vector<PodId>> by_node;
};

class Explaining {
 public:
  explicit Explaining(const Explained& e)
      : e_(e),
        cluster_(e.node_infos.cluster()),
        decision_(e.decision),
        words_(e.node_infos, e.subject, e.question.now) {}

  void run(Answer& out) {
    // The scheduler's message counts the nodes: if the input lacks some, the number would be wrong.
    const bool all_nodes = std::none_of(out.gaps.begin(), out.gaps.end(), lacks_nodes);
    // The class that serves a resource decides what nodes lack.
    const bool classes = std::none_of(out.gaps.begin(), out.gaps.end(),
                                      [](const Gap& gap) { return gap.rule == GapRule::class_of_resource_open; });
    if (!e_.account.literal_reading && !decision_.as_group() && all_nodes && classes) {
      FitMessage message = fit_message(decision_, e_.node_infos, words_);
      out.scheduler_message = std::move(message.text);
      out.message_varies = message.order_undefined;
    }
    if (e_.question.brief) return;
    find_tolerances();
    victims(out);
    tolerating(out);
    if (!out.next_change.is_never() && e_.question.next_change) out.next_change_words = next_change();
    if (out.odds) odds(out);
    if (out.orders) in_other_orders(out);
    under_way(out);
    details(out);
    if (!e_.question.documents || !e_.question.evidence) return;
    const EngineTrace& letter = e_.account.literal_reading ? *e_.account.literal_reading : e_.account;
    out.evidence = evidence(letter.decision, *letter.profile, e_.node_infos, e_.subject, e_.question.now);
  }

  // Returns the sentence for the way in which the attempt ended, whatever is unknown about it.
  [[nodiscard]] auto sentence() const -> std::string {
    if (decision_.as_group()) return together(*decision_.group);
    switch (decision_.ending) {
      case Ending::assigned: return fmt::format("is already on {}", cluster_.text(pod().spec.node_name));
      case Ending::deleting: return "is being deleted; the scheduler does not try it";
      case Ending::gated: return gated();
      case Ending::scheduled: return fits();
      case Ending::preempting: return e_.account.odds && decision_.choice.sampled ? sampled() : preempts();
      case Ending::no_nodes: return pending();
      case Ending::unschedulable:
        if (!decision_.eligibility || decision_.eligible()) return pending();
        return awaited_node(decision_) ? waits() : not_eligible();
      case Ending::preemption_error:
        return fmt::format("stays pending: the scheduler's attempt ends in an error ({})", preemption_error());
      case Ending::error: return fails();
    }
    return {};
  }

 private:
  [[nodiscard]] auto node_name(NodeId node) const -> std::string { return std::string(cluster_.name(node)); }
  [[nodiscard]] auto pod() const -> const Pod& { return cluster_.pod(e_.subject); }

  // -- the verdict

  [[nodiscard]] auto gated() const -> std::string {
    const Reason reason = decision_.gate.value_or(Reason{Rule::gated});
    if (reason.rule == Rule::gated) return words_.ours(reason) + kueue_gate_words(pod(), cluster_);
    return fmt::format("is not tried until this changes: {}", words_.ours(reason));
  }

  // `would preempt 3 pods for the 4 of its group ml/train, placed as one`
  [[nodiscard]] auto together(const GroupDecision& group) const -> std::string {
    const std::string others = group.waiting.size() == 1
                                   ? std::string()
                                   : fmt::format(", whose {} pods are scheduled together", group.waiting.size());
    const std::string whose = fmt::format("its group {}{}", group_name(), others);
    if (decision_.ending == Ending::scheduled) return fmt::format("fits with {}; no preemption needed", whose);
    if (decision_.ending == Ending::preempting) {
      return fmt::format("{} for {}", evicts(describe_pods(cluster_, group.victims), none_new(group.victims)), whose);
    }
    return fmt::format("stays pending with {}: {}", whose,
                       group.reason ? words_.ours(*group.reason) : "the nodes lack resources");
  }

  [[nodiscard]] auto group_name() const -> std::string {
    return fmt::format("{}/{}", cluster_.text(pod().meta.ns), cluster_.text(pod().spec.scheduling_group.pod_group));
  }

  [[nodiscard]] auto fits() const -> std::string {
    if (decision_.nominated_used) {
      return fmt::format("fits on {}, its nominated node; no preemption needed",
                         cluster_.text(pod().status.nominated_node_name));
    }
    if (decision_.feasible.size() == 1) {
      return fmt::format("fits only on {}; no preemption needed", node_name(decision_.feasible.front()));
    }
    if (!e_.account.open_node.empty()) {
      std::vector<std::string> reasons;
      for (const Gap& gap : e_.account.open_node) reasons.push_back(because_words(gap));
      return fmt::format("fits on {}; previct cannot tell which of them is chosen, because {}{}; no preemption needed",
                         of_nodes(), joined(reasons, "; and because "), by_what_is_known());
    }
    if (!decision_.selection) return fmt::format("fits on {}; {}", of_nodes(), kNoPreemption);
    const Selection& selection = *decision_.selection;
    if (selection.by == SelectedBy::no_score_plugins)
      return fmt::format("fits on {}; its profile scores no nodes, so the first one found is chosen; {}", of_nodes(),
                         kNoPreemption);
    if (selection.leaves_out_some()) return in_sample();
    if (selection.best.size() == 1) {
      return fmt::format("would be scheduled on {} (score {}; {}), one of {} that fit; {}",
                         node_name(selection.best.front()), best_total(), next_best(),
                         counted(selection.nodes.size(), "node", "nodes"), kNoPreemption);
    }
    return fmt::format("would be scheduled on {} (equal scores: {}; {}), of {} that fit; {}", either_of(selection.best),
                       best_total(), which_of_equal(), counted(selection.nodes.size(), "node", "nodes"), kNoPreemption);
  }

  static constexpr std::string_view kNoPreemption = "no preemption needed";

  // `3 of 5 nodes`
  [[nodiscard]] auto of_nodes() const -> std::string {
    return fmt::format("{} of {}", decision_.feasible.size(), counted(e_.node_infos.node_count(), "node", "nodes"));
  }

  [[nodiscard]] auto best_total() const -> std::int64_t {
    return *std::max_element(decision_.selection->totals.begin(), decision_.selection->totals.end());
  }

  // `next best: node-c, 398`
  [[nodiscard]] auto next_best() const -> std::string {
    const Selection& selection = *decision_.selection;
    const std::int64_t best = best_total();
    std::vector<NodeId> next;
    std::int64_t total = INT64_MIN;
    for (std::size_t i = 0; i < selection.nodes.size(); ++i) {
      if (selection.totals[i] == best || selection.totals[i] < total) continue;
      if (selection.totals[i] > total) next.clear();
      total = selection.totals[i];
      next.push_back(selection.nodes[i]);
    }
    return fmt::format("next best: {}, {}", either_of(next), total);
  }

  // `node-b or node-c or 4 others`
  [[nodiscard]] auto either_of(const std::vector<NodeId>& nodes) const -> std::string {
    std::vector<std::string> names = cluster_.names(nodes);
    std::sort(names.begin(), names.end());
    return any_of(std::move(names));
  }

  [[nodiscard]] auto which_of_equal() const -> std::string {
    if (e_.node_infos.release().has(Change::ties_are_drawn)) return "the scheduler picks one of them at random";
    return fmt::format("most likely {}, the first in the scheduler's list", node_name(decision_.selection->first));
  }

  // The input does not show which nodes are among the first ones found.
  [[nodiscard]] auto in_sample() const -> std::string {
    const Selection& selection = *decision_.selection;
    if (selection.best.size() == 1) {
      return fmt::format(
          "would be scheduled on {}, the best of any {} nodes that the scheduler compares, of {} that "
          "fit; {}",
          node_name(selection.best.front()), selection.sample_size, counted(decision_.feasible.size(), "node", "nodes"),
          kNoPreemption);
    }
    return fmt::format(
        "would be scheduled on one of {} (the scheduler compares the first {} that it finds, of {} that "
        "fit); {}; {}",
        counted(selection.best.size(), "node", "nodes"), selection.sample_size,
        counted(decision_.feasible.size(), "node", "nodes"), likeliest(*e_.account.odds), kNoPreemption);
  }

  // `. By what is known, it is node-b (score 412; …)`
  [[nodiscard]] auto by_what_is_known() const -> std::string {
    const Selection& selection = *decision_.selection;
    if (selection.totals.empty()) return {};
    return fmt::format(" (as far as is known, {})", either_of(selection.best));
  }

  [[nodiscard]] auto not_eligible() const -> std::string {
    const PriorityClass* c = class_that_never_preempts(cluster_, e_.subject);
    const std::string why = decision_.eligibility->rule == Rule::policy_never ? "preemptionPolicy is Never"
                                                                              : words_.ours(*decision_.eligibility);
    return fmt::format("stays pending: {}; it does not preempt: {}{}", why_no_node(), why,
                       c == nullptr ? "" : fmt::format(" (PriorityClass {})", cluster_.text(c->meta.name)));
  }

  // Returns true if all victims are already terminating.
  [[nodiscard]] auto none_new(const std::vector<PodId>& victims) const -> bool {
    return std::all_of(victims.begin(), victims.end(),
                       [&](PodId victim) { return cluster_.pod(victim).meta.deleting.has_value(); });
  }
  [[nodiscard]] auto victims_of(NodeId node) const -> const std::vector<PodId>& {
    return decision_.nodes[node].run->victims;
  }

  [[nodiscard]] static auto evicts(const std::string& pods, bool none_new) -> std::string {
    return none_new ? fmt::format("would use the capacity of {} already terminating", pods)
                    : fmt::format("would preempt {}", pods);
  }

  // `1 of 3 equal pods`: the input does not show which of them.
  [[nodiscard]] auto victims_words(NodeId node) const -> std::string {
    const std::vector<Victim> victims = victims_on(e_.account, node);
    std::set<EqualPods> groups;  // no pod is in two groups
    std::size_t equal = 0;
    std::size_t open = 0;
    for (const Victim& victim : victims) {
      if (victim.one_of == nullptr) continue;
      ++open;
      if (groups.insert(victim.one_of).second) equal += victim.one_of->size();
    }
    if (open == 0) return describe_pods(cluster_, victims_of(node));
    if (open == victims.size()) return fmt::format("{} of {} equal pods", open, equal);
    return fmt::format("{}, {} of them out of {} equal ones,", counted(victims.size(), "pod", "pods"), open, equal);
  }

  [[nodiscard]] auto preempts() const -> std::string {
    const std::vector<NodeId>& chosen = decision_.choice.chosen;
    if (chosen.empty()) return pending();
    const std::vector<PodId>& victims = victims_of(chosen.front());
    if (chosen.size() == 1) {
      return fmt::format("{} on {}{}", evicts(victims_words(chosen.front()), none_new(victims)),
                         node_name(chosen.front()), if_in_order());
    }
    // Nodes that tie have equal numbers of victims, but on some of them all victims may already be terminating.
    const std::string pods = counted(victims.size(), "pod", "pods");
    std::vector<std::string> healthy;
    std::vector<std::string> terminating;
    for (const NodeId node : chosen) (none_new(victims_of(node)) ? terminating : healthy).push_back(node_name(node));
    std::vector<std::string> parts;
    if (!healthy.empty()) parts.push_back(fmt::format("{} on {}", evicts(pods, false), any_of(std::move(healthy))));
    if (!terminating.empty())
      parts.push_back(fmt::format("{} on {}", evicts(pods, true), any_of(std::move(terminating))));
    return fmt::format("{} (equal on all criteria; the scheduler picks any){}", joined(parts, ", or "), if_in_order());
  }

  // `a or b or c or 4 others`
  [[nodiscard]] static auto any_of(std::vector<std::string> names, std::size_t shown = 3) -> std::string {
    const std::size_t more = names.size() > shown ? names.size() - shown : 0;
    names.resize(names.size() - more);
    return joined(names, " or ") + (more == 0 ? "" : fmt::format(" or {} others", more));
  }

  // `, if the scheduler keeps equal pods in the order of the input; in another order 1 to 3 pods on a, or 2 pods on b`
  [[nodiscard]] auto if_in_order() const -> std::string {
    if (!decision_.orders) return if_in_order_by_size();
    if (!e_.account.orders) return {};
    const std::string condition = ", if the scheduler keeps equal pods in the order of the input; in another order ";
    const std::vector<Orders::OnNode>& nodes = e_.account.orders->nodes;
    if (nodes.empty())
      return condition + "other pods, or a different number of pods, may be evicted, or another node may be chosen";
    constexpr std::size_t kShown = 3;
    if (nodes.size() > kShown) {
      std::size_t fewest = SIZE_MAX;
      std::size_t most = 0;
      for (const Orders::OnNode& each : nodes) {
        fewest = std::min(fewest, each.fewest);
        most = std::max(most, each.most);
      }
      return fmt::format("{}{} on one of {} nodes", condition, range_of_pods(fewest, most), nodes.size());
    }
    std::vector<std::string> each;
    for (const Orders::OnNode& node : nodes)
      each.push_back(fmt::format("{} on {}", range_of_pods(node.fewest, node.most), node.node));
    return condition + joined(each, " or ");
  }

  [[nodiscard]] static auto range_of_pods(std::size_t least, std::size_t most) -> std::string {
    return least == most ? counted(most, "pod", "pods") : fmt::format("{} to {} pods", least, most);
  }

  // Used if the other orders were not tried. If pods are equal to the scheduler but have different requests, the number
  // of victims depends on which of them are evicted, and the choice of the node depends on that number. If there are
  // many candidates, only the chosen ones are considered.
  [[nodiscard]] auto if_in_order_by_size() const -> std::string {
    constexpr std::size_t kMost = 32;
    const std::vector<NodeId>& nodes =
        decision_.candidates.size() <= kMost ? decision_.candidates : decision_.choice.chosen;
    const bool open = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
      return EqualPodGroups(decision_, e_.node_infos, node, pod().spec.priority).of_unlike_sizes();
    });
    if (!open) return {};
    return fmt::format(
        ", if the scheduler keeps equal pods in the order of the input: they request different amounts, and another "
        "order may evict more or fewer{}",
        nodes.size() == 1 ? " of them" : ", or choose another node");
  }

  // `would preempt 12 to 23 pods on one of 633 nodes; most likely node gpu-2 (1 in 6)`
  [[nodiscard]] auto sampled() const -> std::string {
    const Odds& odds = *e_.account.odds;
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    std::size_t terminating = 0;  // nodes whose victims are all terminating
    for (const NodeId node : decision_.choice.possible) {
      const std::vector<PodId>& victims = victims_of(node);
      least = std::min(least, victims.size());
      most = std::max(most, victims.size());
      terminating += none_new(victims) ? 1U : 0U;
    }
    const bool all = terminating == decision_.choice.possible.size();
    return fmt::format(
        "{} on one of {} nodes{}; {}", evicts(range_of_pods(least, most), all), odds.nodes.size(),
        all || terminating == 0 ? "" : fmt::format(" (on {} of them all are already terminating)", terminating),
        likeliest(odds));
  }

  // `most likely node gpu-2 (1 in 6)`, `most likely one of the 40 best, each 1 in 50`
  [[nodiscard]] auto likeliest(const Odds& odds) const -> std::string {
    std::vector<std::string> names;
    for (const PossibleNode& each : odds.nodes) {
      if (odds.nodes.front().likely - each.likely < 1e-9) names.emplace_back(cluster_.name(each.node));
    }
    const std::string chance = chance_words(odds.nodes.front().likely);
    if (names.size() == odds.nodes.size()) return fmt::format("all are equally likely ({})", chance);
    if (names.size() == 1) return fmt::format("most likely {} ({})", names.front(), chance);
    constexpr std::size_t kShown = 2;
    return fmt::format("most likely {} ({} each)", any_of(std::move(names), kShown), chance);
  }

  [[nodiscard]] auto waits() const -> std::string {
    const NodeId node = awaited_node(decision_);
    return fmt::format("waits for {}: {}", node_name(node), terminating_words(e_, node));
  }

  [[nodiscard]] auto pending() const -> std::string {
    if (decision_.ending == Ending::no_nodes) return "stays pending: the input has no nodes";
    if (decision_.pre_filter) {
      return fmt::format("stays pending, whatever is evicted: {}", words_.ours(decision_.pre_filter->reasons.front()));
    }
    if (!e_.profile.preempts())
      return fmt::format("stays pending: {}; {}{}", why_no_node(), words_.ours({Rule::no_preemption}), deallocates());
    return fmt::format("stays pending{}: {}{}", until_words(e_), why_no_node(), deallocates());
  }

  // Why no node is suitable, in one line of 160 columns including the name of the pod.
  [[nodiscard]] auto why_no_node() const -> std::string {
    constexpr std::size_t kColumns = 160;
    constexpr std::size_t kOfSentence = 32;  // `stays pending`, priority and spaces
    const std::size_t subject =
        e_.question.brief ? 0 : cluster_.key(e_.subject).size() + cluster_.text(pod().spec.priority_class_name).size();
    return obstacle_words(e_, words_, kColumns - std::min(subject + kOfSentence, kColumns / 2));
  }

  // The next attempt then searches for devices again.
  [[nodiscard]] auto deallocates() const -> std::string {
    for (const PostFilterStep& step : decision_.steps) {
      if (step.reason && step.reason->rule == Rule::claim_deallocated)
        return fmt::format("; {}", words_.ours(*step.reason));
    }
    return {};
  }

  // `stays pending: the scheduler's attempt ends in one of 4 errors; chance decides in which one (A; B; C; and 1 more)`
  [[nodiscard]] auto fails() const -> std::string {
    constexpr std::size_t kNamed = 3;
    AttemptErrors errors = attempt_errors(decision_, words_);
    const std::size_t known = errors.texts.size();
    errors.texts.resize(std::min(known, kNamed));
    if (known > kNamed) errors.texts.push_back(fmt::format("and {} more", known - kNamed));
    std::string in = "an error";
    if (known > 1) in = fmt::format("one of {} errors; chance decides in which one", known);
    if (errors.others_possible) {
      in = known > 1 ? fmt::format("an error; chance decides in which one, and previct knows {} of them", known)
                     : "an error; chance decides in which one, and previct knows one of them";
    }
    return fmt::format("stays pending: the scheduler's attempt ends in {} ({})", in, joined(errors.texts, "; "));
  }

  [[nodiscard]] auto preemption_error() const -> std::string {
    for (const NodeVerdict& node : decision_.nodes) {
      if (node.run->status.code == Code::error) return words_.ours(node.run->status.reasons.front());
    }
    return decision_.pre_filter ? words_.ours(decision_.pre_filter->reasons.front())
                                : "DynamicResources' PostFilter lacks the state of its PreFilter";
  }

  // -- victims and pods that stay

  void find_tolerances() {
    tolerances_.resize(cluster_.pods().size());
    for (const PodTolerance& t : decision_.tolerances) {
      const PodTolerance*& known = tolerances_[t.pod.index];
      if (known == nullptr) known = &t;
    }
  }

  [[nodiscard]] auto tolerance_of(PodId pod) const -> const PodTolerance* {
    return pod.index < tolerances_.size() ? tolerances_[pod.index] : nullptr;
  }

  [[nodiscard]] auto object_name(PodId pod) const -> std::string { return fmt::format("Pod/{}", cluster_.key(pod)); }

  [[nodiscard]] auto field_of_pod(PodId pod, std::string_view field) const -> Evidence {
    return {object_name(pod), std::string(field), cluster_.pod(pod).meta.source};
  }

  [[nodiscard]] auto toleration_json(const PodTolerance& t) const -> Json {
    const Reason& r = t.tolerance.reason;
    Json out = {{"policy", "preemption-toleration"}, {"rule", info(r.rule).id}};
    const PriorityClass* c = cluster_.priority_class(cluster_.pod(t.pod).spec.priority_class_name);
    if (c == nullptr) return out;
    out["class"] = cluster_.text(c->meta.name);
    const TolerationPolicy policy = toleration_policy(*c, cluster_.objects().symbols);
    if (policy.malformed) return out;
    out["minimumPreemptablePriority"] = policy.minimum_preemptable_priority;
    out["tolerationSeconds"] = policy.toleration_seconds;
    if (t.tolerance.since != Instant{}) out["since"] = format_instant(t.tolerance.since);
    const bool ends = t.tolerance.answer == Tolerance::Answer::yes && !t.tolerance.until.is_never();
    if (ends) out["until"] = format_instant(t.tolerance.until);
    return out;
  }

  // Adds the victims of the node in the verdict, then those of nodes that are an equally good choice.
  void victims(Answer& out) const {
    if (decision_.as_group()) return victims_for_group(out);
    const std::vector<NodeId>& chosen = decision_.choice.chosen;
    if (chosen.empty()) return;
    add_lines(chosen.front(), out.victims, out);
    if (!out.odds) return;
    for (const PossibleNode& each : out.odds->nodes) {
      if (each.best && each.node != chosen.front()) add_lines(each.node, each.victims, out);
    }
  }

  void victims_for_group(Answer& out) const {
    for (const Victim& victim : out.victims) {
      VictimLine& line = out.victim_lines.emplace_back(VictimLine{victim});
      line.why = victim.rule == info(Rule::must_go).id ? "lower priority" : "lower priority; violates its budget";
      if (cluster_.pod(victim.pod).meta.deleting) line.why += "; already terminating";
      line.evidence.push_back(field_of_pod(victim.pod, "spec.priority"));
    }
  }

  void add_lines(NodeId node, const std::vector<Victim>& victims, Answer& out) const {
    const DryRun& run = *decision_.nodes[node].run;
    std::map<EqualPods, std::string> of_group;
    for (const Victim& victim : victims) {
      VictimLine& line = out.victim_lines.emplace_back(VictimLine{victim});
      const Reason fate = fate_of(run, victim.pod);
      line.why = victim_words(victim.pod, fate);
      if (victim.one_of) {
        std::string& words = of_group[victim.one_of];
        if (words.empty()) words = group_words(*victim.one_of, count_evicted(run, *victim.one_of));
        line.why += words;
      }
      line.evidence.push_back(field_of_pod(victim.pod, "spec.priority"));
      if (const PodTolerance* t = tolerance_of(victim.pod)) {
        for (Evidence& e : evidence_of(cluster_, victim.pod, t->tolerance.reason))
          line.evidence.push_back(std::move(e));
        if (e_.question.documents) line.toleration = toleration_json(*t);
      }
      if (fate.rule == Rule::must_go_violating) line.evidence.push_back(evidence_of_budget(cluster_, fate));
    }
  }

  // `; one of 3 that are equal: ml/a, ml/b, ml/c`
  [[nodiscard]] auto group_words(const std::vector<PodId>& group, std::size_t going) const -> std::string {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> names;
    for (const PodId pod : group) names.push_back(cluster_.key(pod));
    return fmt::format("; {} of {} that are equal to the scheduler: {}", going == 1 ? "one" : fmt::format("{}", going),
                       group.size(), joined_up_to(kShown, std::move(names)));
  }

  // Adds possible victims that are in no other table.
  void in_other_orders(Answer& out) const {
    constexpr std::size_t kShown = 8;
    std::set<PodId> told;
    std::set<EqualPods> groups;
    for (const Victim& victim : out.victims) {
      told.insert(victim.pod);
      if (victim.one_of && groups.insert(victim.one_of).second)
        told.insert(victim.one_of->begin(), victim.one_of->end());
    }
    std::vector<std::string> names;
    for (const Orders::OnNode& node : out.orders->nodes) {
      for (const PodId pod : node.ever) {
        if (told.insert(pod).second) names.push_back(cluster_.key(pod));
      }
    }
    if (names.empty()) return;
    out.details.emplace_back(Line{{{fmt::format("in another order of equal pods, these may be evicted: {}",
                                                joined_up_to(kShown, std::move(names)))}}});
  }

  // Adds the chance of each node if several may be chosen.
  void odds(Answer& out) const {
    if (decision_.selection) {
      out.odds_rest_on = decision_.selection->leaves_out_some()
                             ? "an estimate: every start node of the search is equally likely"
                             : "the scheduler picks one of the nodes with the best score at random";
      return;
    }
    out.odds_rest_on = e_.account.order == Chances::Order::cycle
                           ? "nodes are tried in the order of the scheduler's list, starting at a random one"
                           : "every order in which nodes are tried is equally likely";
    if (decision_.choice.sampled) out.details.emplace_back(sample_line(*out.odds, out.odds_rest_on));
  }

  [[nodiscard]] static auto sample_line(const Odds& odds, const std::string& rests_on) -> Line {
    return {
        {{fmt::format("odds: evicting pods helps on {} nodes; the scheduler compares the first {} of them that it "
                      "finds, so each of {} may be the best of those. Basis of the odds: {}",
                      odds.candidates, odds.sample, odds.nodes.size(), rests_on)}}};
  }

  [[nodiscard]] auto victim_words(PodId victim, const Reason& fate) const -> std::string {
    const PodTolerance* t = tolerance_of(victim);
    std::string why =
        t == nullptr ? "lower priority" : why_no_toleration(words_, cluster_, victim, t->tolerance.reason);
    if (fate.rule == Rule::must_go_violating) why += fmt::format("; violates {}", budget_words(cluster_, fate));
    if (cluster_.pod(victim).meta.deleting) why += "; already terminating";
    return why;
  }

  void tolerating(Answer& out) const {
    for (const Tolerating& each : out.tolerating) {
      const bool shown = e_.question.extent.may_show(out.tolerating_lines.size());
      ToleratingLine& line = out.tolerating_lines.emplace_back(ToleratingLine{each});
      const PodTolerance* t = tolerance_of(each.pod);
      if (t == nullptr || !shown) continue;
      line.why = words_.ours(t->tolerance.reason);
      line.evidence = evidence_of(cluster_, t->pod, t->tolerance.reason);
      if (e_.question.documents) line.toleration = toleration_json(*t);
    }
  }

  // -- the next change

  [[nodiscard]] auto next_change() const -> std::string {
    if (const auto end = next_end(e_.account, e_.question.now)) return pod_end_words(*end, cluster_);
    return difference(attempt(e_.node_infos, e_.account.budgets, e_.subject, e_.profile, decision_.next_change, {}));
  }

  [[nodiscard]] auto difference(const Decision& then) const -> std::string {
    const auto victims_on = [&](NodeId node) {
      const DryRun& run = *then.nodes[node].run;
      return fmt::format("{}, {}", counted(run.victims.size(), "victim", "victims"),
                         counted(static_cast<std::size_t>(run.violations), "PDB violation", "PDB violations"));
    };
    const auto& before = decision_.choice.chosen;
    const auto& after = then.choice.chosen;
    const auto newcomer = std::find_if(after.begin(), after.end(), [&](NodeId node) {
      return std::find(before.begin(), before.end(), node) == before.end();
    });
    if (newcomer != after.end()) {
      const bool joins = std::find_first_of(after.begin(), after.end(), before.begin(), before.end()) != after.end();
      return joins ? fmt::format("{} becomes equivalent to {}: {}", node_name(*newcomer), node_name(before.front()),
                                 victims_on(*newcomer))
                   : fmt::format("{} would be chosen then: {}", node_name(*newcomer), victims_on(*newcomer));
    }
    if (!after.empty() && after != before)
      return fmt::format("only {} remains the best choice", node_name(after.front()));
    for (const NodeId node : then.candidates) {
      if (decision_.nodes[node].preemption == NodeVerdict::Preemption::candidate) continue;
      return fmt::format("{} becomes a candidate ({}), but would not be chosen", node_name(node), victims_on(node));
    }
    if (!then.choice.chosen.empty()) {
      const NodeId node = then.choice.chosen.front();
      if (then.nodes[node].run->victims != decision_.nodes[node].run->victims) {
        return fmt::format("{} would still be chosen, with other victims ({})", node_name(node), victims_on(node));
      }
    }
    return fmt::format("{}; the decision stays the same", whose_end());
  }

  // `the toleration of ml/a and 2 more ends`
  [[nodiscard]] auto whose_end() const -> std::string {
    std::vector<PodId> pods;
    for (const PodTolerance& t : decision_.tolerances) {
      const bool ends = t.tolerance.answer == Tolerance::Answer::yes && t.tolerance.until == decision_.next_change;
      if (ends) pods.push_back(t.pod);
    }
    if (pods.empty()) return "a toleration ends";
    const std::size_t more = pods.size() - 1;
    return fmt::format("the toleration of {}{} ends", cluster_.key(pods.front()),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }

  // A preemption in progress, recognized by its victims: marked, and terminating or not yet deleted.
  void under_way(Answer& out) const {
    for (const auto& [node, marked] : cluster_.derived<MarkedVictims>().by_node) {
      const auto deleted = static_cast<std::size_t>(std::count_if(
          marked.begin(), marked.end(), [&](PodId id) { return cluster_.pod(id).meta.deleting.has_value(); }));
      out.details.emplace_back(under_way_line(node, marked.size(), deleted));
    }
  }

  [[nodiscard]] auto under_way_line(NodeId node, std::size_t marked, std::size_t deleted) const -> Line {
    std::vector<std::string> whom;
    for (const PodId id : cluster_.pods().ids()) {
      if (cluster_.pending(id) && cluster_.pod(id).status.nominated_node_name == e_.node_infos.name(node))
        whom.push_back(cluster_.key(id));
    }
    const std::string preemptor = whom.empty() ? "a pod whose nomination is not in the input yet" : joined(whom, ", ");
    return {{{fmt::format("preemption in progress: resources are freed for {} on {}; {}, {}", preemptor,
                          node_name(node), counted(marked, "victim still exists", "victims still exist"),
                          deleted == marked ? std::string("being deleted")
                          : deleted == 0    ? std::string("not deleted yet")
                                            : fmt::format("{} of them not deleted yet", marked - deleted)),
              Tone::soon}}};
  }

  void details(Answer& out) const {
    if (e_.account.found == Outcome::not_eligible) {
      out.fields.push_back(field_of_pod(e_.subject, info(Rule::policy_never).field));
      if (const PriorityClass* c = class_that_never_preempts(cluster_, e_.subject)) {
        out.fields.push_back(
            {fmt::format("PriorityClass/{}", cluster_.text(c->meta.name)), "preemptionPolicy", c->meta.source});
      }
    }
    if (!decision_.nodes.empty()) tell_nodes(e_, out);
  }

  const Explained& e_;
  const Snapshot& cluster_;
  const Decision& decision_;
  Words words_;
  std::vector<const PodTolerance*> tolerances_;  // by pod
};

}  // namespace

auto terminating_words(const Explained& explained, NodeId node) -> std::string {
  const Snapshot& cluster = explained.node_infos.cluster();
  const Instant now = explained.question.now;
  std::size_t terminating = 0;
  PodId last;
  for (const PodInfo& p : explained.node_infos.pods_on(node)) {
    const Pod& other = cluster.pod(p.pod);
    if (p.priority >= cluster.pod(explained.subject).spec.priority || !other.meta.deleting) continue;
    ++terminating;
    if (!last || *cluster.pod(last).meta.deleting < *other.meta.deleting) last = p.pod;
  }
  const Instant end = *cluster.pod(last).meta.deleting;
  const auto& finalizers = cluster.pod(last).meta.finalizers;
  const std::string kept = finalizers.empty()
                               ? std::string()
                               : fmt::format("; finalizer {} is still set", cluster.text(*finalizers.begin()));
  return fmt::format("{} still terminating there ({}, grace {} {}, {}{})",
                     terminating == 1 ? "1 victim is" : fmt::format("{} victims are", terminating), cluster.key(last),
                     end < now ? "ended" : "ends", format_clock(end, now), format_distance(end, now),
                     end < now ? kept : "");
}

auto sentence(const Explained& explained) -> std::string {
  return Explaining(explained).sentence();
}

auto cause(const Explained& explained) -> Cause {
  const Words words(explained.node_infos, explained.subject, explained.question.now);
  if (explained.account.found == Outcome::not_eligible) {
    const Reason never{Rule::policy_never};
    return {std::string(info(never.rule).id), "their preemptionPolicy is Never"};
  }
  if (!explained.decision.pre_filter) return cause_of(explained, words);
  const Reason& reason = explained.decision.pre_filter->reasons.front();
  return {std::string(info(reason.rule).id), words.ours(reason)};
}

void tell(const Explained& explained, Answer& answer) {
  Explaining(explained).run(answer);
}

}  // namespace previct::kube
