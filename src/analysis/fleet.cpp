#include "analysis/fleet.h"

#include "analysis/alike_pods.h"
#include "analysis/list_answers.h"
#include "analysis/subject.h"
#include "base/contains.h"
#include "base/text.h"
#include "engine/required_kind.h"
#include "report/rows.h"
#include "tell/gap_words.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

namespace previct {
namespace {

auto class_of(const Snapshot& cluster, PodId id) -> ClassOfPods {
  const PodSpec& spec = cluster.pod(id).spec;
  return {std::string(cluster.text(spec.priority_class_name)), spec.priority};
}

class Survey {
  using Kind = std::pair<ClassOfPods, std::vector<std::string>>;  // class and schedulers of preemptors
  using ClassSymbol = std::pair<Symbol, std::int32_t>;

 public:
  Survey(const Engine& engine, const Snapshot& cluster, const Question& question, bool keeps_victims)
      : engine_(engine), cluster_(cluster), question_(question), keeps_victims_(keeps_victims) {}

  auto run() -> Result<Fleet> {
    fleet_.engine = engine_.name();
    fleet_.ns = question_.ns;
    count_victims();
    PREVICT_TRY(alike_, preemptors(engine_, cluster_, question_));
    Question in_numbers = question_;
    in_numbers.tables = false;
    PREVICT_TRY(const Protections all, protections(engine_, cluster_, in_numbers));
    fleet_.behaves = all.behaves;
    add_gaps(all.gaps, fleet_.gaps);
    PREVICT_CHECK(ask_pending());
    find_preemptors();
    for (Preemptors& preemptors : fleet_.preemptors) PREVICT_CHECK(measure(preemptors));
    find_at_risk();
    // Every number here counts pods, nodes and classes; budgets affect the choice of nodes, so missing kinds are
    // reported.
    add_gaps(missing_kinds(cluster_.objects(), engine_.needs()), fleet_.gaps);
    return std::move(fleet_);
  }

 private:
  [[nodiscard]] auto class_symbol(PodId id) const -> ClassSymbol {
    const PodSpec& spec = cluster_.pod(id).spec;
    const bool none = cluster_.text(spec.priority_class_name).empty();
    return {none ? Symbol{} : spec.priority_class_name, spec.priority};
  }

  void count_victims() {
    std::map<ClassSymbol, std::size_t> counts;
    for (const NodeId node : cluster_.nodes().ids()) {
      for (const PodId id : cluster_.pods_on(node)) ++counts[class_symbol(id)];
    }
    for (const auto& [key, count] : counts)
      fleet_.victims.emplace_back(ClassOfPods{std::string(cluster_.text(key.first)), key.second}, count);
    std::sort(fleet_.victims.begin(), fleet_.victims.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.priority, a.first.name) < std::tie(b.first.priority, b.first.name);
    });
    for (std::size_t i = 0; i < fleet_.victims.size(); ++i) {
      const ClassOfPods& of = fleet_.victims[i].first;
      column_[{of.name.empty() ? Symbol{} : cluster_.symbol(of.name), of.priority}] = i;
    }
  }

  auto ask_pending() -> Result<void> {
    const std::string ns = question_.ns;
    const std::vector<Subject> all = pending_subjects(cluster_, ns);
    std::vector<Subject> own;
    for (const Subject& subject : all) {
      // Pods of a scheduler that another engine handles are not evaluated here.
      const auto chosen = choose_engine(engines(), "auto", cluster_, subject);
      if (chosen && *chosen == &engine_) own.push_back(subject);
    }
    Question asked = question_;
    asked.brief = true;
    asked.follows_assumptions = false;
    asked.among = all.size();
    ListAnswers list(cluster_, own, fleet_.answers,
                     {.engine = "auto",
                      .question = std::move(asked),
                      .ask = [&](const Snapshot& cluster, const Subject& subject, const Question& question) {
                        return answer_to(cluster, about(subject, question));
                      }});
    for (const Subject& subject : own) {
      PREVICT_TRY(Answer answer, list.next());
      add_gaps(answer.gaps, fleet_.gaps);
      pending_[{class_of(cluster_, subject.pod), alike(scheduler_of(cluster_, subject.pod))}].push_back(
          fleet_.answers.size());
      const auto first = list.shared();
      fleet_.alike[first.value_or(fleet_.answers.size())].push_back(fleet_.answers.size());
      if (!first) {
        add_victims_of(answer);
        if (!keeps_victims_) release_node_lists(answer, false);
      }
      fleet_.answers.push_back(std::move(answer));
    }
    fleet_.left_out = pending_of_others(engine_, cluster_, ns);
    add_gaps(fleet_.left_out, fleet_.gaps);
    return {};
  }

