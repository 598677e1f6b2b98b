#include "analysis/queue_fleet.h"

#include "analysis/parts.h"
#include "analysis/queue_protection_report.h"
#include "analysis/subject.h"
#include "base/contains.h"
#include "base/text.h"
#include "engine/down_scheduler.h"
#include "engine/required_kind.h"
#include "report/rows.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace previct {
namespace {

constexpr std::size_t kQueuesShown = 12;  // rows and columns of the matrix in text
constexpr std::size_t kRowsShown = 20;    // rows of the other tables
constexpr std::size_t kReasonsShown = 4;

// Evaluates each pending pod of this engine separately.
auto ask_each(const Engine& engine, const Snapshot& cluster, const Question& question, QueueFleet& fleet)
    -> Result<void> {
  for (const Subject& subject : pending_subjects(cluster, question.ns)) {
    const auto queue = fleet.queue_of.find(subject.pod);
    if (queue == fleet.queue_of.end()) continue;
    Question asked = question;
    asked.ns = subject.ns;
    asked.name = subject.name;
    asked.brief = true;
    PREVICT_TRY(Verdict verdict, engine.decide(cluster, asked));
    verdict.account = nullptr;
    add_gaps(verdict.gaps, fleet.gaps);
    QueueAsk& ask = fleet.pending.emplace_back();
    ask.who = cluster.key(subject.pod);
    ask.queue = queue->second;
    ask.outcome = verdict.outcome;
    ask.victims = possible_victims(verdict);
    ask.certain = certain_victims(verdict);
    ask.most = most_victims(verdict);
    static_cast<Verdict&>(fleet.answers.emplace_back()) = std::move(verdict);
  }
  return {};
}

// Decides the pods of this engine that its queues do not list: their queue does not exist, or they have no group yet.
// Those of Kueue belong to workloads.
void ask_others(const Engine& engine, const Snapshot& cluster, const Question& question, QueueFleet& fleet) {
  for (const Outcome outcome : fleet.without_queue) ++fleet.others[outcome];
  if (!fleet.without_queue.empty()) return;
  constexpr std::size_t kMost = 20;
  std::vector<Subject> others;
  for (const Subject& subject : pending_subjects(cluster, question.ns)) {
    if (engine_of(engines(), cluster, subject.pod) != &engine || fleet.queue_of.contains(subject.pod)) continue;
    others.push_back(subject);
  }
  if (others.size() > kMost) return;
  for (const Subject& subject : others) {
    Question asked = question;
    asked.ns = subject.ns;
    asked.name = subject.name;
    asked.brief = true;
    const auto verdict = engine.decide(cluster, asked);
    ++fleet.others[verdict ? verdict->outcome : Outcome::unknown];
  }
}

// The answer for a group, with only the fields that conditions read.
auto answer_of(const QueueAsk& ask, std::string_view engine) -> Answer {
  Answer answer;
  answer.engine = engine;
  answer.subject_name = ask.who;
  answer.outcome = ask.outcome;
  for (const PodId victim : ask.victims) answer.victims.push_back({victim, {}, contains(ask.certain, victim)});
  return answer;
}

class QueueFleetReport {
 public:
  QueueFleetReport(const QueueFleet& fleet, const ReportContext& context)
      : f_(fleet), context_(context), cluster_(context.cluster), provenance_(context, fleet) {
    for (std::size_t i = 0; i < f_.pending.size(); ++i) {
      const QueueAsk& ask = f_.pending[i];
      if (ask.outcome != Outcome::preempts) continue;
      ++preempt_;
      for (const PodId victim : ask.victims) taken_[victim].push_back(i);
      certain_.insert(ask.certain.begin(), ask.certain.end());
      for (const auto& [name, line] : ask.evicted) evicted_.insert(name);
    }
    for (const PodId pod : f_.of_stale_gangs) {
      taken_.try_emplace(pod);
      certain_.insert(pod);
    }
    for (std::size_t i = 0; i < f_.leaves.size(); ++i) {
      if (line(i).running > 0) columns_.push_back(i);
    }
    rows_.resize(f_.leaves.size());
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    // Queues with most pending pods come first, and columns with most victims.
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](std::size_t a, std::size_t b) { return line(a).pending > line(b).pending; });
    std::stable_sort(columns_.begin(), columns_.end(),
                     [&](std::size_t a, std::size_t b) { return most_taken(a) > most_taken(b); });
    for (const auto& [pod, by] : taken_) at_risk_.push_back(pod);
    std::sort(at_risk_.begin(), at_risk_.end(), [&](PodId a, PodId b) {
      return std::tuple(-std::ptrdiff_t(taken_.at(a).size()), cluster_.key(a)) <
             std::tuple(-std::ptrdiff_t(taken_.at(b).size()), cluster_.key(b));
    });
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), f_.refused.empty() ? Tone::verdict : Tone::danger}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (!columns_.empty()) {
      report.blocks.emplace_back(
          with_full(context_.show_all, context_.keeps_full, [&](bool all) { return matrix(all); }));
    }
    if (Table table = not_yet(); !table.rows.empty()) report.blocks.emplace_back(std::move(table));
    if (auto lengths = lengths_between(); lengths) report.blocks.emplace_back(*std::move(lengths));
    for (Picture& picture : queue_pictures(f_)) report.blocks.emplace_back(std::move(picture));
    report.blocks.emplace_back(folded(queue_table(f_), "queue"));
    if (!f_.pending.empty()) report.blocks.emplace_back(blast());
    if (!at_risk_.empty()) report.blocks.emplace_back(at_risk());
    if (Paragraph notes = remarks(); !notes.lines.empty()) report.blocks.emplace_back(std::move(notes));
    report.data = data();
    for (const PodId pod : at_risk_) report.names.push_back(cluster_.key(pod));
    return report;
  }

 private:
  [[nodiscard]] auto line(std::size_t leaf) const -> const QueueLine& { return f_.lines[f_.leaves[leaf]]; }
  [[nodiscard]] auto most_taken(std::size_t of) const -> std::size_t {
    std::size_t most = 0;
    for (std::size_t by = 0; by < f_.leaves.size(); ++by) {
      if (f_.reach[by][of].asked) most = std::max(most, f_.reach[by][of].now);
    }
    return most;
  }

  [[nodiscard]] auto decided_together() const -> bool { return f_.asks.has_value(); }

  [[nodiscard]] auto sentence() const -> std::string {
    return what_happens() + stale_gangs() + left_out_words(f_.left_out);
  }

  // ` 3 pods of stale gangs are evicted for no other pod.`
  [[nodiscard]] auto stale_gangs() const -> std::string {
    if (f_.of_stale_gangs.empty()) return {};
    return fmt::format(" {} evicted for no other pod.",
                       counted(f_.of_stale_gangs.size(), "pod of a stale gang is", "pods of stale gangs are"));
  }

  [[nodiscard]] auto what_happens() const -> std::string {
    if (!f_.refused.empty()) return fmt::format("every pending {} {}", f_.asks_noun, f_.refused);
    const std::string queues = counted(f_.leaves.size(), "leaf queue", "leaf queues");
    if (f_.pending.empty()) return nothing_asked(queues);
    const std::string one = "pending " + f_.asks_noun;
    const std::string who = counted(f_.pending.size(), one, one + "s");
    const auto open = std::count_if(f_.pending.begin(), f_.pending.end(),
                                    [](const QueueAsk& ask) { return ask.outcome == Outcome::unknown; });
    if (open == static_cast<std::ptrdiff_t>(f_.pending.size()))
      return fmt::format("{}; previct cannot tell which pods {} would evict.", queues, who) + others_in_words();
    std::string text = fmt::format("{}; {} of {} would evict pods, {}; {} at risk{}.", queues, preempt_, who,
                                   decided_together() ? "all decided in one cycle" : "each evaluated separately",
                                   who_is_at_risk(), certainty());
    if (open > 0) text += fmt::format(" For {} of them, previct cannot tell.", open);
    return text + others_in_words();
  }

  [[nodiscard]] auto others_in_words() const -> std::string {
    const std::string others = other_pods();
    return others.empty() ? others : fmt::format(" {}.", others);
  }

  // `3 running pods are`, `2 workloads with 3 running pods are`
  [[nodiscard]] auto who_is_at_risk() const -> std::string {
    if (evicted_.empty()) return counted(at_risk_.size(), "running pod is", "running pods are");
    return fmt::format("{} with {} {}", counted(evicted_.size(), f_.asks_noun, f_.asks_noun + "s"),
                       counted(at_risk_.size(), "running pod", "running pods"), evicted_.size() == 1 ? "is" : "are");
  }

  // `, 2 of them for certain`
  [[nodiscard]] auto certainty() const -> std::string {
    if (certain_.size() == at_risk_.size()) return {};
    return fmt::format(", {} of them for certain", certain_.empty() ? "none" : std::to_string(certain_.size()));
  }

  // `2 more pending pods, in no group of these queues: 1 fits, 1 stays pending`
  [[nodiscard]] auto other_pods() const -> std::string {
    std::size_t fit = 0;
    std::size_t evict = 0;
    std::size_t open = 0;
    std::size_t stay = 0;
    for (const auto& [outcome, count] : f_.others) {
      switch (outcome) {
        case Outcome::fits: fit += count; break;
        case Outcome::preempts: evict += count; break;
        case Outcome::unknown: open += count; break;
        default: stay += count; break;
      }
    }
    std::vector<std::string> parts;
    if (fit > 0) parts.push_back(counted(fit, "fits", "fit"));
    if (evict > 0) parts.push_back(fmt::format("{} would evict pods", evict));
    if (stay > 0) parts.push_back(counted(stay, "stays pending", "stay pending"));
    if (open > 0) parts.push_back(fmt::format("previct cannot tell for {}", open));
    if (parts.empty()) return {};
    const std::string one = f_.without_queue.empty() ? "more pending pod" : "more pending " + f_.asks_noun;
    return fmt::format("{}, in no{} these queues: {}", counted(fit + evict + stay + open, one, one + "s"),
                       f_.without_queue.empty() ? " group of" : "ne of", joined(parts, ", "));
  }

  // Pending pods that were not evaluated: those of other schedulers, and those without a known queue or group.
  [[nodiscard]] auto nothing_asked(std::string_view queues) const -> std::string {
    const std::string where = f_.ns.empty() ? "" : " in namespace " + f_.ns;
    const std::string_view whose = f_.scheduler;
    std::size_t own = 0;
    std::size_t bound = 0;  // listed in a queue, without gates, and nothing to decide: on their way to a node
    for (const Subject& subject : pending_subjects(cluster_, f_.ns)) {
      const Engine* const engine = engine_of(engines(), cluster_, subject.pod);
      if (engine == nullptr || engine->name() != f_.engine) continue;
      const bool is_bound =
          f_.queue_of.contains(subject.pod) && cluster_.pod(subject.pod).spec.scheduling_gates.empty();
      ++(is_bound ? bound : own);
    }
    if (const std::string told = other_pods(); !told.empty() && !(f_.leaves.empty() && f_.without_queue.empty()))
      return fmt::format("{}; {}.", f_.leaves.empty() ? std::string_view("the input has no queues") : queues, told);
    if (own > 0) {
      return fmt::format("{}; the decisions for {} of {}{} are not known.",
                         f_.leaves.empty() ? "the input has no queues" : queues,
                         counted(own, "pending pod", "pending pods"), whose, where);
    }
    if (bound > 0) {
      return fmt::format("{}; {} being bound, and no {} waits for a decision.", queues,
                         counted(bound, "pending pod is", "pending pods are"), f_.asks_noun);
    }
    const Engine* const engine = find_engine(f_.engine);
    if (const KindInfo& asked = *engine->needs().front().kind; lacks(cluster_.objects(), asked)) {
      return fmt::format("{}; the input has no {}, so it is not known which are pending or at risk.",
                         f_.leaves.empty() ? "the input has no queues" : queues, asked.plural);
    }
    if (f_.leaves.empty()) {
      return fmt::format("the input has no queues, and no pending pod of {}{}.", whose, where);
    }
    if (!f_.left_out.empty()) return fmt::format("{}; {} has no pending pod{}.", queues, whose, where);
    const std::string_view risk = f_.of_stale_gangs.empty() ? ": no pod is at risk now" : "";
    return fmt::format("{}; no pod is pending{}{}.", queues, where, risk);
  }

  // ---- which queue may evict pods of which
  static auto cell(const QueueReach& reach) -> Span {
    if (reach.now + reach.later == 0) return {"-"};
    const std::string text =
        reach.now == reach.pods ? fmt::format("{}", reach.now) : fmt::format("{}/{}", reach.now, reach.pods);
    const auto heat = reach.now == 0 ? std::size_t{0} : 1 + (kHottest - 1) * reach.now / reach.pods;
    return {text, reach.now == 0 ? Tone::safe : Tone::plain, static_cast<std::uint8_t>(heat)};
  }

  [[nodiscard]] auto matrix(bool show_all) const -> Table {
    const auto shown = [&](std::size_t all) { return show_all ? all : std::min(all, kQueuesShown); };
    const auto columns = std::span(columns_).first(shown(columns_.size()));
    bool untold = false;
    const QueueReach* example = nullptr;
    Table table = table_of(std::span(rows_).first(shown(rows_.size())), [&](Row& row, std::size_t by) {
      untold = untold || !f_.reach[by].front().asked;
      const std::string pending = line(by).pending == 0 ? "" : fmt::format(", {} pending", line(by).pending);
      row.text(fmt::format("ROWS MAY {} COLUMNS", upper(f_.others_verb)), line(by).name + pending);
      for (const std::size_t of : columns) {
        const QueueReach& reach = f_.reach[by][of];
        row.number(line(of).name, cell(reach));
        if (example == nullptr && reach.later > 0) example = &reach;
      }
    });
    const auto say = [&](std::string text) { table.footer.push_back({{{std::move(text), Tone::dim}}}); };
    if (const std::size_t more = (rows_.size() - table.rows.size()) + (columns_.size() - columns.size()); more > 0)
      table.footer.push_back(folded_line(fmt::format("+ {} more rows and columns", more), Tone::dim, " (--show all)"));
    if (example != nullptr) {
      say(fmt::format("{}/{}: {} of {} can be evicted now, {} more from {} on", example->now, example->pods,
                      example->now, counted(example->pods, "pod", "pods"), example->later,
                      first_to_last(example->first, example->last)));
    }
    if (f_.others_verb != "preempt") say("a queue against itself: preempt, from groups of lower priority");
    if (untold) {
      say(fmt::format(
          "rows without pending pods show what holds for any pod of the queue, regardless of {} and priorities",
          f_.quota_word == "quota"        ? "shares"
          : f_.quota_word == "guaranteed" ? "guaranteed shares of the row"
                                          : fmt::format("the {} of the row", f_.quota_word)));
    }
    for (std::string& reason : reasons(show_all)) say(std::move(reason));
    return table;
  }

  // `- : its queue is within its guaranteed share (4 pairs of queues)`
  [[nodiscard]] auto reasons(bool show_all) const -> std::vector<std::string> {
    std::map<std::string_view, std::size_t> counts;
    for (const std::size_t by : rows_) {
      for (const std::size_t of : columns_) {
        const QueueReach& reach = f_.reach[by][of];
        if (reach.now + reach.later == 0 && !reach.rule.empty()) ++counts[reach.rule];
      }
    }
    std::vector<std::pair<std::size_t, std::string_view>> order;
    for (const auto& [rule, count] : counts) order.emplace_back(count, rule);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> lines;
    for (const auto& [count, rule] : order) {
      if (lines.size() == kReasonsShown && !show_all) break;
      lines.push_back(fmt::format("-: {} ({})", words_of(rule), counted(count, "pair of queues", "pairs of queues")));
    }
    return lines;
  }

  [[nodiscard]] auto words_of(std::string_view rule) const -> std::string {
    const auto words = f_.why.find(rule);
    return words == f_.why.end() ? std::string(rule) : words->second;
  }

  [[nodiscard]] auto first_to_last(Instant first, Instant last) const -> std::string {
    const std::string from = format_clock(first, context_.now);
    return first == last ? from : fmt::format("{} (the last: {})", from, format_clock(last, context_.now));
  }

  // ---- reclaims that become possible later
  [[nodiscard]] auto not_yet() const -> Table {
    struct Pair {
      std::size_t by;
      std::size_t of;
    };
    std::vector<Pair> pairs;
    for (const std::size_t by : rows_) {
      for (const std::size_t of : columns_) {
        if (f_.reach[by][of].later > 0) pairs.push_back({by, of});
      }
    }
    std::stable_sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
      return f_.reach[a.by][a.of].first < f_.reach[b.by][b.of].first;
    });
    Table table = table_of(pairs, [&](Row& row, const Pair& pair) {
      const QueueReach& reach = f_.reach[pair.by][pair.of];
      const bool soon = seconds_between(context_.now, reach.first) < kSoon;
      row.text("NOT YET: PODS OF", line(pair.of).name, Tone::safe);
      row.text("BY", line(pair.by).name);
      row.number("PODS", reach.later);
      row.text("FIRST FROM", format_moment(reach.first, context_.now), soon ? Tone::soon : Tone::safe);
      row.text("LAST FROM", format_clock(reach.last, context_.now)).optional();
      row.text("WHY", words_of(reach.rule));
    });
    return folded(std::move(table), "pair of queues", "pairs of queues");
  }

  // ---- lengths of protection, from the start of a pod
  [[nodiscard]] auto lengths_between() const -> std::optional<Table> {
    if (!f_.protections) return {};
    const std::vector<QueueProtection>& rows = f_.protections->rows;
    if (std::none_of(rows.begin(), rows.end(), [](const QueueProtection& row) { return row.nanos > 0; })) return {};
    return queue_protection_matrix(*f_.protections,
                                   fmt::format("{}: VICTIM \\ PREEMPTOR", upper(f_.protections->setting)));
  }

  // ---- effect of the pending pods
  [[nodiscard]] auto blast() const -> Table {
    struct Blast {
      std::size_t pending = 0;
      std::size_t fit = 0;
      std::size_t evict = 0;
      std::size_t stay = 0;
      std::size_t open = 0;
      std::set<PodId> victims;
      std::set<PodId> certain;
      std::size_t most = 0;  // victims of the subjects whose victims are not certain
      std::set<std::string> evicted;
      std::set<std::string> queues;
    };
    std::map<std::size_t, Blast> by_queue;
    for (const QueueAsk& ask : f_.pending) {
      Blast& b = by_queue[ask.queue];
      ++b.pending;
      switch (ask.outcome) {
        case Outcome::fits: ++b.fit; break;
        case Outcome::preempts: ++b.evict; break;
        case Outcome::unknown: ++b.open; break;
        default: ++b.stay; break;
      }
      b.certain.insert(ask.certain.begin(), ask.certain.end());
      if (ask.certain.size() != ask.victims.size()) b.most += ask.most;
      for (const auto& [name, line] : ask.evicted) {
        b.evicted.insert(name);
        b.queues.insert(f_.lines[line].name);
      }
      for (const PodId victim : ask.victims) {
        b.victims.insert(victim);
        const auto queue = f_.queue_of.find(victim);
        if (queue != f_.queue_of.end()) b.queues.insert(f_.lines[queue->second].name);
      }
    }
    std::vector<std::pair<std::size_t, const Blast*>> order;
    for (const auto& [queue, b] : by_queue) order.emplace_back(queue, &b);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second->victims.size() > b.second->victims.size(); });
    std::size_t open = 0;
    Table table = table_of(order, [&](Row& row, const std::pair<std::size_t, const Blast*>& of) {
      const Blast& b = *of.second;
      open += b.open;
      row.text("BLAST RADIUS OF", f_.lines[of.first].name);
      row.number(fmt::format("PENDING {}S", upper(f_.asks_noun)), b.pending);
      row.number("FIT", b.fit);
      row.number("STAY PENDING", b.stay).optional();
      row.number("EVICT OTHERS", b.evict);
      if (!evicted_.empty()) row.number(fmt::format("{}S", upper(f_.asks_noun)), b.evicted.size());
      const bool open_choice = b.certain.size() != b.victims.size();
      const std::size_t most = open_choice ? std::min(b.victims.size(), b.certain.size() + b.most) : b.victims.size();
      row.number("VICTIMS", {fmt::format("{}{}", open_choice ? "up to " : "", most),
                             b.victims.empty() ? Tone::plain : Tone::danger});
      row.text("OF QUEUES", b.queues.empty() ? "-" : joined({b.queues.begin(), b.queues.end()}, ", "));
    });
    if (open > 0) {
      table.footer.push_back({{{fmt::format("{} more: cannot tell (previct explain says why)", open), Tone::soon}}});
    }
    return folded(std::move(table), "queue");
  }

  [[nodiscard]] auto risk_row() const {
    return [this](Row& row, PodId pod) {
      const auto queue = f_.queue_of.find(pod);
      const std::string name = queue == f_.queue_of.end() ? "" : f_.lines[queue->second].name;
      std::vector<std::string> by;
      for (const std::size_t i : taken_.at(pod)) by.push_back(f_.pending[i].who);
      row.text("MOST AT RISK", cluster_.key(pod), Tone::danger).key("pod");
      row.text("QUEUE", or_dash(name)).key("queue", present(name));
      row.number("PRIORITY", priority_of(cluster_, pod)).optional();
      row.text("NODE", or_dash(node_name(cluster_, pod))).optional().key("node", node_name(cluster_, pod));
      const bool certain = certain_.contains(pod);
      row.text("EVICTED FOR", by.empty() ? "no pod: its gang is stale"
                                         : fmt::format("{}{}{}", by.front(),
                                                       by.size() == 1 ? "" : fmt::format(" and {} more", by.size() - 1),
                                                       certain ? "" : " (not in every possible outcome)"));
      row.key("takenBy", by).key("certain", certain);
    };
  }

  [[nodiscard]] auto at_risk() const -> Table { return folded(table_of(at_risk_, risk_row()), "pod", "pods"); }

  [[nodiscard]] auto remarks() const -> Paragraph {
    Paragraph out;
    for (const std::string& note : f_.notes) out.lines.push_back({{{note, Tone::dim}}});
    return out;
  }

  [[nodiscard]] auto folded(Table table, std::string_view one, std::string_view many = "queues") const -> Table {
    if (context_.show_all || table.rows.size() <= kRowsShown) return table;
    const std::size_t more = table.rows.size() - kRowsShown;
    if (context_.keeps_full) table.full.push_back(table);
    table.rows.resize(kRowsShown);
    table.footer.push_back(
        folded_line(fmt::format("+ {} more {}", more, more == 1 ? one : many), Tone::dim, " (--show all)"));
    return table;
  }

  static auto upper(std::string text) -> std::string {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
  }

  // ---- JSON; an absent key means without end, or that the scheduler has no such property
  [[nodiscard]] auto data() const -> Json {
    Json out = provenance_.document("QueueFleetReport");
    out["summary"] = sentence();
    for (const char* list : {"queues", "reach", "pending", "atRisk"}) out[list] = Json::array();
    std::vector<std::string> path;
    for (const QueueLine& queue : f_.lines) {
      path.resize(queue.depth);
      Json json = {{"queue", queue.name}};
      if (!path.empty()) json["parent"] = path.back();
      json["leaf"] = queue.leaf;
      json["runningPods"] = queue.running;
      json["pendingPods"] = queue.pending;
      json["resources"] = resources_json(queue);
      out["queues"].push_back(std::move(json));
      path.push_back(queue.name);
    }
    for (std::size_t by = 0; by < f_.leaves.size(); ++by) {
      for (std::size_t of = 0; of < f_.leaves.size(); ++of) {
        if (f_.reach[by][of].pods > 0) out["reach"].push_back(reach_json(by, of));
      }
    }
    for (const QueueAsk& ask : f_.pending) {
      Json json = {{f_.asks_noun == "group" ? "podGroup" : f_.asks_noun, ask.who},
                   {"queue", f_.lines[ask.queue].name},
                   {"pods", ask.pods},
                   {"outcome", outcome_name(ask.outcome)},
                   {"victims", Json::array()}};
      for (const PodId victim : ask.victims) json["victims"].push_back(cluster_.key(victim));
      if (!ask.evicted.empty()) json["evicted"] = Json::array();
      for (const auto& [name, line] : ask.evicted) json["evicted"].push_back(name);
      out["pending"].push_back(std::move(json));
    }
    out["atRisk"] = list_of(at_risk_, risk_row());
    if (f_.protections) {
      out["protections"] = Json::array();
      for (const QueueProtection& row : f_.protections->rows) out["protections"].push_back(queue_protection_json(row));
    }
    return out;
  }

  [[nodiscard]] auto reach_json(std::size_t by, std::size_t of) const -> Json {
    const QueueReach& reach = f_.reach[by][of];
    Json json = {{"by", line(by).name}, {"of", line(of).name},      {"forPendingPods", reach.asked},
                 {"pods", reach.pods},  {"takeableNow", reach.now}, {"takeableLater", reach.later}};
    if (reach.later > 0) {
      json["firstFrom"] = format_instant(reach.first);
      json["lastFrom"] = format_instant(reach.last);
    }
    if (!reach.rule.empty()) json["rule"] = reach.rule;
    return json;
  }

  const QueueFleet& f_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  Provenance provenance_;
  std::size_t preempt_ = 0;
  std::map<PodId, std::vector<std::size_t>> taken_;  // indices into f_.pending
  std::set<std::string> evicted_;
  std::set<PodId> certain_;  // of those, the victims in every possible result
  std::vector<PodId> at_risk_;
  std::vector<std::size_t> rows_;     // indices into f_.leaves
  std::vector<std::size_t> columns_;  // the leaves with running pods
};

}  // namespace

