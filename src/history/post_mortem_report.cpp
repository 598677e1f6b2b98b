#include "api/locate.h"
#include "base/ascii.h"
#include "base/text.h"
#include "engine/required_kind.h"
#include "history/post_mortem.h"
#include "history/redactor.h"
#include "report/rows.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace previct::history {
namespace {

auto in_words(Verdict verdict) -> std::string_view {
  return verdict == Verdict::unclear ? "cannot tell" : verdict_name(verdict);
}

auto tone_of(Verdict verdict) -> Tone {
  return verdict == Verdict::unexpected ? Tone::danger : Tone::verdict;
}

auto named_json(const Named& named) -> Json {
  Json json = Json::object();
  if (named.kind != "pod") json["kind"] = named.kind;
  if (!named.ns.empty()) json["namespace"] = named.ns;
  if (!named.name.empty()) json["name"] = named.name;
  if (!named.uid.empty()) json["uid"] = named.uid;
  return json;
}

// Gaps in the sources that record past preemptions.
auto gaps_of_history(const Objects& objects) -> std::vector<Gap> {
  if (!lacks(objects, kinds::events) || !lacks(objects, "events.k8s.io/Event")) return {};
  return {{GapRule::no_events, {"Event"}}};
}

// Returns true for gaps about priorities and settings, which matter only if a decision is rerun or a preemptor is
// inferred; a trace alone shows what happened.
auto rests_on_decision(const Gap& gap) -> bool {
  switch (gap.rule) {
    case GapRule::filled_policy:
    case GapRule::filled_policies:
    case GapRule::filled_priority:
    case GapRule::filled_priorities:
    case GapRule::default_priority:
    case GapRule::default_priorities:
    case GapRule::zero_priority:
    case GapRule::zero_priorities:
    case GapRule::scheduler_config_found:
    case GapRule::queues_found: return true;
    default: return false;
  }
}

auto decides_by_input(const PostMortem& p) -> bool {
  return p.rerun || (p.disruption && p.disruption->by_inferred);
}

auto without_decisions(ReportContext context) -> ReportContext {
  std::vector<Gap>& gaps = context.input_gaps;
  gaps.erase(std::remove_if(gaps.begin(), gaps.end(), rests_on_decision), gaps.end());
  return context;
}

// The kind of the reported objects: pods, workloads, or both.
auto noun_of(const std::vector<PostMortem>& all) -> std::string {
  std::string noun;
  for (const PostMortem& each : all) {
    if (!noun.empty() && noun != each.pod.kind) return "object";
    noun = each.pod.kind;
  }
  return noun.empty() ? "pod" : noun;
}

auto list_sentence(const std::vector<PostMortem>& all) -> std::string {
  std::map<Verdict, std::size_t> counts;
  for (const PostMortem& each : all) ++counts[each.verdict];
  // Pods that only a kubelet ended are listed without a verdict on a scheduler.
  const std::size_t by_kubelets = counts[Verdict::not_preempted];
  counts.erase(Verdict::not_preempted);
  if (counts.empty()) {
    if (by_kubelets == 0) return "no pod was preempted according to the input.";
    return fmt::format("no scheduler preempted a pod according to the input; {} preempted by the kubelet of a node.",
                       counted(by_kubelets, "pod was", "pods were"));
  }
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts)
    parts.push_back(
        fmt::format("{} {}", count, verdict == Verdict::unclear ? "not known to be expected" : verdict_name(verdict)));
  if (by_kubelets > 0) parts.push_back(fmt::format("{} by the kubelet of a node", by_kubelets));
  const std::string noun = noun_of(all);
  return fmt::format("{} preempted: {}.", counted(all.size(), noun + " was", noun + "s were"), joined(parts, ", "));
}