  [[nodiscard]] auto answer_to(const Snapshot& cluster, const Question& asked) const -> Result<Answer> {
    PREVICT_TRY(Answer answer, explain(engine_, cluster, asked));
    // The details of every node are never shown here, and are too large to keep for every pod.
    answer.account = nullptr;
    answer.assumed.clear();
    release_node_lists(answer, true);
    return answer;
  }

  // The answer is about to be added.
  void add_victims_of(const Answer& answer) {
    const auto index = static_cast<std::uint32_t>(fleet_.answers.size());
    for (const PodId pod : possible_victims(answer)) taken_[pod].by.push_back(index);
    for (const PodId pod : certain_victims(answer)) taken_[pod].certain = true;
  }

  // All schedulers whose pods preempt in the same way; only this one if no profile has its name.
  [[nodiscard]] auto alike(const std::string& scheduler) const -> std::vector<std::string> {
    const auto found = std::find_if(alike_.begin(), alike_.end(),
                                    [&](const auto& schedulers) { return contains(schedulers, scheduler); });
    return found == alike_.end() ? std::vector{scheduler} : *found;
  }

  void find_preemptors() {
    std::map<Kind, Preemptors> found;
    const Symbol never = cluster_.known().never;
    constexpr std::string_view kNever = "preemptionPolicy Never";
    for (const PriorityClass& c : cluster_.objects().priority_classes) {
      const ClassOfPods who{std::string(cluster_.text(c.meta.name)), c.value};
      for (const std::vector<std::string>& schedulers : alike_)
        found[{who, schedulers}] = {who, schedulers, std::string(c.preemption_policy == never ? kNever : ""), {}, {}};
    }
    for (const auto& [kind, answers] : pending_) {
      Preemptors& preemptors = found.try_emplace(kind, Preemptors{kind.first, kind.second, {}, {}, {}}).first->second;
      preemptors.pending = answers;
      // If the class is not in the input, the policy of its pods decides.
      const bool none = std::all_of(answers.begin(), answers.end(), [&](std::size_t i) {
        return cluster_.pod(fleet_.answers[i].subject).spec.preemption_policy == never;
      });
      preemptors.never = none ? kNever : "";
      const Pod& first = cluster_.pod(fleet_.answers[answers.front()].subject);
      const PriorityClass* now = cluster_.priority_class(first.spec.priority_class_name);
      if (now == nullptr) continue;
      std::vector<std::string> other;
      if (now->value != kind.first.priority) other.push_back(fmt::format("priority {}", now->value));
      const bool never_now = now->preemption_policy == never;
      if (never_now != none) other.emplace_back(never_now ? kNever : "preemptionPolicy PreemptLowerPriority");
      preemptors.new_pods = joined(other, " and ");
    }
    fleet_.by_scheduler = std::any_of(
        found.begin(), found.end(), [&](const auto& each) { return each.first.second != found.begin()->first.second; });
    const std::int32_t lowest = fleet_.victims.empty() ? INT32_MAX : fleet_.victims.front().first.priority;
    for (auto& [kind, preemptors] : found) {
      if (kind.first.priority > lowest) fleet_.preemptors.push_back(std::move(preemptors));
    }
    std::stable_sort(fleet_.preemptors.begin(), fleet_.preemptors.end(),
                     [](const Preemptors& a, const Preemptors& b) { return a.who.priority > b.who.priority; });
  }

