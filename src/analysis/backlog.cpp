#include "analysis/backlog.h"

#include "analysis/explanation.h"
#include "analysis/parts.h"
#include "analysis/source_locations.h"
#include "analysis/subject.h"
#include "analysis/victims.h"
#include "base/text.h"
#include "engine/required_kind.h"
#include "report/rows.h"
#include "tell/cause_counts.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace previct {
namespace {

class BacklogReport {
 public:
  BacklogReport(const Backlog& backlog, const ReportContext& context)
      : backlog_(backlog),
        answers_(backlog.answers),
        in_turn_(backlog.in_turn),
        left_pending_(backlog.left_pending),
        not_placed_(backlog.not_placed),
        unanswered_(backlog.unanswered),
        context_(context),
        cluster_(context.cluster) {
    played_ = std::any_of(in_turn_.begin(), in_turn_.end(), [](const auto& each) { return each.has_value(); });
    order_.resize(answers_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (!played_) return;
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return before(a, b); });
  }

  [[nodiscard]] auto headline(std::string_view where) const -> std::string {
    if (answers_.empty() && lacks(cluster_.objects(), kinds::pods)) {
      return fmt::format("{}.", kWithoutPods);
    }
    if (const Engine* const engine = answers_.empty() ? engine_without_subjects(cluster_) : nullptr)
      return fmt::format("the input has no {}, so it is not known which are pending.",
                         engine->needs().front().kind->plural);
    if (answers_.empty()) return fmt::format("0 pending {} {}: nothing to explain.", backlog_.kinds, where);
    const std::string kind = kind_asked();
    std::string pods = counted(answers_.size(), "pending " + kind, fmt::format("pending {}s", kind));
    if (unanswered_ > 0) {
      pods = fmt::format("{} of {} pending {}s ({} not explained; see the warnings)", answers_.size(),
                         answers_.size() + unanswered_, kind, counted(unanswered_, "is", "are"));
    }
    if (!played_) {
      const auto playable = std::count_if(answers_.begin(), answers_.end(), [](const Answer& answer) {
        const Engine* const engine = find_engine(answer.engine);
        return engine != nullptr && engine->preempts_by_priority_class();
      });
      const bool too_many = static_cast<std::size_t>(playable) > kMostInTurn;
      const bool by_one = std::all_of(answers_.begin(), answers_.end(),
                                      [&](const Answer& answer) { return answer.engine == answers_.front().engine; });
      const std::string_view together =
          by_one ? teller_of(answers_.front().engine)->how_it_decides() : std::string_view();
      const std::string how =
          !together.empty() ? std::string(together)
          : too_many        ? fmt::format(
                                  "each as if it were alone (they are more than {}; previct sequence simulates them in order)",
                                  kMostInTurn)
                     : std::string("each as if it were alone");
      return fmt::format("{}, {}: {}{}.", pods, how, outcomes(), without_nodes());
    }
    const Totals all = totals();
    std::vector<std::string> parts;
    if (all.enter > 0) parts.push_back(counted(all.enter, "fits", "fit"));
    if (all.preempt > 0) {
      parts.push_back(
          fmt::format("{} {}", counted(all.preempt, "preempts", "preempt"), counted(all.victims, "pod", "pods")));
    }
    if (all.wait > 0) parts.push_back(counted(all.wait, "waits for terminating pods", "wait for terminating pods"));
    if (all.evicted > 0)
      parts.push_back(fmt::format("{} and evicted again", counted(all.evicted, "is scheduled", "are scheduled")));
    if (all.in_vain > 0)
      parts.push_back(fmt::format("{} {} and {} pending", counted(all.in_vain, "evicts", "evict"),
                                  counted(all.victims_in_vain, "pod", "pods"), all.in_vain == 1 ? "stays" : "stay"));
    if (all.stay > 0) parts.push_back(counted(all.stay, "stays pending", "stay pending") + causes());
    const auto open = std::count_if(answers_.begin(), answers_.end(),
                                    [](const Answer& answer) { return answer.outcome == Outcome::unknown; }) +
                      static_cast<std::ptrdiff_t>(all.unknown);
    if (open > 0) parts.push_back(fmt::format("previct cannot tell for {}{}", open, doubts()));
    return fmt::format("{}, scheduled in queue order: {}.", pods, joined(parts, ", "));
  }

