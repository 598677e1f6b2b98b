#include "engine/kube/explain.h"

#include "api/upstream.h"
#include "base/text.h"
#include "engine/kube/equals.h"
#include "engine/kube/evidence.h"
#include "engine/kube/odds.h"
#include "engine/kube/rests_on.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

auto outcome_of(const Decision& decision) -> Outcome {
  switch (decision.ending) {
    case Ending::assigned: return Outcome::scheduled;
    case Ending::deleting: return Outcome::deleting;
    case Ending::gated: return Outcome::gated;
    case Ending::no_nodes: return Outcome::pending;
    case Ending::scheduled: return Outcome::fits;
    case Ending::preempting: return Outcome::preempts;
    case Ending::unschedulable:
      if (!decision.eligibility || decision.eligible()) return Outcome::pending;
      return decision.eligibility->rule == Rule::victim_terminating ? Outcome::waits : Outcome::not_eligible;
    case Ending::preemption_error:
    case Ending::error: return Outcome::error;
  }
  return Outcome::error;
}

class Explaining {
 public:
  explicit Explaining(const Explained& e)
      : e_(e), cluster_(e.world.cluster()), decision_(e.decision), words_(e.world, e.subject, e.question.now) {
    for (const PodTolerance& t : decision_.tolerances) tolerances_.emplace(t.pod, &t);
  }

  auto run() -> Answer {
    Answer out;
    out.engine = "kube";
    out.behaves = behaves(release_of(e_.question), &e_.profile);
    out.subject = e_.subject;
    out.subject_name = cluster_.key(e_.subject);
    out.outcome = outcome_of(decision_);
    for (const NodeId node : decision_.feasible) out.feasible.push_back(node_name(node));
    for (const NodeId node : decision_.choice.possible) out.tied.push_back(node_name(node));
    std::sort(out.tied.begin(), out.tied.end());
    if (!decision_.choice.chosen.empty()) out.node = node_name(decision_.choice.chosen.front());
    if (out.outcome == Outcome::waits)
      out.node = node_name(NodeId{static_cast<std::uint32_t>(decision_.eligibility->b)});
    if (decision_.choice.possible.size() > 1) odds(out);
    out.sentence = out.odds && decision_.choice.sampled ? sampled(*out.odds) : sentence(out.outcome);
    out.scheduler_message = fit_message(decision_, e_.world, words_).text;
    victims(out);
    tolerating(out);
    next_change(out);
    out.gaps = gaps(e_);
    if (e_.question.brief) return out;
    under_way(out);
    details(out);
    out.evidence = evidence(decision_, e_.world, e_.subject, e_.question.now);
    return out;
  }

 private:
  [[nodiscard]] auto node_name(NodeId node) const -> std::string {
    return std::string(cluster_.text(e_.world.name(node)));
  }
  [[nodiscard]] auto pod() const -> const Pod& { return cluster_.pod(e_.subject); }

  // -- the verdict

  [[nodiscard]] auto sentence(Outcome outcome) const -> std::string {
    switch (outcome) {
      case Outcome::scheduled: return fmt::format("is already on node {}", cluster_.text(pod().spec.node_name));
      case Outcome::deleting: return "is being deleted; the scheduler does not try to place it";
      case Outcome::gated: return gated();
      case Outcome::fits: return fits();
      case Outcome::preempts: return preempts();
      case Outcome::not_eligible: return not_eligible();
      case Outcome::waits: return waits();
      case Outcome::pending: return pending();
      case Outcome::unknown: break;  // conclude() says it
      case Outcome::error:
        return fmt::format("stays pending: the scheduler's attempt ends in an error ({})", error_text());
    }
    return {};
  }

  [[nodiscard]] auto gated() const -> std::string {
    const Reason reason = decision_.gate.value_or(Reason{Rule::gated});
    if (reason.rule == Rule::gated) return words_.ours(reason);
    return fmt::format("is not tried before that changes: {}", words_.ours(reason));
  }