  auto measure(Preemptors& preemptors) -> Result<void> {
    preemptors.reach.resize(fleet_.victims.size());
    for (std::size_t i = 0; i < fleet_.victims.size(); ++i) {
      preemptors.reach[i].lower = fleet_.victims[i].first.priority < preemptors.who.priority;
    }
    if (!preemptors.never.empty()) return {};
    Question asked = question_;
    asked.ns.clear();
    asked.preemptor_scheduler = preemptors.schedulers.front();
    asked.against = fmt::format("{}", preemptors.who.priority);
    asked.tables = false;
    PREVICT_TRY(const Protections protections, protections(engine_, cluster_, asked));
    preemptors.never = protections.never_preempts;
    for (const Protection& row : protections.rows) {
      const auto column = column_.find(class_symbol(row.line.pod));
      if (column == column_.end()) continue;
      Reach& reach = preemptors.reach[column->second];
      reach.tolerates = true;
      if (row.ended) continue;
      ++reach.protected_now;
      reach.node_fails = reach.node_fails || row.node_fails;
      reach.forever = reach.forever || row.line.until.is_never();
      if (!row.line.until.is_never()) reach.until = std::max(reach.until, row.line.until);
    }
    return {};
  }

  void find_at_risk() {
    std::vector<std::pair<std::string, PodId>> by_name;
    for (auto& [pod, risk] : taken_) {
      risk.pod = pod;
      for (const std::uint32_t first : risk.by) risk.times += fleet_.alike.at(first).size();
      by_name.emplace_back(cluster_.key(pod), pod);
    }
    std::sort(by_name.begin(), by_name.end());
    for (const auto& [name, pod] : by_name) fleet_.at_risk.push_back(std::move(taken_[pod]));
    std::stable_sort(fleet_.at_risk.begin(), fleet_.at_risk.end(), [](const AtRisk& a, const AtRisk& b) {
      return std::pair(a.times, a.certain) > std::pair(b.times, b.certain);
    });
  }

  const Engine& engine_;
  const Snapshot& cluster_;
  const Question& question_;
  bool keeps_victims_;
  Fleet fleet_;
  std::map<ClassSymbol, std::size_t> column_;
  std::vector<std::vector<std::string>> alike_;       // groups of schedulers whose pods preempt in the same way
  std::map<Kind, std::vector<std::size_t>> pending_;  // indices of answers
  std::map<PodId, AtRisk> taken_;
};

class FleetReport {
 public:
  FleetReport(const Fleet& fleet, const ReportContext& context)
      : f_(fleet), context_(context), cluster_(context.cluster), provenance_(context, fleet) {
    for (const Answer& answer : f_.answers) {
      if (answer.outcome == Outcome::preempts) ++preempt_;
    }
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (!f_.preemptors.empty()) report.blocks.emplace_back(matrix());
    if (!f_.answers.empty()) report.blocks.emplace_back(blast());
    if (!f_.at_risk.empty()) {
      report.blocks.emplace_back(
          with_full(context_.show_all, context_.keeps_full, [&](bool all) { return at_risk(all); }));
    }
    if (context_.documents) report.data = data();
    for (const AtRisk& risk : f_.at_risk) report.names.push_back(cluster_.key(risk.pod));
    return report;
  }

 private:
  static auto name(const ClassOfPods& c) -> std::string {
    return c.name.empty() ? fmt::format("priority {}", c.priority) : c.name;
  }

  // The name alone if it is unique: a class that was recreated with another value has pods of both priorities.
  [[nodiscard]] auto head(const ClassOfPods& c) const -> std::string {
    const bool twice = !c.name.empty() && std::count_if(f_.victims.begin(), f_.victims.end(),
                                                        [&](const auto& v) { return v.first.name == c.name; }) > 1;
    return twice ? fmt::format("{} ({})", c.name, c.priority) : name(c);
  }

  static auto is_unknown(const Answer& answer) -> bool { return answer.outcome == Outcome::unknown; }

  [[nodiscard]] auto sentence() const -> std::string { return what_happens() + left_out_words(f_.left_out); }

  [[nodiscard]] auto what_happens() const -> std::string {
    if (f_.answers.empty()) return nothing_asked();
    const auto unknown = std::count_if(f_.answers.begin(), f_.answers.end(), is_unknown);
    const std::string risk =
        unknown > 0 && f_.at_risk.empty()
            ? "it is not known which running pods are at risk"
            : fmt::format("{}{} at risk{}", unknown > 0 ? "at least " : "",
                          counted(f_.at_risk.size(), "running pod is", "running pods are"), certainty());
    if (f_.answers.size() == 1) {
      const std::string_view would = unknown == 1    ? "whether the pending pod would preempt is unknown"
                                     : preempt_ == 0 ? "the pending pod would not preempt"
                                                     : "the pending pod would preempt";
      return fmt::format("{}; {}.", would, risk);
    }
    return fmt::format("{} of {} would preempt, each evaluated separately{}; {}.", preempt_,
                       counted(f_.answers.size(), "pending pod", "pending pods"),
                       unknown == 0 ? "" : fmt::format("; of {} it is unknown", unknown), risk);
  }

