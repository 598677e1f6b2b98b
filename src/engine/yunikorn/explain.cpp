#include "engine/yunikorn/explain.h"

#include "base/text.h"
#include "engine/yunikorn/evidence.h"
#include "engine/yunikorn/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::yunikorn {
namespace {

auto contains(const std::vector<PodId>& pods, PodId pod) -> bool {
  return std::find(pods.begin(), pods.end(), pod) != pods.end();
}

auto plain(std::string text) -> Span {
  return {std::move(text), Tone::plain};
}

/// What the fate of a pod rests on in the input.
auto evidence_of(const Snapshot& cluster, PodId pod, std::string field) -> Evidence {
  return {"Pod/" + cluster.key(pod), std::move(field), cluster.pod(pod).meta.source};
}

auto age_text(Instant created, Instant now) -> std::string {
  return created == Instant{} ? "-" : format_age(seconds_between(created, now));
}

auto victim_rule(VictimClass cls) -> Rule {
  switch (cls) {
    case VictimClass::regular: return Rule::victim_regular;
    case VictimClass::opted_out: return Rule::victim_opted_out;
    case VictimClass::originator: return Rule::victim_originator;
  }
  return Rule::victim_regular;
}

/// Where the pod of an application stands: its queue, for the tables.
auto queue_path(const World& world, PodId pod) -> std::string {
  return world.queues()[world.app(world.app_of(pod)).queue].path;
}

/// The field of a pod that a protection rests on; empty if it is not one of the pod's own.
auto field_of(const World& world, PodId pod, Rule rule) -> std::string {
  if (rule == Rule::spared_required_node) return "metadata.ownerReferences";
  if (rule == Rule::spared_higher_priority) return "spec.priority";
  if (rule == Rule::spared_originator) return "metadata.creationTimestamp";
  if (rule != Rule::spared_opted_out) return {};
  return world.cluster().pod(pod).meta.annotations.has(world.keys().allow_preemption)
             ? R"(metadata.annotations["yunikorn.apache.org/allow-preemption"])"
             : "spec.priorityClassName";
}

void add_protected(const World& world, PodId pod, Rule rule, Answer& answer) {
  std::string why(rule_words(rule));
  if (rule == Rule::spared_disabled || rule == Rule::spared_within_guarantee || rule == Rule::spared_outside_fence ||
      rule == Rule::spared_priority_fence) {
    why += fmt::format(" ({})", queue_path(world, pod));
  }
  ToleratingLine line{pod, std::string(rule_id(rule)), std::move(why), Instant{}, Instant::never(), {}, {}};
  if (std::string field = field_of(world, pod, rule); !field.empty()) {
    line.evidence.push_back(evidence_of(world.cluster(), pod, std::move(field)));
  }
  answer.tolerating.push_back(std::move(line));
}

// ---------------------------------------------------------------- required node

void add_required_victims(const World& world, const RequiredNodeAttempt& attempt, Instant now, Answer& answer) {
  const bool open = attempt.possible.open();
  for (const Allocation& pod : attempt.candidates) {
    const bool possible =
        open ? contains(attempt.possible.always, pod.pod) || contains(attempt.possible.sometimes, pod.pod)
             : contains(attempt.victims, pod.pod);
    if (!possible) {
      if (class_of(pod) == VictimClass::opted_out) add_protected(world, pod.pod, Rule::spared_opted_out, answer);
      if (class_of(pod) == VictimClass::originator) add_protected(world, pod.pod, Rule::spared_originator, answer);
      continue;
    }
    const Rule rule = victim_rule(class_of(pod));
    std::string why =
        fmt::format("{}, priority {}, {} old", rule_words(rule), pod.priority, age_text(pod.created, now));
    if (contains(attempt.collateral, pod.pod)) why += "; would die although the rest suffices";
    const bool certain = !open || contains(attempt.possible.always, pod.pod);
    answer.victims.push_back({pod.pod,
                              std::string(rule_id(rule)),
                              std::move(why),
                              certain,
                              {evidence_of(world.cluster(), pod.pod, "metadata.creationTimestamp")},
                              {}});
  }
}

auto candidates_table(const World& world, const RequiredNodeAttempt& attempt, Instant now) -> Table {
  Table table;
  table.columns = {{"ORDER", true},        {"POD"}, {"CLASS"}, {"PRIORITY", true}, {"AGE", true}, {"SIZE"},
                   {"QUEUE", false, true}, {"FATE"}};
  std::size_t place = 0;
  for (const Allocation& pod : attempt.candidates) {
    Span fate{"spared", Tone::safe};
    if (contains(attempt.collateral, pod.pod)) {
      fate = {"goes, for nothing", Tone::goes};
    } else if (contains(attempt.victims, pod.pod)) {
      fate = {"goes", Tone::goes};
    }
    if (attempt.possible.open() && contains(attempt.possible.sometimes, pod.pod))
      fate = {"goes, or an equal", Tone::soon};
    table.rows.push_back({plain(fmt::format("{}", ++place)), plain(world.cluster().key(pod.pod)),
                          plain(std::string(class_word(class_of(pod)))), plain(fmt::format("{}", pod.priority)),
                          plain(age_text(pod.created, now)), plain(amounts_text(world.types(), pod.size)),
                          plain(queue_path(world, pod.pod)), fate});
  }
  return table;
}

auto node_line(const World& world, const ReleaseDecision& decision) -> Line {
  const TypeNames& types = world.types();
  return {
      {plain(fmt::format("node {}: wants {}; free {}; YuniKorn's pods {}; foreign pods {}",
                         world.cluster().text(world.cluster().node(decision.node).meta.name),
                         amounts_text(types, decision.ask.size), amounts_text(types, decision.room.available()),
                         amounts_text(types, decision.room.allocated), amounts_text(types, decision.room.occupied)))}};
}

/// Free room that would do for a part of the ask, but is not counted: the reason for most collateral victims.
auto uncounted_room(const World& world, const ReleaseDecision& decision) -> std::string {
  std::vector<std::string> parts;
  const Resources free = decision.room.available();
  for (const auto& [name, wanted] : world.types().by_name(decision.ask.size)) {
    const std::int64_t have = free.amount(world.types().find(name).value_or(TypeNames::kPods));
    if (wanted <= 0 || have <= 0) continue;
    parts.push_back(
        fmt::format("{} {} of {} wanted", name, amount_text(name, std::min(have, wanted)), amount_text(name, wanted)));
  }
  return joined(parts, ", ");
}

auto collateral_line(const World& world, const ReleaseDecision& decision) -> Line {
  const std::size_t needless = decision.required->collateral.size();
  return {
      {plain(fmt::format("{} would die although the rest suffices: victims must cover all of the ask by themselves, so "
                         "what is free on the node ({}) does not count",
                         counted(needless, "pod", "pods"), uncounted_room(world, decision)))}};
}

auto rules_of_the_node() -> Line {
  return {
      {{"order: regular, opted-out, originator; then lowest priority, youngest, smallest. Pods are taken "
        "until they "
        "cover all of what is asked for; free room is not counted, and pods that free nothing useful are not "
        "skipped. "
        "Guarantees, fences, preemption.policy, preemption.delay and disruption budgets play no part",
        Tone::dim}}};
}

// ---------------------------------------------------------------- queues

auto queues_table(const World& world, const ReleaseDecision& decision) -> Table {
  const QueueTree& queues = world.queues();
  const TypeNames& types = world.types();
  Table table;
  table.columns = {{"QUEUE"}, {"POLICY"}, {"GUARANTEED"}, {"USED"}, {"MAX"}, {"NOTE"}};
  std::map<std::string, QueueId> shown;
  const auto show = [&](QueueId leaf) {
    for (QueueId at = leaf; at; at = queues[at].parent) shown.emplace(queues[at].path, at);
  };
  show(decision.ask.queue);
  if (decision.queue) {
    for (const Allocation& pod : decision.queue->eligible) show(pod.queue);
  }
  for (const auto& [path, id] : shown) {
    const Queue& queue = queues[id];
    std::vector<std::string> policy;
    if (queue.policy.preemption == PreemptionPolicy::fence) policy.emplace_back("fence");
    if (queue.policy.preemption == PreemptionPolicy::disabled) policy.emplace_back("disabled");
    if (queue.policy.priority_fence) policy.emplace_back("priority fence");
    if (queue.policy.priority_offset != 0) policy.push_back(fmt::format("offset {}", queue.policy.priority_offset));
    std::vector<std::string> notes;
    if (id == decision.ask.queue) notes.emplace_back("asks");
    if (decision.queue && id == decision.queue->fence) notes.emplace_back("the fence: victims come from below");
    table.rows.push_back({plain(path), plain(policy.empty() ? "-" : joined(policy, ", ")),
                          plain(amounts_text(types, queue.guaranteed.value_or(Resources()))),
                          plain(amounts_text(types, queue.allocated)),
                          plain(amounts_text(types, queue.max.value_or(Resources()))), plain(joined(notes, ", "))});
  }
  table.footer.push_back(
      {{{fmt::format("headroom of {}: {}", queues[decision.ask.queue].path, amounts_text(types, decision.headroom)),
         Tone::plain}}});
  return table;
}

auto ends_paragraph(const World& world, const QueueAttempt& attempt) -> Paragraph {
  Paragraph paragraph;
  paragraph.heading = fmt::format("possible ends ({} orders tried)", attempt.orders_tried);
  const Snapshot& cluster = world.cluster();
  for (const QueueSolution& end : attempt.solutions) {
    std::string text(rule_words(end.rule));
    if (end.rule == Rule::queue_preempts) {
      std::vector<std::string> names;
      for (const PodId pod : end.victims) names.push_back(cluster.key(pod));
      text = fmt::format("{}: {}{}", cluster.text(cluster.node(end.node).meta.name), joined(names, ", "),
                         end.fits_then ? "" : " (and still would not fit)");
    }
    paragraph.lines.push_back({{plain(std::move(text))}});
  }
  return paragraph;
}

void add_queue_victims(const World& world, const QueueAttempt& attempt, Answer& answer) {
  std::vector<PodId> seen;
  for (const QueueSolution& end : attempt.solutions) {
    for (const PodId pod : end.victims) {
      if (contains(seen, pod)) continue;
      seen.push_back(pod);
      const bool certain = std::all_of(attempt.solutions.begin(), attempt.solutions.end(),
                                       [&](const QueueSolution& other) { return contains(other.victims, pod); });
      const Rule rule = contains(end.extra, pod) ? Rule::victim_extra : Rule::victim_of_queue;
      answer.victims.push_back({pod,
                                std::string(rule_id(rule)),
                                fmt::format("{} ({})", rule_words(rule), queue_path(world, pod)),
                                certain,
                                {evidence_of(world.cluster(), pod, "metadata.labels")},
                                {}});
    }
  }
}

/// Somebody goes, and it still does not fit: of the end that the verdict speaks of.
auto in_vain(const QueueAttempt& attempt) -> bool {
  const auto first = std::find_if(attempt.solutions.begin(), attempt.solutions.end(),
                                  [](const QueueSolution& end) { return end.rule == Rule::queue_preempts; });
  return first != attempt.solutions.end() && !first->fits_then;
}

/// Who is out of reach, by queue and reason.
auto spared_table(const World& world, const QueueAttempt& attempt) -> Table {
  std::map<std::pair<std::string, Rule>, std::size_t> counts;
  for (const Fate& fate : attempt.spared) ++counts[{queue_path(world, fate.pod), fate.rule}];
  Table table;
  table.columns = {{"OUT OF REACH"}, {"PODS", true}, {"WHY"}};
  for (const auto& [key, count] : counts) {
    table.rows.push_back(
        {plain(key.first), plain(fmt::format("{}", count)), plain(std::string(rule_words(key.second)))});
  }
  return table;
}

void fill_queue(const World& world, const ReleaseDecision& decision, bool show_all, Answer& answer) {
  const QueueAttempt& attempt = *decision.queue;
  if (attempt.solutions.empty()) return;
  add_queue_victims(world, attempt, answer);
  answer.in_vain = in_vain(attempt);
  // Whole queues are out of reach more often than single pods: beyond a page of them the table by queue says
  // it all.
  constexpr std::size_t kPage = 50;
  const bool fold = attempt.spared.size() > kPage && !show_all;
  for (const Fate& fate : attempt.spared) {
    if (!fold || fate.rule == Rule::spared_higher_priority) add_protected(world, fate.pod, fate.rule, answer);
  }
  if (!attempt.spared.empty()) answer.details.emplace_back(spared_table(world, attempt));
  for (const QueueSolution& end : attempt.solutions) {
    if (!end.node) continue;
    std::string name(world.cluster().text(world.cluster().node(end.node).meta.name));
    if (std::find(answer.tied.begin(), answer.tied.end(), name) == answer.tied.end())
      answer.tied.push_back(std::move(name));
  }
  if (attempt.solutions.size() > 1) answer.details.emplace_back(ends_paragraph(world, attempt));
}

auto outcome_of(const ReleaseDecision& decision) -> Outcome {
  switch (decision.outcome) {
    case ReleaseOutcome::allocated: return Outcome::fits;
    case ReleaseOutcome::preempted:
    case ReleaseOutcome::varies: return Outcome::preempts;
    case ReleaseOutcome::foreign: return Outcome::not_eligible;
    case ReleaseOutcome::reserved:
    case ReleaseOutcome::pending: break;
  }
  const bool may_not = decision.rule == Rule::never_preempts || decision.rule == Rule::delay_runs ||
                       decision.rule == Rule::triggered_before || decision.rule == Rule::queue_triggered_before;
  return may_not ? Outcome::not_eligible : Outcome::pending;
}

/// Did something stand before all questions about its node?
auto never_looked_at(Rule rule) -> bool {
  return rule == Rule::applications_full || rule == Rule::limit_of_applications || rule == Rule::limit_of_resources ||
         rule == Rule::no_place;
}

void fill_required(const World& world, const ReleaseDecision& decision, Instant now, Answer& answer) {
  const RequiredNodeAttempt& attempt = *decision.required;
  if (answer.outcome == Outcome::preempts) add_required_victims(world, attempt, now, answer);
  for (const Fate& fate : attempt.spared) add_protected(world, fate.pod, fate.rule, answer);
  if (answer.outcome == Outcome::fits) return;
  answer.details.emplace_back(node_line(world, decision));
  answer.in_vain = !decision.not_then.empty();
  if (never_looked_at(decision.rule)) return;
  if (!attempt.candidates.empty()) answer.details.emplace_back(candidates_table(world, attempt, now));
  if (!answer.victims.empty() && !attempt.collateral.empty()) {
    answer.details.emplace_back(collateral_line(world, decision));
  }
  answer.details.emplace_back(rules_of_the_node());
}

auto design_table(const Snapshot& cluster, const DesignDecision& decision, const TypeNames& types, Instant now)
    -> Table {
  Table table;
  table.columns = {{"ORDER", true}, {"POD"}, {"CLASS"}, {"PRIORITY", true}, {"AGE", true}, {"SIZE"}, {"FATE"}};
  std::size_t place = 0;
  for (const DesignCandidate& c : decision.order) {
    const bool goes = contains(decision.victims, c.pod);
    table.rows.push_back({plain(fmt::format("{}", ++place)), plain(cluster.key(c.pod)),
                          plain(std::string(class_word(c.cls))), plain(fmt::format("{}", c.priority)),
                          plain(age_text(c.created, now)), plain(amounts_text(types, c.size)),
                          goes ? Span{"goes", Tone::goes} : Span{"spared", Tone::safe}});
  }
  return table;
}

}  // namespace