  [[nodiscard]] auto fits() const -> std::string {
    if (decision_.nominated_used) {
      return fmt::format("fits on node {}, to which it is nominated; no preemption needed",
                         cluster_.text(pod().status.nominated_node_name));
    }
    if (decision_.feasible.size() == 1) {
      return fmt::format("fits on node {} alone; no preemption needed", node_name(decision_.feasible.front()));
    }
    return fmt::format("fits on {} of {}; no preemption needed", decision_.feasible.size(),
                       counted(e_.world.node_count(), "node", "nodes"));
  }

  [[nodiscard]] auto not_eligible() const -> std::string {
    const PriorityClass* c = class_that_never_preempts(cluster_, e_.subject);
    return fmt::format("stays pending and does not try to preempt: {}{}", words_.ours(*decision_.eligibility),
                       c == nullptr ? "" : fmt::format(" (PriorityClass {})", cluster_.text(c->meta.name)));
  }

  // Those of a node are terminating already, all of them.
  [[nodiscard]] auto none_new(const std::vector<VictimLine>& victims) const -> bool {
    return std::all_of(victims.begin(), victims.end(),
                       [&](const VictimLine& v) { return cluster_.pod(v.pod).meta.deleting.has_value(); });
  }

  [[nodiscard]] static auto evicts(const std::string& pods, bool none_new) -> std::string {
    return none_new ? fmt::format("would take the room of {} already terminating", pods)
                    : fmt::format("would preempt {}", pods);
  }

  [[nodiscard]] auto preempts() const -> std::string {
    const std::vector<NodeId>& chosen = decision_.choice.chosen;
    if (chosen.empty()) return pending();
    const std::vector<VictimLine> victims = victims_on(chosen.front(), false);
    const std::string whom = evicts(counted(victims.size(), "pod", "pods"), none_new(victims));
    if (chosen.size() == 1) return fmt::format("{} on node {}", whom, node_name(chosen.front()));
    constexpr std::size_t kShown = 3;
    std::vector<std::string> names;
    for (const NodeId node : chosen) names.push_back(node_name(node));
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(names.size() - more);
    return fmt::format("{} on node {}{} (equal on all criteria; the scheduler picks any)", whom, joined(names, " or "),
                       more == 0 ? "" : fmt::format(" or {} others", more));
  }

  // `would preempt 12 to 23 pods on one of 633 nodes; most likely node gpu-2 (1 in 6)`
  [[nodiscard]] auto sampled(const Odds& odds) const -> std::string {
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    bool none_is_new = true;
    for (const PossibleNode& each : odds.nodes) {
      least = std::min(least, each.victims.size());
      most = std::max(most, each.victims.size());
      none_is_new = none_is_new && none_new(each.victims);
    }
    const std::string pods = least == most ? counted(most, "pod", "pods") : fmt::format("{} to {} pods", least, most);
    return fmt::format("{} on one of {} nodes; {}", evicts(pods, none_is_new), odds.nodes.size(), likeliest(odds));
  }

  // `most likely node gpu-2 (1 in 6)`, `most likely one of the 40 best, each 1 in 50`
  [[nodiscard]] static auto likeliest(const Odds& odds) -> std::string {
    std::vector<std::string> names;
    for (const PossibleNode& each : odds.nodes) {
      if (odds.nodes.front().likely - each.likely < 1e-9) names.push_back(each.node);
    }
    const std::string chance = chance_words(odds.nodes.front().likely);
    if (names.size() == odds.nodes.size()) return fmt::format("all of them as likely ({})", chance);
    if (names.size() == 1) return fmt::format("most likely node {} ({})", names.front(), chance);
    constexpr std::size_t kShown = 2;
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(names.size() - more);
    return fmt::format("most likely node {}{} ({} each)", joined(names, " or "),
                       more == 0 ? "" : fmt::format(" or {} others", more), chance);
  }

  [[nodiscard]] auto waits() const -> std::string {
    const NodeId node{static_cast<std::uint32_t>(decision_.eligibility->b)};
    return fmt::format("waits for node {}: {}", node_name(node), terminating_words(e_, node));
  }

  [[nodiscard]] auto pending() const -> std::string {
    if (decision_.ending == Ending::no_nodes) return "stays pending: the input has no nodes";
    if (decision_.pre_filter) {
      return fmt::format("stays pending, whatever is evicted: {}", words_.ours(decision_.pre_filter->reasons.front()));
    }
    if (!e_.profile.preempts())
      return fmt::format("stays pending: no node takes it, and {}{}", words_.ours({Rule::no_preemption}),
                         deallocates());
    return nobody_freed() + deallocates();
  }