  [[nodiscard]] auto nothing_asked() const -> std::string {
    const std::string where = f_.ns.empty() ? "" : " in namespace " + f_.ns;
    if (!f_.left_out.empty()) return fmt::format("kube-scheduler has no pending pod{}.", where);
    if (lacks(cluster_.objects(), kinds::pods)) return fmt::format("{} or at risk.", kWithoutPods);
    return fmt::format("no pod is pending{}: no pod is at risk now.", where);
  }

  // `, 2 of them for certain`
  [[nodiscard]] auto certainty() const -> std::string {
    const auto certain =
        std::count_if(f_.at_risk.begin(), f_.at_risk.end(), [](const AtRisk& risk) { return risk.certain; });
    if (static_cast<std::size_t>(certain) == f_.at_risk.size()) return {};
    return fmt::format(", {} of them for certain", certain == 0 ? "none" : std::to_string(certain));
  }

  // `high (9000)`, `high (9000) of custom-scheduler`
  [[nodiscard]] auto kind_of(const Preemptors& p) const -> std::string {
    std::string text = p.who.name.empty() ? name(p.who) : fmt::format("{} ({})", p.who.name, p.who.priority);
    if (f_.by_scheduler) text += fmt::format(" of {}", joined(p.schedulers, ", "));
    return text;
  }

  [[nodiscard]] auto row_head(const Preemptors& p) const -> std::string {
    std::string text = kind_of(p);
    if (!p.pending.empty()) text += fmt::format(", {} pending", p.pending.size());
    return text;
  }

  static auto cell(const Preemptors& p, const Reach& reach, std::size_t pods) -> Span {
    if (!reach.lower || !p.never.empty() || pods == 0) return {"-"};
    const std::size_t now = pods - std::min(reach.protected_now, pods);
    const auto heat = static_cast<std::uint8_t>(now == 0 ? 0 : 1 + (kHottest - 1) * now / pods);
    if (!reach.tolerates) return {fmt::format("{}", pods), Tone::plain, heat};
    return {fmt::format("{}/{}", now, pods), now == 0 ? Tone::safe : Tone::plain, heat};
  }

  [[nodiscard]] auto matrix() const -> Table {
    std::string example;
    const Reach* shown = nullptr;
    std::map<std::string, std::vector<std::string>> never;  // by reason
    std::vector<std::string> new_pods;
    Table table = table_of(f_.preemptors, [&](Row& row, const Preemptors& p) {
      row.text("ROWS MAY PREEMPT COLUMNS", row_head(p));
      for (std::size_t i = 0; i < p.reach.size(); ++i) {
        row.number(head(f_.victims[i].first), cell(p, p.reach[i], f_.victims[i].second));
        const Reach& reach = p.reach[i];
        if (!reach.lower || !p.never.empty() || reach.protected_now == 0) continue;
        // A protection that ends is the better example.
        if (shown == nullptr || (shown->until == Instant{} && reach.until != Instant{})) {
          shown = &reach;
          example =
              explained(reach, f_.victims[i].second, fmt::format("{} on {}", name(p.who), head(f_.victims[i].first)));
        }
      }
      if (!p.never.empty()) never[p.never].push_back(f_.by_scheduler ? kind_of(p) : name(p.who));
      if (!p.new_pods.empty()) new_pods.push_back(fmt::format("{}: new pods get {}", kind_of(p), p.new_pods));
    });
    if (!example.empty()) table.footer.push_back({{{example, Tone::dim}}});
    for (const auto& [why, kinds] : never) table.footer.push_back({{{joined(kinds, ", ") + ": " + why, Tone::dim}}});
    for (std::string& each : new_pods) table.footer.push_back({{{std::move(each), Tone::dim}}});
    return table;
  }