class One {
 public:
  One(const PostMortem& p, const ReportContext& context)
      : p_(p),
        context_(context),
        cluster_(context.cluster),
        provenance_(decides_by_input(p) ? context : without_decisions(context)) {
    provenance_.add(engine(), behaves(), gaps());
    if (p.rerun) {
      if (p.rerun->answer.outcome != Outcome::preempts || p.verdict == Verdict::not_preempted) return;
      for (const NodeFinding& finding : p.rerun->answer.findings) {
        if (finding.candidate && !finding.chosen && finding.node != p.disruption->node) lost_.push_back(finding.node);
      }
    }
  }

  [[nodiscard]] auto blocks() const -> std::vector<Block> {
    std::vector<Block> out;
    out.emplace_back(Line{{{sentence(), tone_of(p_.verdict)}}});
    if (p_.disruption && p_.verdict != Verdict::not_preempted) out.emplace_back(Line{{{p_.why, Tone::dim}}});
    for (Line& line : provenance_.lines()) out.emplace_back(std::move(line));
    if (p_.disruption) out.emplace_back(evidence_table());
    if (p_.rerun && !p_.rerun->victims.empty())
      out.emplace_back(table_of(p_.rerun->victims, std::bind_front(&One::victim_row, this)));
    if (p_.rerun) {
      if (p_.rerun->answer.node_table) out.emplace_back(*p_.rerun->answer.node_table);
      // Alternatives are only given for a decision that is understood.
      if (p_.verdict != Verdict::unclear) out.emplace_back(Line{{{alternatives()}}});
    }
    return out;
  }

  [[nodiscard]] auto document() const -> Json {
    Json json = {{"pod", named_json(p_.pod)},
                 {"verdict", {{"outcome", verdict_name(p_.verdict)}, {"summary", sentence()}}}};
    if (!p_.why.empty()) json["verdict"]["reason"] = p_.why;
    if (p_.disruption) {
      const Disruption& d = *p_.disruption;
      Json& out = json["disruption"] = {{"cause", cause_id(d.cause)}};
      if (d.at != Instant{}) out["notAfter"] = format_instant(d.at);
      if (!d.node.empty()) out["node"] = d.node;
      if (d.in_memory) out["inMemory"] = true;
      if (d.by) json["preemptor"] = preemptor_json(d);
      json["otherVictims"] = Json::array();
      for (const Named& other : p_.others) json["otherVictims"].push_back(named_json(other));
      json["evidence"] = list_of(signs(), std::bind_front(&One::evidence_row, this));
    }
    if (p_.rerun) json["rerun"] = rerun_json();
    if (!p_.namesakes.empty()) json["namesakes"] = p_.namesakes;
    json["assumptions"] = Json::array();
    for (const Gap& gap : provenance_.gaps()) json["assumptions"].push_back(gap_in_one(gap));
    return json;
  }

  [[nodiscard]] auto provenance() const -> const Provenance& { return provenance_; }

  void describe(Row& row, std::string_view noun) const {
    const Disruption& d = *p_.disruption;
    const bool preempted = p_.verdict != Verdict::not_preempted;
    row.text(upper_case(noun), p_.pod.with_kind());
    row.text("AT", d.at == Instant{} ? "-" : clock(d.at));
    row.text("BY", !preempted ? "its kubelet" : p_.preemptor_words.empty() ? "-" : p_.preemptor_words);
    row.text("NODE", d.node.empty() ? "-" : d.node);
    row.text("VERDICT", {preempted ? in_words(p_.verdict) : "-", tone_of(p_.verdict)});
    row.text("UID", p_.pod.uid).only_wide().optional();
    row.text("WHY", p_.why);
  }

 private:
  [[nodiscard]] auto clock(Instant at) const -> std::string {
    Instant whole = at;
    whole.nanos = 0;
    return format_clock(whole, context_.now);
  }