  // The kind that all answers are about: `pod`, `workload`; `object` if there are several.
  [[nodiscard]] auto kind_asked() const -> std::string {
    std::string kind;
    for (const Answer& answer : answers_) {
      const std::string of = answer.subject ? "pod" : answer.subject_name.substr(0, answer.subject_name.find('/'));
      if (!kind.empty() && kind != of) return "object";
      kind = of;
    }
    return kind.empty() ? "pod" : kind;
  }

  [[nodiscard]] auto table(bool show_all) const -> Table {
    const auto all = groups(show_all);
    const std::string shared = shared_doubt(all);
    const std::string kind = kind_asked();
    Table table = table_of(all, [&](Row& row, const std::vector<std::size_t>& group) {
      const Answer& first = answers_[group.front()];
      const bool is_below = !shared.empty() && doubt_words(first) == shared;
      const bool is_pod = static_cast<bool>(first.subject);
      row.text(kind == "pod" ? "POD" : "SUBJECT", names(group));
      row.number("PRIORITY", is_pod ? priority_of(cluster_, first.subject) : "-").optional();
      row.text("CLASS", is_pod ? or_dash(priority_class_of(cluster_, first.subject)) : "-").optional();
      row.text("OUTCOME", {outcome_name(first.outcome), Tone::verdict}).only_wide(played_);
      row.text("ENGINE", first.engine).only_wide().optional();
      if (played_) row.text("IN QUEUE ORDER", in_turn_words(group));
      row.text(played_ ? "ALONE" : "VERDICT",
               (is_below ? sentence_with_mark(first, "*") : first.sentence) + then(group.front()));
    });
    if (not_placed_ > 0) {
      table.footer.push_back(
          {{{fmt::format("whether the pods of {} get nodes is not evaluated in a list of so many pods",
                         counted(not_placed_, "workload", "workloads")),
             Tone::dim}}});
    }
    if (!shared.empty()) table.footer.push_back({{{"*: because " + shared, Tone::dim}}});
    if (played_ && is_open()) {
      table.footer.push_back(
          {{{"one possible result: tied nodes, or a sample of the nodes, may change it; previct sequence lists the "
             "others",
             Tone::dim}}});
    }
    if (played_ && victims_open()) {
      table.footer.push_back(
          {{{"the scheduler may evict any of several equal pods; one choice is simulated", Tone::dim}}});
    }
    if (played_ && order_open()) {
      table.footer.push_back(
          {{{"pods of equal priority are scheduled by creation time, then by name; the scheduler takes them in the "
             "order in which they were queued",
             Tone::dim}}});
    }
    return table;
  }

  // Returns true if the outcome contains a choice that the scheduler makes at random.
  [[nodiscard]] auto is_open() const -> bool {
    const auto may_get_another = [](const std::optional<SimulatedOutcome>& turn) {
      return turn && turn->way == SimulatedOutcome::Way::enters && turn->node.empty();
    };
    if (std::any_of(in_turn_.begin(), in_turn_.end(), may_get_another)) return true;
    return std::any_of(answers_.begin(), answers_.end(), [](const Answer& answer) {
      return answer.odds.has_value() || answer.orders.has_value() ||
             (answer.outcome != Outcome::unknown && answer.tied.size() > 1);
    });
  }

  [[nodiscard]] auto victims_open() const -> bool {
    return std::any_of(in_turn_.begin(), in_turn_.end(),
                       [](const auto& turn) { return turn && !turn->open.taken.empty(); });
  }