  // The legend of one cell, `which`: others with the same numbers may have another reason.
  [[nodiscard]] auto explained(const Reach& reach, std::size_t pods, const std::string& which) const -> std::string {
    const std::size_t now = pods - reach.protected_now;
    if (reach.node_fails) {
      return fmt::format(
          "{}/{} ({}): {} of {} can be preempted now; the others tolerate it, or preemption fails on their node", now,
          pods, which, now, counted(pods, "pod", "pods"));
    }
    const std::string others = reach.protected_now == 1
                                   ? std::string("the other tolerates preemption")
                                   : fmt::format("the other {} tolerate preemption", reach.protected_now);
    const bool ends = reach.until != Instant{};
    const std::string until = !ends ? " forever"
                                    : fmt::format("{} until {}", reach.protected_now == 1 ? "" : ", the last",
                                                  format_clock(reach.until, context_.now));
    return fmt::format("{}/{} ({}): {} of {} can be preempted now; {}{}{}", now, pods, which, now,
                       counted(pods, "pod", "pods"), others, until, ends && reach.forever ? ", some forever" : "");
  }

  // The effect of the pending pods of a class.
  struct Blast {
    std::size_t fit = 0;
    std::size_t preempt = 0;
    std::size_t stay = 0;
    std::size_t unknown = 0;
    std::set<PodId> victims;
    std::set<std::string> nodes;
    const Answer* worst = nullptr;
  };
  [[nodiscard]] auto blast_of(const Preemptors& p) const -> Blast {
    Blast b;
    for (const std::size_t i : p.pending) {
      const Answer& answer = f_.answers[i];
      if (answer.outcome == Outcome::fits) {
        ++b.fit;
      } else if (answer.outcome == Outcome::preempts) {
        ++b.preempt;
        if (!answer.node.empty()) b.nodes.insert(answer.node);
        for (const Victim& v : answer.victims) {
          b.victims.insert(v.pod);
          // Those of a group may be on several nodes.
          b.nodes.emplace(cluster_.text(cluster_.pod(v.pod).spec.node_name));
        }
        if (b.worst == nullptr || most_victims(answer) > most_victims(*b.worst)) b.worst = &answer;
      } else {
        ++(answer.outcome == Outcome::unknown ? b.unknown : b.stay);
      }
    }
    return b;
  }

  [[nodiscard]] auto blast() const -> Table {
    std::vector<const Preemptors*> asked;
    for (const Preemptors& p : f_.preemptors) {
      if (!p.pending.empty()) asked.push_back(&p);
    }
    return table_of(asked, [&](Row& row, const Preemptors* p) { blast_row(row, *p); });
  }

  void blast_row(Row& row, const Preemptors& p) const {
    const Blast b = blast_of(p);
    row.text("BLAST RADIUS OF", kind_of(p));
    row.number("PENDING", p.pending.size());
    row.number("FIT", b.fit).key("fit");
    row.number("STAY PENDING", b.stay).optional().key("stayPending");
    if (std::any_of(f_.answers.begin(), f_.answers.end(), is_unknown)) row.number("CANNOT TELL", b.unknown);
    row.key("unknown", b.unknown);
    row.number("PREEMPT", b.preempt).key("preempt");
    row.number("VICTIMS", {b.victims.size(), b.victims.empty() ? Tone::plain : Tone::danger}).key("victims");
    row.number("NODES", b.nodes.size()).optional().key("nodes");
    const std::string worst =
        b.worst == nullptr ? "-" : fmt::format("{} by {}", most_victims(*b.worst), b.worst->subject_name);
    row.text("MOST VICTIMS AT ONCE", worst).optional();
  }

  [[nodiscard]] auto risk_row() const {
    return [this](Row& row, const AtRisk& pod) {
      const ClassOfPods c = class_of(cluster_, pod.pod);
      const auto names = [&] { return preemptors_of(pod); };
      row.text("MOST AT RISK", cluster_.key(pod.pod), Tone::danger).key("pod").key("class", present(c.name));
      row.number("PRIORITY", c.priority).optional().key("priority");
      row.text("CLASS", c.name.empty() ? "-" : c.name).optional();
      row.text("NODE", cluster_.text(cluster_.pod(pod.pod).spec.node_name)).optional().key("node");
      row.number(fmt::format("PREEMPTED BY (OF {})", preempt_),
                 fmt::format("{}{}", pod.certain ? "" : "up to ", pod.times));
      row.text("BY", [&] { return joined(names(), ", "); })
          .only_wide()
          .optional()
          .key("takenBy", names)
          .key("certain", pod.certain);
    };
  }