  [[nodiscard]] auto nobody_freed() const -> std::string {
    const bool kept = std::none_of(decision_.nodes.begin(), decision_.nodes.end(), [](const NodeVerdict& v) {
      return v.preemption == NodeVerdict::Preemption::not_kept;
    });
    if (!kept)
      return fmt::format("stays pending: a node can be freed, but {}",
                         "the scheduler's arguments let it keep no candidate");
    const bool tried = std::any_of(decision_.nodes.begin(), decision_.nodes.end(),
                                   [](const NodeVerdict& v) { return v.preemption == NodeVerdict::Preemption::none; });
    return tried ? "stays pending: no node can be freed for it now"
                 : "stays pending: evicting pods cannot help on any node";
  }

  // The next attempt then looks for devices anew.
  [[nodiscard]] auto deallocates() const -> std::string {
    for (const PostFilterStep& step : decision_.steps) {
      if (step.reason && step.reason->rule == Rule::claim_deallocated)
        return fmt::format("; {}", words_.ours(*step.reason));
    }
    return {};
  }

  [[nodiscard]] auto error_text() const -> std::string {
    if (decision_.ending == Ending::error) return attempt_error(decision_, words_);
    for (const NodeVerdict& node : decision_.nodes) {
      if (node.run.status.code == Code::error) return words_.ours(node.run.status.reasons.front());
    }
    return decision_.pre_filter ? words_.ours(decision_.pre_filter->reasons.front())
                                : "DynamicResources' PostFilter lacks the state of its PreFilter";
  }

  // -- who goes, who stays