  // Returns true if pods of one priority are pending. They are ordered by their arrival in the scheduler's queue, which
  // no input shows: any of them may be first, and may get what another one gets here.
  // Source: kubernetes pkg/scheduler/framework/plugins/queuesort/priority_sort.go; client-go tools/cache/reflector.go
  // watchList, which delivers the initial objects in the order of a map.
  [[nodiscard]] auto order_open() const -> bool {
    std::map<std::int32_t, std::size_t> first;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (!is_simulated(i) || !answers_[i].subject) continue;
      const auto [at, is_new] = first.try_emplace(cluster_.pod(answers_[i].subject).spec.priority, i);
      if (is_new) continue;
      const SimulatedOutcome& one = *in_turn_[at->second];
      const SimulatedOutcome& other = *in_turn_[i];
      if (one.way != other.way || one.victims != other.victims) return true;
    }
    return false;
  }

  [[nodiscard]] auto totals_json() const -> Json {
    const Totals all = totals();
    return {{"pods", answers_.size()},
            {"fit", all.enter},
            {"preempt", all.preempt},
            {"wait", all.wait},
            {"evicted", all.evicted},
            {"stay", all.stay + all.in_vain},
            {"unknown", all.unknown},
            {"victims", all.victims + all.victims_in_vain},
            {"onlyCourse", !is_open() && !order_open() && !victims_open()}};
  }

  [[nodiscard]] auto in_turn_json(std::size_t i) const -> Json {
    const SimulatedOutcome& turn = *in_turn_[i];
    Json json{{"outcome", way_name(turn.way)}};
    set(json, "node", turn.node);
    const bool placed = turn.way == SimulatedOutcome::Way::enters || turn.way == SimulatedOutcome::Way::preempts ||
                        turn.way == SimulatedOutcome::Way::evicted;
    if (placed && turn.waiting.empty()) json["afterSeconds"] = turn.seconds;
    set(json, "waiting", turn.waiting);
    json["victims"] = Json::array();
    for (const PodId victim : turn.victims) json["victims"].push_back(cluster_.key(victim));
    add_choice(
        turn.open, [&](PodId pod) { return cluster_.key(pod); }, json);
    return json;
  }

  [[nodiscard]] auto is_simulated(std::size_t i) const -> bool {
    return i < in_turn_.size() && in_turn_[i].has_value();
  }

 private:
  struct Totals {
    std::size_t enter = 0;
    std::size_t preempt = 0;
    std::size_t wait = 0;
    std::size_t evicted = 0;
    std::size_t in_vain = 0;  // evict pods and stay pending
    std::size_t stay = 0;
    std::size_t unknown = 0;
    std::size_t victims = 0;
    std::size_t victims_in_vain = 0;
  };

  // `; then 1 of its 2 pods gets no node`
  [[nodiscard]] auto then(std::size_t i) const -> std::string {
    return i < left_pending_.size() && !left_pending_[i].empty() ? "; then " + left_pending_[i] : std::string();
  }

  // `; of 2 of them, pods then get no node`
  [[nodiscard]] auto without_nodes() const -> std::string {
    const auto count = std::count_if(left_pending_.begin(), left_pending_.end(),
                                     [](const std::string& each) { return !each.empty(); });
    return count == 0 ? std::string() : fmt::format("; of {} of them, pods then get no node", count);
  }

  // `2 would preempt, 3 stay pending (2: nodes lack cpu; 1: …)`
  [[nodiscard]] auto outcomes() const -> std::string {
    std::map<std::pair<Outcome, std::string_view>, std::vector<const Answer*>> alike;
    for (const Answer& answer : answers_) alike[{answer.outcome, outcome_words(answer, false)}].push_back(&answer);
    std::vector<std::string> parts;
    for (const auto& [key, answers] : alike) {
      const Outcome outcome = key.first;
      const std::size_t count = answers.size();
      std::string part = fmt::format("{} {}", count, outcome_words(*answers.front(), count == 1));
      if (outcome == Outcome::not_eligible) {
        part += not_yet(count);
      } else if (outcome == Outcome::unknown) {
        part += doubts();
      } else {
        CauseCounts because;
        for (const Answer* const answer : answers) because.add(answer->cause.id, answer->cause.words);
        part += in_brackets(because);
      }
      parts.push_back(std::move(part));
    }
    return joined(parts, ", ");
  }

  static auto outcome_words(const Answer& answer, bool one) -> std::string_view {
    const Teller* const teller = teller_of(answer.engine);
    const std::string_view own = teller == nullptr ? "" : teller->outcome_words(answer.outcome, one);
    if (!own.empty()) return own;
    switch (answer.outcome) {
      case Outcome::fits: return one ? "fits" : "fit";
      case Outcome::preempts: return "would preempt";
      case Outcome::pending: return one ? "stays pending" : "stay pending";
      case Outcome::not_eligible: return "may not preempt";
      case Outcome::waits: return one ? "waits for terminating pods" : "wait for terminating pods";
      case Outcome::gated: return one ? "has scheduling gates" : "have scheduling gates";
      case Outcome::deleting: return one ? "is being deleted" : "are being deleted";
      case Outcome::scheduled: return one ? "is scheduled" : "are scheduled";
      case Outcome::error: return one ? "ends in an error" : "end in an error";
      case Outcome::unknown: return "cannot be decided";
    }
    return {};
  }

  // ` yet`, ` (2 of them not yet)`: pods that time alone makes eligible.
  [[nodiscard]] auto not_yet(std::size_t count) const -> std::string {
    const auto later =
        static_cast<std::size_t>(std::count_if(answers_.begin(), answers_.end(), [](const Answer& answer) {
          return answer.outcome == Outcome::not_eligible && !answer.next_change.is_never();
        }));
    if (later == 0) return {};
    return later == count ? " yet" : fmt::format(" ({} of them not yet)", later);
  }

  // ` (the input has no nodes)`, ` (2: the input has no nodes; 1: …)`: what decisions depend on, most frequent first.
  [[nodiscard]] auto doubts() const -> std::string {
    CauseCounts pods;
    for (const Answer& answer : answers_) {
      const Gap* const because = deciding_gap(answer.gaps);
      if (answer.outcome == Outcome::unknown && because != nullptr) pods.add(*because);
    }
    for (const auto& turn : in_turn_) {
      if (turn && turn->unknown) pods.add(*turn->unknown);
    }
    return in_brackets(pods);
  }

  // ` (nodes lack cpu)`, ` (2: nodes lack cpu; 1: nodes are cordoned)`: why pods stay pending, most frequent reason
  // first, when all are scheduled in order.
  [[nodiscard]] auto causes() const -> std::string {
    CauseCounts pods;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const Answer& answer = answers_[i];
      if (!(is_simulated(i) && just_stays(*in_turn_[i]))) continue;
      if (is_schedulable(answer)) {
        pods.add("in-turn", "earlier pods use the resources");
      } else {
        pods.add(answer.cause.id, answer.cause.words);
      }
    }
    return in_brackets(pods);
  }

  static auto in_brackets(const CauseCounts& pods) -> std::string {
    const std::string words = pods.words();
    return words.empty() ? words : fmt::format(" ({})", words);
  }

  static auto evicts_in_vain(const SimulatedOutcome& turn) -> bool {
    return turn.way == SimulatedOutcome::Way::stays && !turn.victims.empty();
  }
  static auto just_stays(const SimulatedOutcome& turn) -> bool {
    return turn.way == SimulatedOutcome::Way::stays && turn.victims.empty();
  }

  [[nodiscard]] auto totals() const -> Totals {
    using Way = SimulatedOutcome::Way;
    Totals all;
    std::set<PodId> victims;
    std::set<PodId> in_vain;
    for (const auto& turn : in_turn_) {
      if (!turn) continue;
      const auto is = [&](Way way) { return turn->way == way ? 1U : 0U; };
      all.enter += is(Way::enters);
      all.preempt += is(Way::preempts);
      all.wait += is(Way::waits);
      all.evicted += is(Way::evicted);
      all.unknown += is(Way::unknown);
      all.stay += just_stays(*turn) ? 1U : 0U;
      all.in_vain += evicts_in_vain(*turn) ? 1U : 0U;
      (evicts_in_vain(*turn) ? in_vain : victims).insert(turn->victims.begin(), turn->victims.end());
    }
    all.victims = victims.size();
    all.victims_in_vain = in_vain.size();
    return all;
  }

  // The order of kube-scheduler's queue: by priority, then by age, then by name.
  [[nodiscard]] auto before(std::size_t a, std::size_t b) const -> bool {
    const auto rank = [&](std::size_t i) {
      const PodId id = answers_[i].subject;
      if (!id) return std::tuple(std::int64_t{0}, Instant::never());
      const Pod& pod = cluster_.pod(id);
      return std::tuple(-std::int64_t{pod.spec.priority}, pod.meta.created.value_or(Instant{}));
    };
    return rank(a) < rank(b);
  }

  // Pods of one owner with the same verdict, both separately and in order, share a line; every other pod has its own.
  [[nodiscard]] auto groups(bool show_all) const -> std::vector<std::vector<std::size_t>> {
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::tuple<std::string, std::string, std::int32_t, Outcome, std::string, int>, std::size_t> known;
    for (const std::size_t i : order_) {
      const Answer& answer = answers_[i];
      const std::string owner = answer.subject ? owner_of(answer.subject) : std::string();
      if (owner.empty() || show_all) {
        groups.push_back({i});
        continue;
      }
      const int way = is_simulated(i) ? static_cast<int>(in_turn_[i]->way) : -1;
      const auto key = std::tuple(owner, priority_class_of(cluster_, answer.subject),
                                  cluster_.pod(answer.subject).spec.priority, answer.outcome, answer.sentence, way);
      const auto [at, is_new] = known.try_emplace(key, groups.size());
      if (is_new) groups.emplace_back();
      groups[at->second].push_back(i);
    }
    return groups;
  }

  // A long reason that many lines share, or an empty text. It is printed once, below the table, so that differences
  // show.
  [[nodiscard]] auto shared_doubt(const std::vector<std::vector<std::size_t>>& groups) const -> std::string {
    constexpr std::size_t kLong = 60;
    constexpr std::size_t kMany = 3;
    std::map<std::string, std::size_t> counts;
    for (const std::vector<std::size_t>& group : groups) {
      std::string doubt = doubt_words(answers_[group.front()]);
      if (doubt.size() > kLong && ++counts[doubt] == kMany) return doubt;
    }
    return {};
  }

  // `ml/Job/train`; empty if the pod has no controller.
  [[nodiscard]] auto owner_of(PodId id) const -> std::string {
    const ObjectMeta& meta = cluster_.pod(id).meta;
    const OwnerReference* owner = controller_of(meta);
    if (owner == nullptr) return {};
    return fmt::format("{}/{}/{}", cluster_.text(meta.ns), cluster_.text(owner->kind), cluster_.text(owner->name));
  }

  [[nodiscard]] auto names(const std::vector<std::size_t>& group) const -> std::string {
    const Answer& first = answers_[group.front()];
    const std::string name = first.subject ? cluster_.key(first.subject) : first.subject_name;
    return group.size() == 1 ? name : fmt::format("{} and {} more of its owner", name, group.size() - 1);
  }

  [[nodiscard]] auto in_turn_words(const std::vector<std::size_t>& group) const -> Span {
    if (!is_simulated(group.front())) return {"-"};
    const SimulatedOutcome& first = *in_turn_[group.front()];
    std::vector<PodId> victims;
    ReplaceableVictims open;
    for (const std::size_t i : group) {
      const SimulatedOutcome& turn = *in_turn_[i];
      victims.insert(victims.end(), turn.victims.begin(), turn.victims.end());
      if (!turn.open.taken.empty()) open = turn.open;
    }
    // Several pods may share the set of equal pods, so the number of its victims is not the sum.
    if (group.size() > 1) open.out_of.clear();
    const std::string on = group.size() > 1 || first.node.empty() ? "" : " on " + first.node;
    switch (first.way) {
      case SimulatedOutcome::Way::enters:
        // Pods that are evicted, for this pod or for another one, have their grace period first.
        return {"fits" + on + (first.seconds > 0 ? fmt::format(", runs after {}", format_age(first.seconds)) : ""),
                Tone::safe};
      case SimulatedOutcome::Way::preempts:
        return {fmt::format("evicts {}{}, {}", victim_words(victims, open), on,
                            first.waiting.empty() ? "runs after " + format_age(first.seconds) : first.waiting),
                Tone::danger};
      case SimulatedOutcome::Way::waits: return {first.waiting, Tone::soon};
      case SimulatedOutcome::Way::evicted: return {"is scheduled, then evicted for another pending pod", Tone::soon};
      case SimulatedOutcome::Way::stays:
        if (victims.empty()) return {"stays pending"};
        return {fmt::format("evicts {}, and stays pending", victim_words(victims, open)), Tone::danger};
      case SimulatedOutcome::Way::unknown: return {"cannot tell"};
    }
    return {};
  }

  [[nodiscard]] auto victim_words(const std::vector<PodId>& victims, const ReplaceableVictims& open) const
      -> std::string {
    return choice_words(victims, open, [&](const std::vector<PodId>& pods) {
      constexpr std::size_t kNamed = 2;
      if (pods.size() > kNamed) return counted(pods.size(), "pod", "pods");
      std::vector<std::string> names;
      names.reserve(pods.size());
      for (const PodId pod : pods) names.push_back(cluster_.key(pod));
      return joined(names, ", ");
    });
  }

  const Backlog& backlog_;
  const std::vector<Answer>& answers_;
  const std::vector<std::optional<SimulatedOutcome>>& in_turn_;
  const std::vector<std::string>& left_pending_;
  std::size_t not_placed_;
  std::size_t unanswered_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  std::vector<std::size_t> order_;
  bool played_ = false;
};

}  // namespace