  // A pod of a StatefulSet has the name of its predecessor.
  [[nodiscard]] auto if_replaced(const Disruption& d) const -> std::string {
    if (p_.pod.kind != "pod" || p_.pod.pod || p_.pod.uid.empty()) return "";
    const PodId now = cluster_.find_pod(p_.pod.ns, p_.pod.name);
    if (!now) return "";
    return cluster_.pod(now).meta.created > d.at ? " (an earlier pod of this name)" : " (another pod of this name)";
  }

  [[nodiscard]] auto sentence() const -> std::string {
    if (!p_.disruption && p_.verdict == Verdict::unclear)
      return fmt::format("{}: cannot tell whether it was preempted; {}.", p_.pod.with_kind(), p_.why);
    if (!p_.disruption)
      return fmt::format("{} was not preempted according to the input: {}.", p_.pod.with_kind(), p_.why);
    const Disruption& d = *p_.disruption;
    const std::string pod = p_.pod.with_kind() + if_replaced(d);
    const std::string at = d.at == Instant{} ? "" : fmt::format(" at {}", clock(d.at));
    if (p_.verdict == Verdict::not_preempted) {
      // The kubelet calls this preemption too.
      if (d.cause == Cause::kubelet_critical)
        return fmt::format("{} was {}{}; no scheduler took part.", pod, p_.why, at);
      return fmt::format("{} was not preempted: it was {}{}.", pod, p_.why, at);
    }
    // For KAI, YuniKorn and Koordinator, the preemptor is the reason of the eviction, not what evicts.
    const bool of_kube = d.cause == Cause::preemption || d.cause == Cause::unnamed_scheduler;
    const std::string by = fmt::format(" {} {}", of_kube ? "by" : "for",
                                       p_.preemptor_words.empty() ? "an unknown pod" : p_.preemptor_words);
    const bool quota = d.cause == Cause::yunikorn_quota;
    return fmt::format("{} was {}{}{}{}: {}.", pod, cause_words(d.cause), at, quota ? "" : by,
                       d.node.empty() ? "" : " on " + d.node,
                       p_.verdict == Verdict::unclear ? "cannot tell whether that was expected" : in_words(p_.verdict));
  }

  [[nodiscard]] auto engine() const -> std::string { return p_.rerun ? p_.rerun->answer.engine : ""; }
  [[nodiscard]] auto behaves() const -> std::string { return p_.rerun ? p_.rerun->answer.behaves : ""; }

  [[nodiscard]] auto gaps() const -> std::vector<Gap> {
    std::vector<Gap> out;
    if (!p_.namesakes.empty()) out.push_back({GapRule::last_of_that_name, {p_.pod.uid, joined(p_.namesakes, ", ")}});
    add_gaps(gaps_of_history(cluster_.objects()), out);
    if (p_.disruption && p_.disruption->by_inferred)
      out.push_back({GapRule::only_possible_preemptor, {p_.preemptor_words}});
    if (p_.disruption && p_.disruption->in_memory) out.push_back({GapRule::evicted_in_memory});
    const bool of_pods = !p_.disruption || p_.disruption->cause != Cause::kueue;  // Kueue decides by quota alone
    if (!p_.rerun && p_.verdict == Verdict::unclear && of_pods) {
      for (const std::string_view kind : {"Pod", "Node"}) {
        if (lacks(cluster_.objects(), kind)) {
          out.push_back({GapRule::missing, {std::string(kind), "the decision cannot be repeated"}});
        }
      }
    }
    if (!p_.rerun) return out;
    for (const auto& [victim, sibling] : p_.rerun->copied_from)
      out.push_back({GapRule::like_its_sibling, {victim, sibling}});
    out.push_back({GapRule::state_of_then, {joined(p_.rerun->remarks, ", ")}});
    add_gaps(p_.rerun->answer.gaps, out);
    return out;
  }

  [[nodiscard]] auto place(const Sign& sign) const -> Place {
    if (!sign.source.file || context_.fields_to_locate == 0) return sign.source;
    return locate(cluster_.objects().sources, sign.source, sign.field);
  }

