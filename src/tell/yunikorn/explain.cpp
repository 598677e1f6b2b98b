#include "tell/yunikorn/explain.h"

#include "base/contains.h"
#include "base/duration.h"
#include "base/text.h"
#include "report/rows.h"
#include "tell/pod_words.h"
#include "tell/yunikorn/evidence.h"
#include "tell/yunikorn/messages.h"
#include "tell/yunikorn/quota.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::yunikorn {
namespace {

auto plain(std::string text) -> Span {
  return {std::move(text), Tone::plain};
}

/// Returns the evidence for the result of a pod.
auto evidence_of(const Snapshot& cluster, PodId pod, std::string field) -> Evidence {
  return {"Pod/" + cluster.key(pod), std::move(field), cluster.pod(pod).meta.source};
}

auto age_text(Instant created, Instant now) -> std::string {
  return created == Instant{} ? "-" : format_age(seconds_between(created, now));
}

/// Returns the queue of the pod's application, for the tables.
auto queue_path(const PartitionContext& core, PodId pod) -> std::string {
  return core.queues()[core.app(core.app_of(pod)).queue].path;
}

/// Returns the field of a pod on which a protection depends; empty if it is not one of the pod's own.
auto field_of(const PartitionContext& core, PodId pod, Rule rule) -> std::string {
  if (rule == Rule::spared_required_node) return "metadata.ownerReferences";
  if (rule == Rule::spared_higher_priority) return "spec.priority";
  if (rule == Rule::spared_originator) return "metadata.creationTimestamp";
  if (rule != Rule::spared_opted_out) return {};
  return core.cluster().pod(pod).meta.annotations.has(core.keys().allow_preemption)
             ? R"(metadata.annotations["yunikorn.apache.org/allow-preemption"])"
             : "spec.priorityClassName";
}

auto spared_line(const PartitionContext& core, const Tolerating& spared, Rule rule) -> ToleratingLine {
  ToleratingLine line{spared};
  line.why = rule_words(rule);
  if (rule == Rule::spared_disabled || rule == Rule::spared_within_guarantee || rule == Rule::spared_outside_fence ||
      rule == Rule::spared_priority_fence) {
    line.why += fmt::format(" ({})", queue_path(core, spared.pod));
  }
  if (core.cluster().pod(spared.pod).meta.deleting) line.why += "; already terminating";
  if (std::string field = field_of(core, spared.pod, rule); !field.empty()) {
    line.evidence.push_back(evidence_of(core.cluster(), spared.pod, std::move(field)));
  }
  return line;
}

/// Usually whole queues are not eligible, rather than single pods: if the list gets too long, the table by queue shows
/// everything.
void add_spared(const PartitionContext& core, const ReleaseDecision& decision, bool show_all, Answer& answer) {
  constexpr std::size_t kPage = 50;
  const bool fold = decision.queue && decision.queue->spared.size() > kPage && !show_all;
  for (const Tolerating& spared : answer.tolerating) {
    const Rule rule = rule_of(spared.rule);
    if (!fold || rule == Rule::spared_higher_priority)
      answer.tolerating_lines.push_back(spared_line(core, spared, rule));
  }
}

// ---------------------------------------------------------------- required node

void add_required_victims(const PartitionContext& core, const RequiredNodeAttempt& attempt, Instant now,
                          Answer& answer) {
  for (const Victim& victim : answer.victims) {
    const auto of = std::find_if(attempt.candidates.begin(), attempt.candidates.end(),
                                 [&](const Allocation& pod) { return pod.pod == victim.pod; });
    VictimLine& line = answer.victim_lines.emplace_back(VictimLine{victim});
    line.why = fmt::format("{}, priority {}, {} old", rule_words(rule_of(victim.rule)), of->priority,
                           age_text(of->created, now));
    if (core.cluster().pod(victim.pod).meta.deleting) line.why += "; already terminating";
    if (contains(attempt.collateral, victim.pod)) line.why += "; evicted although the other victims suffice";
    line.evidence.push_back(evidence_of(core.cluster(), victim.pod, "metadata.creationTimestamp"));
  }
}

auto candidates_table(const PartitionContext& core, const RequiredNodeAttempt& attempt, bool starts, Instant now)
    -> Table {
  std::size_t order = 0;
  return table_of(attempt.candidates, [&](Row& row, const Allocation& pod) {
    Cell fate("spared", Tone::safe);
    if (starts && contains(attempt.victims, pod.pod))
      fate = {contains(attempt.collateral, pod.pod) ? "evicted needlessly" : "evicted", Tone::danger};
    if (starts && attempt.possible.open() && contains(attempt.possible.sometimes, pod.pod))
      fate = {"evicted, or an equal pod", Tone::soon};
    row.number("ORDER", ++order);
    row.text("POD", core.cluster().key(pod.pod));
    row.text("CLASS", class_word(class_of(pod)));
    row.number("PRIORITY", pod.priority);
    row.number("AGE", age_text(pod.created, now));
    row.text("SIZE", amounts_text(core.types(), pod.size));
    row.text("QUEUE", queue_path(core, pod.pod)).only_wide();
    row.text("FATE", fate);
  });
}

auto node_line(const PartitionContext& core, const ReleaseDecision& decision) -> Line {
  const TypeNames& types = core.types();
  return {{plain(fmt::format(
      "{}: the pod requests {}; free: {}; pods of YuniKorn: {}; other pods: {}", core.cluster().name(decision.node),
      amounts_text(types, decision.ask.size), amounts_text(types, decision.room.available()),
      amounts_text(types, decision.room.allocated), amounts_text(types, decision.room.occupied)))}};
}

/// Returns free resources that would cover a part of the ask but are not counted: the reason for most unneeded victims.
auto uncounted_room(const PartitionContext& core, const ReleaseDecision& decision) -> std::string {
  std::vector<std::string> parts;
  const Resources free = decision.room.available();
  for (const auto& [name, wanted] : core.types().by_name(decision.ask.size)) {
    const std::int64_t have = free.amount(core.types().find(name).value_or(TypeNames::kPods));
    if (wanted <= 0 || have <= 0) continue;
    parts.push_back(fmt::format("{} {} of {} requested", name, amount_text(name, std::min(have, wanted)),
                                amount_text(name, wanted)));
  }
  return joined(parts, ", ");
}

auto collateral_line(const PartitionContext& core, const ReleaseDecision& decision) -> Line {
  const std::size_t needless = decision.required->collateral.size();
  return {
      {plain(fmt::format("{} would be evicted although the other victims suffice: the victims alone must cover the "
                         "whole request, so the free resources of the node ({}) do not count",
                         counted(needless, "pod", "pods"), uncounted_room(core, decision)))}};
}

auto rules_of_the_node() -> Line {
  return {
      {{"order of eviction: regular pods, then pods that opted out, then originators; among these, the lowest "
        "priority, the youngest and the smallest first. Pods are evicted until they cover the whole request: free "
        "resources do not count, and pods that free nothing useful are not skipped. Guarantees, fences, "
        "preemption.policy, preemption.delay and PodDisruptionBudgets are ignored",
        Tone::dim}}};
}

// ---------------------------------------------------------------- queues

auto queues_table(const PartitionContext& core, const ReleaseDecision& decision) -> Table {
  const QueueTree& queues = core.queues();
  const TypeNames& types = core.types();
  std::map<std::string, QueueId> shown;
  const auto show = [&](QueueId leaf) {
    for (QueueId at = leaf; at; at = queues[at].parent) shown.emplace(queues[at].path, at);
  };
  show(decision.ask.queue);
  if (decision.queue) {
    for (const Allocation& pod : decision.queue->eligible) show(pod.queue);
  }
  Table table = table_of(shown, [&](Row& row, const std::pair<const std::string, QueueId>& each) {
    const auto& [path, id] = each;
    const Queue& queue = queues[id];
    std::vector<std::string> policy;
    if (queue.policy.preemption == PreemptionPolicy::fence) policy.emplace_back("fence");
    if (queue.policy.preemption == PreemptionPolicy::disabled) policy.emplace_back("disabled");
    if (queue.policy.priority_fence) policy.emplace_back("priority fence");
    if (queue.policy.priority_offset != 0) policy.push_back(fmt::format("offset {}", queue.policy.priority_offset));
    std::vector<std::string> notes;
    if (id == decision.ask.queue) notes.emplace_back("of the pod");
    if (decision.queue && id == decision.queue->fence) notes.emplace_back("fence: victims are below it");
    row.text("QUEUE", path);
    row.text("POLICY", policy.empty() ? "-" : joined(policy, ", "));
    row.text("GUARANTEED", amounts_text(types, queue.guaranteed.value_or(Resources())));
    row.text("USED", amounts_text(types, queue.allocated));
    row.text("MAX", amounts_text(types, queue.max.value_or(Resources())));
    row.text("NOTE", joined(notes, ", "));
  });
  table.only_in_full = true;
  table.footer.push_back(
      {{{fmt::format("headroom of {}: {}", queues[decision.ask.queue].path, amounts_text(types, decision.headroom)),
         Tone::plain}}});
  return table;
}

auto ends_paragraph(const PartitionContext& core, const QueueAttempt& attempt) -> Paragraph {
  Paragraph paragraph;
  paragraph.heading = fmt::format("possible outcomes ({} tried)", counted(attempt.orders_tried, "order", "orders"));
  const Snapshot& cluster = core.cluster();
  for (const QueueSolution& end : attempt.solutions) {
    std::string text(rule_words(end.rule));
    if (end.rule == Rule::queue_preempts) {
      std::vector<std::string> names;
      for (const PodId pod : end.victims) names.push_back(cluster.key(pod));
      text = fmt::format("{}: {}{}", cluster.name(end.node), joined(names, ", "),
                         end.fits_then ? "" : " (and still would not fit)");
    }
    paragraph.lines.push_back({{plain(std::move(text))}});
  }
  return paragraph;
}

void add_queue_victims(const PartitionContext& core, Answer& answer) {
  for (const Victim& victim : answer.victims) {
    VictimLine& line = answer.victim_lines.emplace_back(VictimLine{victim});
    line.why = fmt::format("{} ({})", rule_words(rule_of(victim.rule)), queue_path(core, victim.pod));
    if (core.allocation(victim.pod).opted_out)
      line.why += "; opted out of preemption, which only puts it behind the other pods of its node";
    if (core.cluster().pod(victim.pod).meta.deleting) line.why += "; already terminating";
    line.evidence.push_back(evidence_of(core.cluster(), victim.pod, "metadata.labels"));
  }
}

/// Returns the pods that are not eligible, counted by queue and reason.
auto spared_table(const PartitionContext& core, const QueueAttempt& attempt) -> Table {
  std::map<std::pair<std::string, Rule>, std::size_t> counts;
  for (const Fate& fate : attempt.spared) ++counts[{queue_path(core, fate.pod), fate.rule}];
  return table_of(counts, [](Row& row, const std::pair<const std::pair<std::string, Rule>, std::size_t>& each) {
    row.text("NOT PREEMPTABLE", each.first.first);
    row.number("PODS", each.second);
    row.text("WHY", rule_words(each.first.second));
  });
}

void tell_queue(const PartitionContext& core, const QueueAttempt& attempt, Answer& answer) {
  if (attempt.solutions.empty()) return;
  add_queue_victims(core, answer);
  if (!attempt.spared.empty()) answer.details.emplace_back(spared_table(core, attempt));
  if (attempt.solutions.size() > 1) answer.details.emplace_back(ends_paragraph(core, attempt));
}

/// Returns true if the scheduler rejected the pod before it considered any node.
auto never_looked_at(Rule rule) -> bool {
  return rule == Rule::applications_full || rule == Rule::limit_of_applications || rule == Rule::limit_of_resources ||
         rule == Rule::no_place;
}

void tell_required(const PartitionContext& core, const ReleaseDecision& decision, Instant now, Answer& answer) {
  const RequiredNodeAttempt& attempt = *decision.required;
  add_required_victims(core, attempt, now, answer);
  if (decision.outcome == ReleaseOutcome::allocated) return;
  answer.details.emplace_back(node_line(core, decision));
  if (never_looked_at(decision.rule)) return;
  if (!attempt.candidates.empty())
    answer.details.emplace_back(candidates_table(core, attempt, !answer.victims.empty(), now));
  if (!answer.victims.empty() && !attempt.collateral.empty()) {
    answer.details.emplace_back(collateral_line(core, decision));
  }
  answer.details.emplace_back(rules_of_the_node());
}

/// Returns why a candidate of the design document's algorithm is evicted or spared.
auto design_reason(const DesignDecision& decision, const DesignCandidate& c) -> std::string {
  const bool single = decision.strategy == "single";
  if (contains(decision.victims, c.pod))
    return single ? "suffices alone, with the smallest deviation in its zone" : "the largest remaining pod of its zone";
  if (decision.strategy == "multiple") return "not needed: the previous victims suffice";
  if (!c.enough) return "not enough alone";
  const std::string limit = percent_text(decision.settings.deviation_percent);
  if (!c.within) return fmt::format("suffices alone, but deviates more than {}", limit);
  return single ? "suffices alone and is within the limit, but another victim comes first" : "enough alone";
}

auto design_table(const Snapshot& cluster, const DesignDecision& decision, const TypeNames& types, Instant now)
    -> Table {
  std::size_t order = 0;
  return table_of(decision.order, [&](Row& row, const DesignCandidate& c) {
    row.number("ORDER", ++order);
    row.text("POD", cluster.key(c.pod));
    row.text("CLASS", class_word(c.cls));
    row.number("PRIORITY", c.priority);
    row.number("AGE", age_text(c.created, now));
    row.text("SIZE", exact_amounts_text(types, c.size));
    row.number("DEVIATION", percent_text(c.deviation));
    row.text("FATE", c.deleting                          ? Cell("being deleted", Tone::dim)
                     : contains(decision.victims, c.pod) ? Cell("evicted", Tone::danger)
                                                         : Cell("spared", Tone::safe));
    row.text("WHY", design_reason(decision, c));
  });
}

/// Returns the settings, and which of them are defaults.
auto design_settings_line(const DesignSettings& settings) -> Line {
  std::map<std::string, std::vector<std::string>> by_origin;
  const auto add = [&](std::string_view key, std::string_view value, const std::string& otherwise) {
    const auto origin = settings.origins.find(key);
    by_origin[origin == settings.origins.end() ? otherwise : "set by " + origin->second].push_back(
        fmt::format("{} {}", key, value));
  };
  const std::string ours = "defaults of previct, because the document has none";
  add("preemption_victim_pods_selection_strategy", joined(settings.strategies, ","), "default of the document");
  add("deviation_percent", percent_text(settings.deviation_percent), ours);
  add("max_victims", std::to_string(settings.max_victims), ours);
  add("preemption_start_delay", format_age(settings.start_delay / go::kNanosPerSecond), ours);
  add("order", settings.order == DesignOrder::zones ? "zones" : "sizes",
      "default of previct: step 4 and its figure sort by priority and age first; step 5 can also mean order sizes");
  std::vector<std::string> parts;
  for (const auto& [origin, values] : by_origin) parts.push_back(fmt::format("{} ({})", joined(values, ", "), origin));
  return {{plain("settings: " + joined(parts, "; "))}};
}

/// Returns what the other interpretation of the document selects, if that differs.
auto other_reading_line(const Snapshot& cluster, const DesignDecision& decision) -> Line {
  const std::vector<PodId> victims = decision.other_selection.victims();
  std::vector<std::string> names;
  for (const PodId pod : victims) names.push_back(cluster.key(pod));
  return {{plain(fmt::format(
      "by the other reading of the document (order: {}) {}",
      decision.settings.order == DesignOrder::zones ? "sizes" : "zones",
      victims.empty() ? "no strategy selects a victim"
                      : fmt::format("strategy {} selects {}", decision.other_selection.trials.back().strategy,
                                    joined(names, ", "))))}};
}

/// As in the golden cases for a pod that the shim does not pass to the core.
auto evidence_of_claim(const UnusableClaim& claim) -> Json {
  return evidence_unknown(fmt::format("sanity: persistentvolumeclaim \"{}\" {}", claim.name,
                                      claim.deleting ? "is being deleted" : "not found"));
}

/// Returns what ends at the next change: grace periods, or the delay of the queue.
auto causes(const PartitionContext& core, const ReleaseDecision& now, const NextChange& next) -> std::string {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> words;
  for (const PodEnd& end : next.ended) words.push_back(pod_end_words(end, core.cluster()));
  if (now.queue && now.queue->precondition == Rule::delay_runs && now.queue->delay_ends == next.at)
    words.push_back(fmt::format("the preemption.delay of queue {} ends", core.queues()[now.ask.queue].path));
  return joined_up_to(kNamed, std::move(words));
}

auto next_change_words(const PartitionContext& core, const ReleaseDecision& now, const NextChange& next)
    -> std::string {
  if (next.stopped_by) return pod_end_words(*next.stopped_by, core.cluster()) + "; what follows is not simulated";
  if (!next.then)
    return fmt::format("no earlier: {} checked, and the answer stays the same until then",
                       counted(next.tried, "instant", "instants"));
  const std::string why = causes(core, now, next);
  const bool only_the_reason = now.outcome == ReleaseOutcome::pending && next.then->outcome == ReleaseOutcome::pending;
  return fmt::format("{}{}it {}", why, why.empty() ? "then " : "; then ",
                     only_the_reason ? "still stays pending: only the reason changes"
                                     : Sentences(next.later ? *next.later->core : core, next.at).verdict(*next.then));
}

void tell_release(const EngineTrace& account, const Question& question, Answer& answer) {
  const PartitionContext& core = *account.core;
  const ReleaseDecision& decision = *account.release;
  add_spared(core, decision, question.show_all, answer);
  if (decision.required) tell_required(core, decision, question.now, answer);
  if (decision.queue) tell_queue(core, *decision.queue, answer);
  answer.details.emplace_back(queues_table(core, decision));
  if (!account.quota->empty()) answer.details.emplace_back(quota_paragraph(core, *account.quota));
  if (question.documents) {
    answer.evidence = account.unusable_claim    ? evidence_of_claim(*account.unusable_claim)
                      : account.literal_reading ? evidence(core, *account.literal_reading)
                                                : evidence(core, decision);
    if (!account.quota->empty()) answer.evidence["quotaPreemption"] = quota_json(core, *account.quota);
  }
  if (!account.next.at.is_never() && question.next_change)
    answer.next_change_words = next_change_words(core, decision, account.next);
}

void tell_design(const Snapshot& cluster, const EngineTrace& account, const Question& question, Answer& answer) {
  const DesignDecision& decision = *account.design;
  for (const Victim& victim : answer.victims) {
    const auto of = std::find_if(decision.order.begin(), decision.order.end(),
                                 [&](const DesignCandidate& c) { return c.pod == victim.pod; });
    VictimLine& line = answer.victim_lines.emplace_back(VictimLine{victim});
    line.why = fmt::format("{}, priority {}; strategy {}", class_word(of->cls), of->priority, decision.strategy);
    line.evidence.push_back(evidence_of(cluster, victim.pod, "metadata.creationTimestamp"));
  }
  for (const Tolerating& spared : answer.tolerating) {
    ToleratingLine& line = answer.tolerating_lines.emplace_back(ToleratingLine{spared});
    line.why = rule_words(rule_of(spared.rule));
  }
  if (!decision.order.empty()) {
    answer.details.emplace_back(design_table(cluster, decision, *account.types, question.now));
  }
  for (const DesignTrial& trial : decision.selection.trials)
    answer.details.emplace_back(
        Line{{plain(fmt::format("strategy {}: {}", trial.strategy, trial_words(cluster, decision.settings, trial)))}});
  if (decision.readings_differ()) answer.details.emplace_back(other_reading_line(cluster, decision));
  if (decision.filtered || decision.starts_after) answer.details.emplace_back(design_settings_line(decision.settings));
  if (question.documents) answer.evidence = evidence(cluster, account.pod, decision, *account.types);
  if (account.design_then) {
    answer.next_change_words =
        "the start delay has passed: it " + design_verdict(cluster, *account.design_then, answer.next_change);
  }
}

/// `queue root.c does not exist`, `submitacl of queue root.a, … does not permit user ann`
auto words_of(const RuleFailed& failed, const User& user) -> std::string {
  switch (failed.why) {
    case Unplaced::no_queue: return fmt::format("queue {} does not exist", failed.queue);
    case Unplaced::not_a_leaf: return fmt::format("queue {} is not a leaf queue", failed.queue);
    case Unplaced::no_access: break;
  }
  return fmt::format("submitacl of queue {}, or of one above it, does not permit user {}", failed.queue, user.name);
}

/// Returns why the scheduler ignores the pod; empty if it belongs to another scheduler.
auto rejection(const EngineTrace& account) -> std::string {
  if (!account.core->app_of(account.pod)) return {};
  const Application& app = account.core->app(account.core->app_of(account.pod));
  if (app.queue)
    return "it is a placeholder of a gang, but names no task group, and YuniKorn does not accept such pods";
  std::vector<std::string> parts;
  for (const RuleFailed& each : app.failed) parts.push_back(words_of(each, app.user));
  constexpr std::size_t kNamed = 2;
  return fmt::format("application {} is rejected: {}{}", app.id, app.refusal,
                     parts.empty() ? "" : fmt::format(" ({})", joined_up_to(kNamed, std::move(parts))));
}

/// Returns the sentence if the outcome is decided before anything is computed.
auto settled(const Snapshot& cluster, const EngineTrace& account) -> std::optional<std::string> {
  const Pod& pod = cluster.pod(account.pod);
  if (pod.spec.node_name) {
    const std::string evicted = account.quota ? quota_words(*account.core, *account.quota, account.pod) : "";
    return fmt::format("is already on {}{}{}", cluster.text(pod.spec.node_name), evicted.empty() ? "" : "; ", evicted);
  }
  if (!pod.spec.scheduling_gates.empty()) return "is held back by " + gate_words(pod, cluster);
  if (account.by_design && pod.meta.deleting) return "is being deleted";
  return {};
}

/// `; but if ml/b-0 made application b and not ml/b-1, which is as old, it …`
auto other_first_pod_words(const EngineTrace& account, Instant now) -> std::string {
  const FirstPodChoices& open = account.other_first_pods;
  if (open.differing.empty()) return {};
  const PartitionContext& core = *account.core;
  const Snapshot& cluster = core.cluster();
  const OtherFirstPod& first = open.differing.front();
  std::string then = "it is never scheduled: its application is rejected";
  if (first.then) then = fmt::format("it {}", Sentences(*first.core, now).verdict(*first.then));
  if (first.then && account.release && then == fmt::format("it {}", Sentences(core, now).verdict(*account.release))) {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> names;
    for (const PodId victim : first.victims) names.push_back(cluster.key(victim));
    std::sort(names.begin(), names.end());
    then = fmt::format("the possible victims are {}", joined_up_to(kNamed, std::move(names)));
  }
  std::string text =
      fmt::format("; but if {} instead of the equally old {} created application {}, {}", cluster.key(first.pod),
                  cluster.key(first.instead_of), core.app(core.app_of(first.pod)).id, then);
  if (open.differing.size() > 1 || open.tried < open.choices)
    text += fmt::format(" ({} of the {} such choices tried give another result)", open.differing.size(), open.tried);
  return text;
}

}  // namespace