auto way_name(SimulatedOutcome::Way way) -> std::string_view {
  switch (way) {
    case SimulatedOutcome::Way::enters: return "fits";
    case SimulatedOutcome::Way::preempts: return "preempts";
    case SimulatedOutcome::Way::waits: return "waits";
    case SimulatedOutcome::Way::evicted: return "evicted";
    case SimulatedOutcome::Way::stays: return "pending";
    case SimulatedOutcome::Way::unknown: return "unknown";
  }
  return "";
}

auto backlog_report(const Backlog& backlog, const Provenance& provenance, std::string_view where,
                    const ReportContext& context) -> Report {
  const BacklogReport writer(backlog, context);
  Report report;
  report.blocks.emplace_back(Line{{{writer.headline(where), Tone::verdict}}});
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));
  if (context.documents) {
    report.data = provenance.document("ExplanationList");
    if (std::any_of(backlog.in_turn.begin(), backlog.in_turn.end(), [](const auto& turn) { return turn.has_value(); }))
      report.data["inTurn"] = writer.totals_json();
    Json items = backlog.documents == nullptr ? explanation_documents(backlog.answers, context) : Json::array();
    for (std::size_t i = 0; i < backlog.answers.size(); ++i) {
      if (!writer.is_simulated(i)) continue;
      if (backlog.documents == nullptr) {
        items[i]["inTurn"] = writer.in_turn_json(i);
      } else {
        backlog.documents->add_member(i, "inTurn", writer.in_turn_json(i));
      }
    }
    report.data["items"] = std::move(items);
  }
  if (backlog.answers.empty()) return report;
  std::set<std::string> named;
  for (const Answer& answer : backlog.answers) {
    for (std::string& name : victim_names(answer, context)) {
      if (named.insert(name).second) report.names.push_back(std::move(name));
    }
  }
  report.blocks.emplace_back(
      with_full(context.show_all, context.keeps_full, [&](bool all) { return writer.table(all); }));
  return report;
}

}  // namespace previct