  [[nodiscard]] auto evidence_table() const -> Table {
    std::vector<Found> all = signs();
    const Disruption& d = *p_.disruption;
    std::vector<const Named*> preemptors;
    if (d.by) preemptors.push_back(&*d.by);
    for (const Disruption::Also& also : d.also_by) preemptors.push_back(&also.by);
    for (const Named* each : preemptors) {
      const bool named_by_uid = std::any_of(d.signs.begin(), d.signs.end(), [&](const Sign& sign) {
        return !each->uid.empty() && sign.what.find(each->uid) != std::string::npos;
      });
      if (!named_by_uid || each->name.empty()) continue;
      all.push_back({fmt::format("{} is {}", each->uid, each->text()), each->pod ? "UID of the pod" : "event",
                     each->pod ? std::optional(cluster_.pod(each->pod).meta.source) : std::nullopt});
    }
    return table_of(all, std::bind_front(&One::evidence_row, this));
  }

  struct Found {
    std::string what;
    std::string from;
    std::optional<Place> source;  // none: a dash is shown
    Instant at{};
  };

  [[nodiscard]] auto signs() const -> std::vector<Found> {
    std::vector<Found> found;
    for (const Sign& sign : p_.disruption->signs) found.push_back({sign.what, sign.from, place(sign), sign.at});
    return found;
  }

  void evidence_row(Row& row, const Found& found) const {
    const Files& files = cluster_.objects().files;
    row.text("EVIDENCE", found.what).key("what").key("from", found.from);
    row.text("AT", found.at == Instant{} ? "-" : clock(found.at));
    row.key("at", found.at == Instant{} ? Json() : Json(format_instant(found.at)));
    row.text("FROM", found.from);
    row.text("SOURCE", found.source ? files.describe(*found.source) : "-").only_wide().optional();
    row.key("source", found.source && found.source->file ? place_json(files, *found.source) : Json());
  }

  void victim_row(Row& row, const Rerun::Victim& v) const {
    row.text("VICTIM (most important first)", v.pod, Tone::danger).key("pod");
    row.number("PRIORITY", v.priority).key("priority");
    row.text("CLASS", v.priority_class.empty() ? "-" : v.priority_class).optional();
    row.text("PREEMPTED", v.observed ? "yes" : "no").key("preempted", v.observed);
    row.text("NOW", v.now).optional().key("now").key("reason", why(v));
    row.text("RULE", v.rule.empty() ? "-" : v.rule).only_wide().optional().key("rule", present(v.rule));
    row.text("WHY", why(v)).key("toleration", v.toleration);
  }

  [[nodiscard]] auto why(const Rerun::Victim& v) const -> std::string {
    const auto& made = p_.rerun->copied_from;
    const bool guessed = std::any_of(made.begin(), made.end(), [&](const auto& each) { return each.first == v.pod; });
    if (guessed) return "lower priority, if it was like its sibling";
    return v.why.empty() ? "-" : v.why;
  }

  // Returns whether the pod could have been spared.
  [[nodiscard]] auto alternatives() const -> std::string {
    const Rerun& rerun = *p_.rerun;
    std::string text;
    if (rerun.answer.outcome == Outcome::preempts) {
      if (!rerun.same_node) {
        text = fmt::format("in the repeated decision, {} is chosen instead of {}", joined(rerun.possible, " or "),
                           p_.disruption->node.empty() ? "the node where it ran" : p_.disruption->node);
      } else if (rerun.possible.size() > 1) {
        text = fmt::format("by chance: {} were equal on all criteria, or the scheduler did not examine all of them",
                           joined(rerun.possible, ", "));
      } else if (lost_.empty()) {
        text = "unavoidable: no other node was a candidate";
      } else {
        text = fmt::format("decided by rule: {} not chosen: {}",
                           counted(lost_.size(), "other candidate was", "other candidates were"), joined(lost_, ", "));
      }
      text += rerun.pdb_violations > 0
                  ? fmt::format("; PodDisruptionBudgets were violated ({})",
                                counted(static_cast<std::size_t>(rerun.pdb_violations), "violation", "violations"))
                  : "; no PodDisruptionBudget was violated";
    } else if (rerun.answer.outcome == Outcome::fits) {
      text = "no preemption was necessary";
    } else {
      text = fmt::format("in the repeated decision, no pod is preempted: it {}", rerun.answer.sentence);
    }
    return text;
  }