  [[nodiscard]] auto preemptors_of(const AtRisk& pod) const -> std::vector<std::string> {
    std::vector<std::size_t> all;
    for (const std::uint32_t first : pod.by) {
      const std::vector<std::size_t>& alike = f_.alike.at(first);
      all.insert(all.end(), alike.begin(), alike.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::string> names;
    for (const std::size_t i : all) names.push_back(f_.answers[i].subject_name);
    return names;
  }

  [[nodiscard]] auto at_risk(bool show_all) const -> Table {
    constexpr std::size_t kShown = 20;
    const std::span pods(f_.at_risk);
    const bool folded = !show_all && pods.size() > kShown;
    Table table = table_of(folded ? pods.first(kShown) : pods, risk_row());
    if (folded)
      table.footer.push_back(folded_line(fmt::format("+ {} more", counted(pods.size() - kShown, "pod", "pods")),
                                         Tone::dim, " (--show all)"));
    return table;
  }

  static auto class_json(const ClassOfPods& c) -> Json {
    Json json = Json::object();
    if (!c.name.empty()) json["class"] = c.name;
    json["priority"] = c.priority;
    return json;
  }

  [[nodiscard]] auto data() const -> Json {
    Json out = provenance_.document("FleetReport");
    out["summary"] = sentence();
    for (const char* list : {"preemptors", "atRisk", "pending", "assumptions"}) out[list] = Json::array();
    for (const Preemptors& p : f_.preemptors) out["preemptors"].push_back(preemptors_json(p));
    out["atRisk"] = list_of(f_.at_risk, risk_row(), context_.extent);
    for (const Answer& answer : f_.answers) out["pending"].push_back(pending_json(answer));
    // The form from before `completeness` existed.
    for (const Gap& gap : provenance_.gaps()) out["assumptions"].push_back(gap_in_one(gap));
    return out;
  }

  [[nodiscard]] auto preemptors_json(const Preemptors& p) const -> Json {
    Json json = class_json(p.who);
    if (f_.by_scheduler) json["schedulerNames"] = p.schedulers;
    json["neverPreempts"] = !p.never.empty();
    if (!p.new_pods.empty()) json["newPods"] = p.new_pods;
    json["pending"] = p.pending.size();
    json["blastRadius"] = object_of(p, [&](Row& row, const Preemptors& of) { blast_row(row, of); });
    json["reach"] = Json::array();
    for (std::size_t i = 0; i < p.reach.size(); ++i) {
      const Reach& reach = p.reach[i];
      Json each = class_json(f_.victims[i].first);
      const std::size_t pods = f_.victims[i].second;
      each["pods"] = pods;
      each["takeableNow"] = reach.lower && p.never.empty() ? pods - reach.protected_now : 0;
      each["tolerating"] = reach.protected_now;
      if (reach.until != Instant{}) each["lastUntil"] = format_instant(reach.until);
      each["someForever"] = reach.forever;
      json["reach"].push_back(std::move(each));
    }
    return json;
  }

  [[nodiscard]] auto pending_json(const Answer& answer) const -> Json {
    Json json = {{"pod", answer.subject_name}, {"outcome", outcome_name(answer.outcome)}};
    json.update(class_json(class_of(cluster_, answer.subject)));
    if (!answer.node.empty()) json["node"] = answer.node;
    json["victims"] = Json::array();
    for (const Victim& v : answer.victims) json["victims"].push_back(cluster_.key(v.pod));
    return json;
  }

  const Fleet& f_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  Provenance provenance_;
  std::size_t preempt_ = 0;
};

}  // namespace

auto fleet(const Engine& engine, const Snapshot& cluster, const Question& question, bool keeps_victims)
    -> Result<Fleet> {
  return Survey(engine, cluster, question, keeps_victims).run();
}

auto fleet_report(const Fleet& fleet, const ReportContext& context) -> Report {
  return FleetReport(fleet, context).run();
}

}  // namespace previct