void fill(const World& world, const ReleaseDecision& decision, const Question& question, Answer& answer) {
  answer.outcome = outcome_of(decision);
  answer.sentence = Sentences(world, question.now).verdict(decision);
  const bool placed = answer.outcome == Outcome::fits || answer.outcome == Outcome::preempts;
  if (placed && decision.node) {
    const auto name = [&](NodeId node) {
      return std::string(world.cluster().text(world.cluster().node(node).meta.name));
    };
    answer.node = name(decision.node);
    if (!decision.replacement) answer.tied.push_back(answer.node);
    if (decision.replacement) {
      for (const NodeId node : decision.replacement->nodes) answer.tied.push_back(name(node));
    }
  }
  if (decision.required) fill_required(world, decision, question.now, answer);
  if (decision.queue) fill_queue(world, decision, question.show_all, answer);
  answer.details.emplace_back(queues_table(world, decision));
  if (question.brief) {
    answer.details.clear();
    answer.tolerating.clear();
  } else {
    answer.evidence = evidence(world, decision);
  }
}

void fill(const Snapshot& cluster, const DesignDecision& decision, const TypeNames& types, const Question& question,
          Answer& answer) {
  answer.sentence = design_verdict(cluster, decision, question.now);
  answer.outcome = Outcome::not_eligible;
  if (decision.rule == Rule::design_fits) answer.outcome = Outcome::fits;
  if (decision.rule == Rule::design_preempts) answer.outcome = Outcome::preempts;
  if (decision.rule == Rule::design_no_selection) answer.outcome = Outcome::pending;
  if (decision.node && (answer.outcome == Outcome::fits || answer.outcome == Outcome::preempts)) {
    answer.node = std::string(cluster.text(cluster.node(decision.node).meta.name));
    answer.tied.push_back(answer.node);
  }
  for (const DesignCandidate& c : decision.order) {
    if (!contains(decision.victims, c.pod)) continue;
    VictimLine line;
    line.pod = c.pod;
    line.rule = rule_id(Rule::victim_design);
    line.why = fmt::format("{}, priority {}; strategy {}", class_word(c.cls), c.priority, decision.strategy);
    line.evidence.push_back(evidence_of(cluster, c.pod, "metadata.creationTimestamp"));
    answer.victims.push_back(std::move(line));
  }
  if (question.brief) return;
  for (const Fate& fate : decision.spared) {
    ToleratingLine line;
    line.pod = fate.pod;
    line.rule = rule_id(fate.rule);
    line.why = rule_words(fate.rule);
    answer.tolerating.push_back(std::move(line));
  }
  if (!decision.order.empty()) {
    answer.details.emplace_back(design_table(cluster, decision, types, question.now));
  }
  for (const DesignTrial& trial : decision.trials) {
    const std::string found = trial.victims.empty() ? "nobody" : counted(trial.victims.size(), "victim", "victims");
    answer.details.emplace_back(Line{{plain(fmt::format("strategy {}: {}", trial.strategy, found))}});
  }
  answer.evidence = evidence(cluster, answer.subject, decision, types);
}

}  // namespace previct::yunikorn