  [[nodiscard]] auto preemptor_json(const Disruption& d) const -> Json {
    Json json = named_json(*d.by);
    if (d.by->pod) {
      const PodSpec& spec = cluster_.pod(d.by->pod).spec;
      json["priority"] = spec.priority;
      if (spec.priority_class_name) json["priorityClassName"] = cluster_.text(spec.priority_class_name);
    }
    json["inInput"] = static_cast<bool>(d.by->pod);
    json["inferred"] = d.by_inferred;
    return json;
  }

  [[nodiscard]] auto rerun_json() const -> Json {
    const Rerun& rerun = *p_.rerun;
    const Answer& answer = rerun.answer;
    Json json = {{"engine", {{"name", answer.engine}, {"behaves", answer.behaves}}},
                 {"now", format_instant(p_.disruption->at)},
                 {"outcome", outcome_name(answer.outcome)},
                 {"summary", answer.sentence}};
    if (!answer.node.empty()) json["node"] = answer.node;
    json["possibleNodes"] = rerun.possible;
    json["sameNode"] = rerun.same_node;
    json["sameVictims"] = rerun.same_victims;
    json["pdbViolations"] = rerun.pdb_violations;
    json["alternatives"] = lost_;
    json["victims"] = list_of(rerun.victims, std::bind_front(&One::victim_row, this));
    return json;
  }

  const PostMortem& p_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  Provenance provenance_;
  std::vector<std::string> lost_;  // nodes that could have been chosen instead
};

}  // namespace

auto provenance_of(const std::vector<PostMortem>& all, const ReportContext& context) -> Provenance {
  const bool decided = std::any_of(all.begin(), all.end(), decides_by_input);
  Provenance provenance(decided ? context : without_decisions(context));
  provenance.add("", "", gaps_of_history(context.cluster.objects()));
  for (const PostMortem& each : all) {
    if (each.rerun) provenance.add(each.rerun->answer);
  }
  return provenance;
}

auto post_mortem_report(const PostMortem& post_mortem, const ReportContext& context) -> Report {
  const One one(post_mortem, context);
  Report report;
  report.blocks = one.blocks();
  report.data = one.provenance().document("PostMortem");
  report.data.update(one.document());
  if (post_mortem.disruption && post_mortem.disruption->by) report.names.push_back(post_mortem.disruption->by->text());
  return report;
}

auto post_mortems_report(const std::vector<PostMortem>& all, const ReportContext& context) -> Report {
  Report report;
  const Provenance provenance = provenance_of(all, context);
  report.data = provenance.document("PostMortemList");
  report.data["items"] = Json::array();
  const std::string noun = noun_of(all);
  std::vector<One> items;
  for (const PostMortem& each : all) {
    items.emplace_back(each, context);
    report.data["items"].push_back(items.back().document());
    report.names.push_back(each.pod.text());
  }
  report.blocks.emplace_back(Line{{{list_sentence(all), Tone::verdict}}});
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));
  if (!all.empty())
    report.blocks.emplace_back(table_of(items, [&](Row& row, const One& one) { one.describe(row, noun); }));
  return report;
}

void hide_foreign(Report& report, const Snapshot& cluster, std::string_view ns, const std::vector<Named>& named) {
  Redactor(cluster, ns, named).redact(report);
}

}  // namespace previct::history
