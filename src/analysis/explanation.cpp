#include "analysis/explanation.h"

#include "analysis/charts.h"
#include "analysis/impact.h"
#include "analysis/parts.h"
#include "analysis/recorded.h"
#include "analysis/source_locations.h"
#include "analysis/victims.h"
#include "base/text.h"
#include "report/brief.h"
#include "report/json_text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace previct {
namespace {

constexpr std::size_t kToleratingShown = 10;  // pods in the text; the others are counted by class

auto until_words(const ToleratingLine& line, Instant now) -> std::string {
  const Instant until = line.until;
  if (until.is_never()) return line.why.empty() ? "forever" : line.why;
  return fmt::format("{}, {}", format_clock(until, now), format_distance(until, now));
}

// An absent key means unknown or none, null is never written.
auto instant_json(Instant at) -> Json {
  return at.is_never() || at == Instant{} ? Json() : Json(format_instant(at));
}

// Registers every field that an answer shows.
void want(SourceLocations& places, const Answer& answer) {
  for (const VictimLine& victim : answer.victim_lines) places.want(victim.evidence);
  for (const ToleratingLine& line : answer.tolerating_lines) places.want(line.evidence);
  places.want(answer.fields);
}

// ---- text

auto tone_of(Outcome outcome) -> Tone {
  const bool alarming = outcome == Outcome::error || outcome == Outcome::unknown;
  return alarming ? Tone::danger : Tone::verdict;
}

// Every field that the rows of both tables depend on.
auto evidence_table(const Answer& answer, const ReportContext& context, const SourceLocations& places, bool show_all)
    -> Table {
  struct Field {
    PodId pod;
    std::string_view rule;
    const Evidence& evidence;
  };
  std::vector<Field> fields;
  const auto add = [&](PodId pod, std::string_view rule, const std::vector<Evidence>& evidence) {
    for (const Evidence& item : evidence) fields.push_back({pod, rule, item});
  };
  for (const VictimLine& victim : answer.victim_lines) add(victim.pod, victim.rule, victim.evidence);
  std::size_t shown = 0;
  for (const ToleratingLine& line : answer.tolerating_lines) {
    if (show_all || shown++ < kToleratingShown) add(line.pod, line.rule, line.evidence);
  }
  return table_of(fields, [&](Row& row, const Field& field) {
    row.text("POD", context.cluster.key(field.pod));
    row.text("RULE", or_dash(std::string(field.rule)));
    row.text("OBJECT", or_dash(field.evidence.object));
    row.text("FIELD", or_dash(field.evidence.field));
    row.text("PLACE", or_dash(places.described(field.evidence)));
  });
}

// `+ 53 more: 50 low-forever, 3 low-30min (--show all lists them)`
auto more_tolerating(const Answer& answer, const Snapshot& cluster) -> Line {
  std::map<std::string, std::size_t> by_class;
  for (std::size_t i = kToleratingShown; i < answer.tolerating_lines.size(); ++i) {
    const std::string name = priority_class_of(cluster, answer.tolerating_lines[i].pod);
    ++by_class[name.empty() ? "without a class" : name];
  }
  std::vector<std::string> parts;
  for (const auto& [name, count] : by_class) parts.push_back(fmt::format("{} {}", count, name));
  return folded_line(
      fmt::format("+ {} more: {}", answer.tolerating_lines.size() - kToleratingShown, joined(parts, ", ")));
}

auto tolerating_row(const ReportContext& context, const SourceLocations& places) {
  return [&](Row& row, const ToleratingLine& line) {
    const Snapshot& cluster = context.cluster;
    const PodSpec& spec = cluster.pod(line.pod).spec;
    const bool soon = !line.until.is_never() && seconds_between(context.now, line.until) < kSoon;
    Json toleration = line.toleration.is_object() ? line.toleration : Json::object();
    if (!toleration.contains("since")) set(toleration, "since", instant_json(line.since));
    if (!toleration.contains("until")) set(toleration, "until", instant_json(line.until));
    row.text("TOLERATES THIS PREEMPTION", cluster.key(line.pod)).key("pod", pod_json(cluster, line.pod));
    row.text("NODE", or_dash(node_name(cluster, line.pod))).optional();
    row.key("node", present(node_name(cluster, line.pod)));
    row.number("PRIORITY", priority_of(cluster, line.pod)).optional();
    row.key("priority", spec.has_priority ? Json(spec.priority) : Json());
    row.text("CLASS", or_dash(priority_class_of(cluster, line.pod))).optional();
    row.text("SINCE", line.since == Instant{} ? "-" : format_clock(line.since, context.now)).only_wide().optional();
    row.text("RULE", or_dash(std::string(line.rule))).only_wide().optional().key("rule", present(line.rule));
    row.text("UNTIL", until_words(line, context.now), soon ? Tone::soon : Tone::safe);
    row.text("WHY", or_dash(line.why)).only_wide().optional().key("reason", present(line.why));
    row.key("toleration", present(std::move(toleration)));
    row.text("SOURCE", places.described(line.evidence)).only_wide();
    row.key("evidence", present(evidence_json(line.evidence, places)));
  };
}

auto tolerating_table(const Answer& answer, const ReportContext& context, const SourceLocations& places, bool show_all)
    -> Table {
  const std::span lines(answer.tolerating_lines);
  const bool folded = !show_all && lines.size() > kToleratingShown;
  Table table = table_of(folded ? lines.first(kToleratingShown) : lines, tolerating_row(context, places));
  if (folded) table.footer.push_back(more_tolerating(answer, context.cluster));
  return table;
}

auto next_change_line(const Answer& answer, Instant now) -> Line {
  const std::string at = answer.next_change.is_never() ? std::string() : format_moment(answer.next_change, now);
  const std::string between = at.empty() || answer.next_change_words.empty() ? "" : ", ";
  // The end of a protection is no event that triggers a scheduling cycle.
  const std::string acted = answer.acted_on_by.is_never()
                                ? std::string()
                                : fmt::format("; without other events, the scheduler tries again by {}",
                                              format_clock(answer.acted_on_by, now));
  return {{{fmt::format("next change: {}{}{}{}", at, between, answer.next_change_words, acted)}}};
}

// `fields: PriorityClass/low-30min metadata.annotations[…] (busy-gpu.yaml:412:7), …`
auto fields_line(const Answer& answer, const SourceLocations& places) -> Line {
  std::vector<std::string> parts;
  for (const Evidence& field : answer.fields) {
    const std::string place = places.described(field);
    parts.push_back(
        fmt::format("{} {}{}", field.object, field.field, place.empty() ? "" : fmt::format(" ({})", place)));
  }
  return {{{"fields: " + joined(parts, ", "), Tone::dim}}};
}

// With a thousand nodes a message can have sixty thousand characters: shows its beginning, up to the end of a word, and
// the total length. `-o json` has all of it.
void add_message(const std::string& message, const ReportContext& context, Line& line) {
  constexpr std::size_t kShown = 600;
  const bool whole = context.show_all || message.size() <= kShown + kShown / 2;
  if (whole) return line.spans.push_back({message, Tone::dim}), void();
  const std::string_view shown = std::string_view(message).substr(0, std::min(message.rfind(' ', kShown), kShown));
  line.spans.push_back({fmt::format("{} ... ({} characters", shown, message.size()), Tone::dim});
  line.spans.push_back({.text = "; --show all shows the rest", .tone = Tone::dim, .hint = true});
  line.spans.push_back({")", Tone::dim});
  line.full = message;
}

auto verdict_line(const Answer& answer, const ReportContext& context) -> Line {
  return {{{subject_words(answer, context.cluster), tone_of(answer.outcome)},
           {fmt::format("{}{}.", answer.outcome == Outcome::unknown ? ": " : " ", answer.sentence),
            tone_of(answer.outcome)}}};
}

auto blocks_of(const Answer& answer, const ReportContext& context, const SourceLocations& places)
    -> std::vector<Block> {
  std::vector<Block> blocks;
  blocks.emplace_back(verdict_line(answer, context));
  for (Line& line : Provenance(context, answer).lines()) blocks.emplace_back(std::move(line));
  const std::vector<Impact> impacts = impact_of(answer, context.cluster, context.now);
  const bool of_workloads =
      std::any_of(impacts.begin(), impacts.end(), [](const Impact& i) { return i.kind != "Pod"; });
  // Workloads come first if they summarize the list of pods.
  const bool sums_up = of_workloads && impacts.size() < answer.victim_lines.size();
  if (sums_up) blocks.emplace_back(impact_table(impacts));
  if (!answer.victim_lines.empty()) blocks.emplace_back(victim_table(answer, context, places));
  if (of_workloads && !sums_up) blocks.emplace_back(impact_table(impacts));
  for (Picture& picture : node_pictures(answer, context)) blocks.emplace_back(std::move(picture));
  if (auto picture = toleration_picture(answer, context)) blocks.emplace_back(*std::move(picture));
  if (!answer.tolerating_lines.empty()) {
    blocks.emplace_back(with_full(context.show_all, context.keeps_full,
                                  [&](bool all) { return tolerating_table(answer, context, places, all); }));
  }
  if (answer.reasons) blocks.emplace_back(*answer.reasons);
  if (answer.node_table) blocks.emplace_back(*answer.node_table);
  blocks.insert(blocks.end(), answer.details.begin(), answer.details.end());

  Paragraph end;
  if (!answer.next_change.is_never() || !answer.next_change_words.empty()) {
    end.lines.push_back(next_change_line(answer, context.now));
  }
  if (!answer.scheduler_message.empty()) {
    end.lines.push_back({{{fmt::format("scheduler message{}: ",
                                       answer.message_varies ? " (one of several; chance decides which)" : "")}}});
    add_message(answer.scheduler_message, context, end.lines.back());
  }
  if (const auto said = recorded(answer, context)) {
    for (Line& line : lines_of(*said, context.now)) end.lines.push_back(std::move(line));
  }
  if (const auto why = why_it_waits(answer, context); !why.empty()) {
    end.lines.push_back({{{fmt::format("why it may still wait: {}", joined(why, "; "))}}});
  }
  if (!answer.fields.empty()) end.lines.push_back(fields_line(answer, places));
  if (!end.lines.empty()) blocks.emplace_back(std::move(end));
  return blocks;
}

// ---- the brief form, which fits a screen

// The moment and the rules; the gaps that could change the answer, and the number of the others.
auto brief_provenance(const Provenance& provenance) -> std::vector<Line> {
  std::vector<Line> lines{provenance.lines().front()};
  std::size_t assumptions = 0;
  for (const Gap& gap : provenance.gaps()) {
    if (may_change_answer(gap)) {
      lines.push_back(gap_line(gap));
    } else {
      ++assumptions;
    }
  }
  if (assumptions > 0)
    lines.front().spans.push_back({fmt::format("; {}", counted(assumptions, "assumption", "assumptions"))});
  return lines;
}

// `142 pods tolerate this preemption, 62 of them forever; the next toleration ends 22:58:30 (in 17m23s), of ml/a`
auto brief_tolerating(const Answer& answer, const ReportContext& context) -> Line {
  std::size_t forever = 0;
  const ToleratingLine* next = nullptr;
  for (const ToleratingLine& line : answer.tolerating_lines) {
    forever += line.until.is_never() ? 1U : 0U;
    if (!line.until.is_never() && (next == nullptr || line.until < next->until)) next = &line;
  }
  const std::size_t all = answer.tolerating_lines.size();
  const std::string lasting = forever == 0     ? ""
                              : forever == all ? " forever"
                                               : fmt::format(", {} of them forever", forever);
  const std::string ends = next == nullptr
                               ? ""
                               : fmt::format("; the {}toleration ends {}, of {}", all == 1 ? "" : "next ",
                                             format_moment(next->until, context.now), context.cluster.key(next->pod));
  return {{{fmt::format("{} this preemption{}{}", counted(all, "pod tolerates", "pods tolerate"), lasting, ends),
            Tone::safe}}};
}

auto brief_blocks(const Answer& answer, const ReportContext& context, const SourceLocations& places)
    -> std::vector<Block> {
  constexpr std::size_t kVictims = 4;
  constexpr std::size_t kNodes = 3;
  constexpr std::size_t kOthers = 4;
  std::vector<Block> blocks;
  blocks.emplace_back(verdict_line(answer, context));
  for (Line& line : brief_provenance(Provenance(context, answer))) blocks.emplace_back(std::move(line));
  const std::vector<Impact> impacts = impact_of(answer, context.cluster, context.now);
  if (!answer.victim_lines.empty() && impacts.size() < answer.victim_lines.size()) {
    blocks.emplace_back(first_rows(impact_table(impacts), kVictims));
  } else if (!answer.victim_lines.empty()) {
    blocks.emplace_back(first_rows(victim_table(answer, context, places), kVictims));
  }
  // An engine that fills the table of nodes has other tables only about nodes that the question names (--node).
  const auto is_table = [](const Block& block) { return std::holds_alternative<Table>(block); };
  const bool names_nodes = answer.node_table && std::any_of(answer.details.begin(), answer.details.end(), is_table);
  if (names_nodes) blocks.insert(blocks.end(), answer.details.begin(), answer.details.end());
  if (answer.reasons && !names_nodes) blocks.emplace_back(first_rows(*answer.reasons, kNodes));
  if (answer.node_table && !answer.reasons && !names_nodes) {
    Table nodes = *answer.node_table;
    nodes.footer.clear();
    blocks.emplace_back(first_rows(std::move(nodes), kNodes));
  }
  // Victims are more specific than their queues and groups.
  for (const Block& block : answer.victim_lines.empty() && !names_nodes ? answer.details : std::vector<Block>()) {
    const Table* const table = std::get_if<Table>(&block);
    if (table != nullptr && !table->only_in_full) {
      Table shown = *table;
      shown.footer.clear();
      blocks.emplace_back(first_rows(std::move(shown), kOthers));
    }
  }
  Paragraph end;
  if (!answer.tolerating_lines.empty()) end.lines.push_back(brief_tolerating(answer, context));
  if (!answer.next_change.is_never() || !answer.next_change_words.empty())
    end.lines.push_back(next_change_line(answer, context.now));
  const auto said = recorded(answer, context);
  if (said && said->comparison == Recorded::Comparison::differs)
    end.lines.push_back(lines_of(*said, context.now).back());
  if (const auto why = why_it_waits(answer, context); !why.empty())
    end.lines.push_back({{{fmt::format("why it may still wait: {}", joined(why, "; "))}}});
  end.lines.push_back(rest_line("victims, tolerations, nodes, the scheduler's message"));
  blocks.emplace_back(std::move(end));
  return blocks;
}

// ---- JSON; an absent key means unknown or none, null is never written

auto subject_json(const Answer& answer, const Snapshot& cluster) -> Json {
  if (!answer.subject) return {{"name", answer.subject_name}};
  const PodSpec& spec = cluster.pod(answer.subject).spec;
  Json json{{"pod", pod_json(cluster, answer.subject)}};
  if (spec.has_priority) json["priority"] = spec.priority;
  set(json, "priorityClassName", cluster.text(spec.priority_class_name));
  set(json, "preemptionPolicy", cluster.text(spec.preemption_policy));
  set(json, "schedulerName", cluster.text(spec.scheduler_name));
  return json;
}

auto verdict_json(const Answer& answer, const Snapshot& cluster) -> Json {
  Json json{{"outcome", outcome_name(answer.outcome)}};
  set(json, "node", answer.node);
  set(json, "tiedNodes", cluster.names(answer.tied));
  set(json, "summary", answer.sentence);
  for (const Assuming& each : answer.outcome == Outcome::unknown ? answer.assuming : std::vector<Assuming>()) {
    Json under{{"outcome", outcome_name(each.outcome)}, {"summary", each.sentence}};
    set(under, "condition", each.condition);
    set(under, "node", each.node);
    json["assuming"].push_back(std::move(under));
  }
  set(json, "nextChange", instant_json(answer.next_change));
  set(json, "nextChangeSummary", answer.next_change_words);
  set(json, "actedOnBy", instant_json(answer.acted_on_by));
  set(json, "criteria", answer.criteria);
  if (answer.odds) json["odds"] = odds_json(answer, cluster);
  if (answer.orders) json["orders"] = orders_json(*answer.orders, cluster);
  return json;
}

auto document_about(const Answer& answer, const Provenance& provenance, const Snapshot& cluster, std::string_view kind)
    -> Json {
  Json json = provenance.document(kind);
  json["subject"] = subject_json(answer, cluster);
  json["verdict"] = verdict_json(answer, cluster);
  return json;
}

/// The parts of an answer that are as large as the cluster.
struct LargeParts {
  Json nodes;
  Json evidence;
};

auto large_parts(Answer& answer) -> LargeParts {
  return {std::exchange(answer.nodes, {}), std::exchange(answer.evidence, {})};
}

auto packed(const Json& part) -> std::optional<PackedText> {
  return part.is_null() ? std::nullopt : std::optional<PackedText>(std::in_place, json_text(part, -1));
}

// What a list shows of an answer.
auto in_short(Answer answer) -> Answer {
  answer.account.reset();
  answer.assumed.clear();
  answer.tolerating.clear();
  answer.tolerating.shrink_to_fit();
  answer.tolerating_lines = {};
  answer.victim_lines = {};
  answer.placements = {};
  answer.devices = {};
  answer.details = {};
  answer.fields = {};
  answer.findings = {};
  answer.reasons.reset();
  answer.node_table.reset();
  answer.criteria = {};
  std::vector<NodeId>().swap(answer.feasible);
  return answer;
}

auto document(const Answer& answer, LargeParts large, Provenance provenance, const ReportContext& context,
              const SourceLocations& places) -> Json {
  provenance.add(answer);
  Json json = document_about(answer, provenance, context.cluster, "Explanation");
  json["victims"] = victims_json(answer, context.cluster, places);
  if (!answer.evicted.empty()) json["evicted"] = answer.evicted;
  if (!answer.assigned.empty()) json["assigned"] = answer.assigned;
  set(json, "impact", impact_json(impact_of(answer, context.cluster, context.now), context.cluster));
  json["tolerating"] = list_of(answer.tolerating_lines, tolerating_row(context, places), context.extent);
  set(json, "nodes", std::move(large.nodes));
  set(json, "schedulerMessage", answer.scheduler_message);
  if (answer.message_varies) json["schedulerMessageVaries"] = true;
  if (const auto said = recorded(answer, context)) json["recorded"] = json_of(*said);
  set(json, "mayStillWait", why_it_waits(answer, context));
  set(json, "evidence", std::move(large.evidence));
  return json;
}

}  // namespace