  [[nodiscard]] auto tolerance_of(PodId pod) const -> const PodTolerance* {
    const auto found = tolerances_.find(pod);
    return found == tolerances_.end() ? nullptr : found->second;
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

  void victims(Answer& out) const {
    if (!decision_.choice.chosen.empty()) out.victims = victims_on(decision_.choice.chosen.front(), true);
  }

  // `in_full`: with words and evidence. A brief answer only counts those of nodes beside the best.
  [[nodiscard]] auto victims_on(NodeId node, bool in_full) const -> std::vector<VictimLine> {
    const DryRun& run = decision_.nodes[node].run;
    std::vector<VictimLine> victims;
    if (e_.question.brief && !in_full) {
      for (const PodId victim : run.victims) {
        VictimLine& line = victims.emplace_back();
        line.pod = victim;
        line.certain = false;
      }
      return victims;
    }
    const Equals equals(decision_, e_.world, node, pod().spec.priority);
    for (const PodId victim : run.victims) {
      VictimLine& line = victims.emplace_back();
      line.pod = victim;
      line.certain = decision_.choice.possible.size() == 1 && equals.certain(victim);
      const std::vector<PodId>* group = equals.group_of(victim);
      if (group != nullptr) line.one_of = *group;
      const auto fate =
          std::find_if(run.fates.begin(), run.fates.end(), [&](const Fate& f) { return f.pod == victim; });
      const Reason reason = fate == run.fates.end() ? Reason{Rule::must_go} : fate->reason;
      line.rule = info(reason.rule).id;
      if (!in_full) continue;
      line.why = victim_words(victim, reason);
      if (group != nullptr) line.why += group_words(*group, equals.going_of(*group));
      line.evidence.push_back(field_of_pod(victim, "spec.priority"));
      if (const PodTolerance* t = tolerance_of(victim)) {
        for (Evidence& e : evidence_of(cluster_, victim, t->tolerance.reason)) line.evidence.push_back(std::move(e));
        line.toleration = toleration_json(*t);
      }
      if (reason.rule == Rule::must_go_violating) line.evidence.push_back(evidence_of_budget(cluster_, reason));
    }
    return victims;
  }

  // `; one of 3 that are equal: ml/a, ml/b, ml/c`
  [[nodiscard]] auto group_words(const std::vector<PodId>& group, std::size_t going) const -> std::string {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> names;
    for (const PodId pod : group) names.push_back(cluster_.key(pod));
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(names.size() - more);
    return fmt::format("; {} of {} that are equal to the scheduler: {}{}",
                       going == 1 ? "one" : fmt::format("{}", going), group.size(), joined(names, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }

  // How likely each node is, where several may be chosen.
  void odds(Answer& out) const {
    const Choice& choice = decision_.choice;
    // Of the releases that there are, 1.31 alone goes by the list of nodes.
    const Chances chances = kube::chances(e_.world, decision_, e_.subject, release_of(e_.question).version == "1.31");
    Odds& odds = out.odds.emplace();
    odds.candidates = decision_.candidates.size();
    odds.sample = static_cast<std::size_t>(std::max<std::int64_t>(choice.sample, 0));
    odds.rests_on = chances.order == Chances::Order::cycle
                        ? "nodes are tried in the order of the scheduler's list, from a random one on"
                        : "every order in which nodes are tried is equally likely";
    for (const Chance& chance : chances.nodes) {
      const bool best = std::find(choice.chosen.begin(), choice.chosen.end(), chance.node) != choice.chosen.end();
      odds.nodes.push_back({.node = node_name(chance.node),
                            .likely = chance.likely,
                            .at_least = chance.at_least,
                            .at_most = chance.at_most,
                            .best = best,
                            .victims = victims_on(chance.node, best && !e_.question.brief),
                            .pdb_violations = decision_.nodes[chance.node].run.violations});
    }
    if (odds.nodes.empty()) {
      out.odds.reset();
      return;
    }
    if (choice.sampled) out.details.emplace_back(sample_line(odds));
  }

  [[nodiscard]] static auto sample_line(const Odds& odds) -> Line {
    return {
        {{fmt::format("odds: evicting pods makes room on {} nodes; the scheduler compares the first {} of them that it "
                      "finds, so each of {} may be the best it sees. The chances rest on this: {}",
                      odds.candidates, odds.sample, odds.nodes.size(), odds.rests_on)}}};
  }

  [[nodiscard]] auto victim_words(PodId victim, const Reason& fate) const -> std::string {
    const PodTolerance* t = tolerance_of(victim);
    std::string why =
        t == nullptr ? "lower priority" : why_no_toleration(words_, cluster_, victim, t->tolerance.reason);
    if (fate.rule == Rule::must_go_violating) why += fmt::format("; violates {}", budget_words(cluster_, fate));
    if (cluster_.pod(victim).meta.deleting) why += "; already terminating";
    return why;
  }

  // Those on nodes that preemption was tried on: elsewhere nobody asked them.
  void tolerating(Answer& out) const {
    for (const PodTolerance& t : decision_.tolerances) {
      if (t.tolerance.answer != Tolerance::Answer::yes) continue;
      const auto tried =
          decision_.nodes.empty() ? NodeVerdict::Preemption::not_asked : decision_.nodes[t.node].preemption;
      if (tried != NodeVerdict::Preemption::none && tried != NodeVerdict::Preemption::candidate) continue;
      out.tolerating.push_back({.pod = t.pod,
                                .rule = std::string(info(t.tolerance.reason.rule).id),
                                .why = words_.ours(t.tolerance.reason),
                                .since = t.tolerance.since,
                                .until = t.tolerance.until,
                                .evidence = evidence_of(cluster_, t.pod, t.tolerance.reason),
                                .toleration = toleration_json(t)});
    }
    std::stable_sort(out.tolerating.begin(), out.tolerating.end(),
                     [](const ToleratingLine& a, const ToleratingLine& b) { return a.until < b.until; });
  }

  // -- what comes next

  void next_change(Answer& out) const {
    const bool preemption_matters = decision_.ending == Ending::preempting ||
                                    decision_.ending == Ending::unschedulable ||
                                    decision_.ending == Ending::preemption_error;
    if (!preemption_matters || decision_.next_change.is_never()) return;
    out.next_change = decision_.next_change;
    // Nothing wakes a pod that has failed when a toleration ends: it is tried again at the flush of unschedulable
    // pods.
    if (decision_.choice.chosen.empty()) {
      out.acted_on_by = out.next_change.plus_seconds(e_.question.flush_seconds + upstream::kFlushLookedAtEverySeconds);
    }
    if (e_.question.brief) return;
    const Decision then = attempt(e_.world, e_.budgets, e_.subject, e_.profile, decision_.next_change, {});
    out.next_change_words = difference(then);
  }

  [[nodiscard]] auto difference(const Decision& then) const -> std::string {
    const auto victims_on = [&](NodeId node) {
      const DryRun& run = then.nodes[node].run;
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
      return joins ? fmt::format("node {} becomes as good a choice as node {}: {}", node_name(*newcomer),
                                 node_name(before.front()), victims_on(*newcomer))
                   : fmt::format("node {} would be chosen then: {}", node_name(*newcomer), victims_on(*newcomer));
    }
    if (!after.empty() && after != before)
      return fmt::format("only node {} stays the best choice", node_name(after.front()));
    for (const NodeId node : then.candidates) {
      if (decision_.nodes[node].preemption == NodeVerdict::Preemption::candidate) continue;
      return fmt::format("node {} becomes a candidate ({}), but would not be chosen", node_name(node),
                         victims_on(node));
    }
    if (!then.choice.chosen.empty()) {
      const NodeId node = then.choice.chosen.front();
      if (then.nodes[node].run.victims != decision_.nodes[node].run.victims) {
        return fmt::format("node {} would still be chosen, with other victims ({})", node_name(node), victims_on(node));
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

  // A preemption that is not over yet, seen by its victims: marked, and terminating or not yet deleted.
  void under_way(Answer& out) const {
    const WellKnown& known = cluster_.known();
    for (const NodeId node : e_.world.nodes()) {
      std::size_t marked = 0;
      std::size_t deleted = 0;
      for (const Placed& p : e_.world.pods_on(node)) {
        const Pod& other = cluster_.pod(p.pod);
        const Condition* target = other.condition(known.disruption_target);
        if (target == nullptr || target->status != known.true_status || target->reason != known.preemption_by_scheduler)
          continue;
        ++marked;
        deleted += other.meta.deleting ? 1U : 0U;
      }
      if (marked > 0) out.details.emplace_back(under_way_line(node, marked, deleted));
    }
  }

  [[nodiscard]] auto under_way_line(NodeId node, std::size_t marked, std::size_t deleted) const -> Line {
    std::vector<std::string> whom;
    for (const PodId id : cluster_.pods().ids()) {
      if (cluster_.pending(id) && cluster_.pod(id).status.nominated_node_name == e_.world.name(node))
        whom.push_back(cluster_.key(id));
    }
    const std::string preemptor = whom.empty() ? "a pod whose nomination is not in the input yet" : joined(whom, ", ");
    return {
        {{fmt::format(
              "under way: {} {} being made room for on {}; {} of its victims still there ({} of them not deleted yet)",
              preemptor, whom.size() > 1 ? "are" : "is", node_name(node), marked, marked - deleted),
          Tone::soon}}};
  }

  void details(Answer& out) const {
    if (out.outcome == Outcome::not_eligible) {
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
  std::map<PodId, const PodTolerance*> tolerances_;
};

}  // namespace

auto terminating_words(const Explained& explained, NodeId node) -> std::string {
  const Snapshot& cluster = explained.world.cluster();
  const Instant now = explained.question.now;
  std::size_t terminating = 0;
  PodId last;
  for (const Placed& p : explained.world.pods_on(node)) {
    const Pod& other = cluster.pod(p.pod);
    if (p.priority >= cluster.pod(explained.subject).spec.priority || !other.meta.deleting) continue;
    ++terminating;
    if (!last || *cluster.pod(last).meta.deleting < *other.meta.deleting) last = p.pod;
  }
  const Instant end = *cluster.pod(last).meta.deleting;
  return fmt::format("{} still terminating there ({}, grace ends {}, {})",
                     terminating == 1 ? "1 victim is" : fmt::format("{} victims are", terminating), cluster.key(last),
                     format_clock(end, now), format_distance(end, now));
}

auto answer(const Explained& explained) -> Answer {
  return Explaining(explained).run();
}

}  // namespace previct::kube