auto sentence(const Snapshot& cluster, const EngineTrace& account, Instant now) -> std::string {
  if (const auto before = settled(cluster, account)) return *before;
  if (account.design) return design_verdict(cluster, *account.design, now);
  if (account.release)
    return Sentences(*account.core, now).verdict(*account.release) + other_first_pod_words(account, now);
  if (account.unusable_claim) {
    return fmt::format(
        "stays pending: PersistentVolumeClaim {} {}; until then, YuniKorn neither searches for a node nor preempts for "
        "it",
        account.unusable_claim->name,
        account.unusable_claim->deleting ? "is being deleted, so it must be recreated first" : "must be created first");
  }
  const std::string why = rejection(account);
  return why.empty() ? "is not scheduled by YuniKorn: its schedulerName is not \"yunikorn\""
                     : "is never scheduled: " + why + other_first_pod_words(account, now);
}

namespace {

/// Returns true if a queue, other than root with the capacity of all nodes, leaves too little for the pod.
auto lacks_headroom(const PartitionContext& core, const Allocation& ask) -> bool {
  for (QueueId at = ask.queue; core.queues()[at].parent; at = core.queues()[at].parent) {
    const MaybeResources left = less_in_common(core.queues()[at].max, core.queues()[at].allocated);
    if (left && !fits_where_limited(*left, ask.size)) return true;
  }
  return false;
}

}  // namespace