auto queue_fleet(const Engine& engine, const Snapshot& cluster, const Question& question) -> Result<QueueFleet> {
  QueueFleet fleet;
  PREVICT_TRY(static_cast<Queues&>(fleet), queues(engine, cluster, question));
  fleet.ns = question.ns;
  if (fleet.leaves.size() <= kMostLeafQueuesInPairs) {
    PREVICT_TRY(fleet.protections, queue_protections(engine, cluster, question, {}));
  }
  if (fleet.asks) {
    fleet.pending = *fleet.asks;
    for (const QueueAsk& ask : fleet.pending) fleet.answers.push_back(answer_of(ask, fleet.engine));
    ask_others(engine, cluster, question, fleet);
  } else {
    PREVICT_CHECK(ask_each(engine, cluster, question, fleet));
  }
  Verdict any;
  any.outcome = Outcome::pending;
  add_scheduler_gap(cluster, engine.name(), any);
  if (!fleet.pending.empty()) add_gaps(any.gaps, fleet.gaps);
  fleet.left_out = pending_of_others(engine, cluster, question.ns);
  add_gaps(fleet.left_out, fleet.gaps);
  return fleet;
}

auto queue_fleet_report(const QueueFleet& fleet, const ReportContext& context) -> Report {
  return QueueFleetReport(fleet, context).run();
}

}  // namespace previct