auto subject_words(const Answer& answer, const Snapshot& cluster) -> std::string {
  if (!answer.subject) return answer.subject_name;
  const std::string name = cluster.key(answer.subject);
  const std::string priority_class = priority_class_of(cluster, answer.subject);
  const bool has_priority = cluster.pod(answer.subject).spec.has_priority;
  const std::string priority = priority_of(cluster, answer.subject);
  if (!priority_class.empty() && has_priority) return fmt::format("{} ({}, {})", name, priority_class, priority);
  if (!priority_class.empty()) return fmt::format("{} ({})", name, priority_class);
  return has_priority ? fmt::format("{} (priority {})", name, priority) : name;
}

auto document_about(const Answer& answer, const ReportContext& context, std::string_view kind) -> Json {
  return document_about(answer, Provenance(context, answer), context.cluster, kind);
}

auto explanation(Answer& answer, const ReportContext& context) -> Report {
  SourceLocations places(context);
  want(places, answer);
  places.look_up();
  Report report;
  if (context.blocks) report.blocks = blocks_of(answer, context, places);
  if (context.brief) report.brief = brief_blocks(answer, context, places);
  if (context.documents) report.data = document(answer, large_parts(answer), Provenance(context), context, places);
  report.names = victim_names(answer, context);
  if (context.blocks) {
    report.evidence.push_back(with_full(context.show_all, context.keeps_full,
                                        [&](bool all) { return evidence_table(answer, context, places, all); }));
  }
  return report;
}