auto cause(const EngineTrace& account) -> Cause {
  Rule rule = Rule::rejected;
  if (account.unusable_claim) rule = account.unusable_claim->deleting ? Rule::claim_deleting : Rule::claim_not_found;
  if (account.design) rule = account.design->rule;
  if (account.release) rule = account.release->over_max ? Rule::over_max : account.release->rule;
  // Evictions elsewhere would not change that.
  if (rule == Rule::no_node_helps && lacks_headroom(*account.core, account.release->ask)) rule = Rule::no_headroom;
  return {std::string(rule_id(rule)), std::string(rule_words(rule))};
}

void tell(const Snapshot& cluster, const EngineTrace& account, const Question& question, Answer& answer) {
  if (question.brief) return;
  if (account.design) return tell_design(cluster, account, question, answer);
  if (account.release) return tell_release(account, question, answer);
  // YuniKorn ignores pods with scheduling gates.
  const Pod& pod = cluster.pod(account.pod);
  const bool gated = !pod.spec.node_name && !pod.spec.scheduling_gates.empty();
  if (account.unusable_claim) {
    answer.evidence = evidence_of_claim(*account.unusable_claim);
    return;
  }
  if (gated || !settled(cluster, account)) answer.evidence = evidence_unknown(gated ? "" : rejection(account));
}

}  // namespace previct::yunikorn