auto explanation_documents(std::vector<Answer>& answers, const ReportContext& context) -> Json {
  SourceLocations places(context);
  for (const Answer& answer : answers) want(places, answer);
  places.look_up();
  const Provenance of_input(context);
  Json documents = Json::array();
  for (Answer& answer : answers) {
    documents.push_back(document(answer, large_parts(answer), of_input, context, places));
  }
  return documents;
}

ExplanationRows::ExplanationRows(const ReportContext& context)
    : context_(context), places_(context), of_input_(context) {}

auto ExplanationRows::add(Answer answer) -> Answer {
  if (!looked_up_) want(places_, answer);
  if (!looked_up_ && places_.is_full()) look_up();
  LargeParts large = large_parts(answer);
  if (looked_up_) {
    rows_.add(json_text(document(answer, std::move(large), of_input_, context_, places_), -1));
    return in_short(std::move(answer));
  }
  Waiting& waiting = waiting_.emplace_back(Waiting{answer, packed(large.nodes), packed(large.evidence)});
  waiting.answer.account.reset();
  return in_short(std::move(answer));
}

auto ExplanationRows::finish() -> PackedRows {
  if (!looked_up_) look_up();
  return std::move(rows_);
}

void ExplanationRows::look_up() {
  places_.look_up();
  looked_up_ = true;
  for (; !waiting_.empty(); waiting_.pop_front()) rows_.add(row_of(waiting_.front()));
}

auto ExplanationRows::row_of(const Waiting& waiting) const -> std::string {
  const Json mark = Json::binary({});  // no document has binary data
  LargeParts marks{waiting.nodes ? mark : Json(), waiting.evidence ? mark : Json()};
  const Json json = document(waiting.answer, std::move(marks), of_input_, context_, places_);
  std::string row = "{";
  for (const auto& [key, member] : json.items()) {
    if (row.size() > 1) row += ',';
    row += json_text(Json(key), -1) + ':';
    if (!member.is_binary()) {
      row += json_text(member, -1);
    } else {
      row += (key == "nodes" ? waiting.nodes : waiting.evidence)->text();
    }
  }
  return row + '}';
}

}  // namespace previct
