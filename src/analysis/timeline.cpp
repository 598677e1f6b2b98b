#include "analysis/timeline.h"

#include "analysis/charts.h"
#include "analysis/recorded.h"
#include "api/upstream.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/changed_cluster.h"
#include "cluster/claim_users.h"
#include "cluster/taint_eviction.h"
#include "report/rows.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace previct {
namespace {

constexpr std::size_t kVictimsShown = 4;
constexpr std::uint64_t kMostWork = 4'000'000;  // of engines that count it, and pods in all states of the cluster

auto same_decision(const Answer& a, const Answer& b) -> bool {
  const auto pods = [](const Answer& answer) {
    std::vector<PodId> ids;
    for (const Victim& v : answer.victims) ids.push_back(v.pod);
    return ids;
  };
  return a.outcome == b.outcome && a.node == b.node && a.tied == b.tied && pods(a) == pods(b);
}

/// The cluster while only time passes: terminating pods leave their nodes.
class Passing {
 public:
  Passing(const Engine& engine, Objects& objects, const Snapshot& cluster, Instant from)
      : engine_(engine), objects_(objects), before_(cluster), ends_(cluster.derived<PodEnds>().after(from)) {}

  auto ask(const Question& question) -> Result<Answer> {
    Result<Answer> answer = explain(engine_, then_ ? *then_ : before_, question);
    if (!answer || !then_) return answer;
    answer->account.reset();  // it refers to a state that is about to be dropped
    for (Assumption& each : answer->assumed) each.account.reset();
    answer->gaps.push_back({GapRule::whole_grace});
    add_gaps(of_finalizers_, answer->gaps);
    return answer;
  }

  // The next end of a pod that has not been applied.
  [[nodiscard]] auto next_end() const -> const PodEnd* { return ends_.empty() ? nullptr : &ends_.front(); }

  // Applies what ends until `at`. Returns false at an end that cannot be applied, because more than its pod changes.
  auto pass(Instant at) -> bool {
    bool gone = false;
    while (!ends_.empty() && ends_.front().at <= at && ends_.front().by == PodEnd::By::grace) {
      if (!changed_) changed_.emplace(objects_);
      const PodId pod = ends_.front().pod;
      for (const Symbol finalizer : before_.pod(pod).meta.finalizers)
        of_finalizers_.push_back({GapRule::finalizers, {std::string(before_.text(finalizer)), before_.key(pod)}});
      changed_->evict(pod);
      gone_.push_back(pod);
      detach_volumes_of(pod);
      ends_ = ends_.subspan(1);
      gone = true;
    }
    if (gone) {
      then_ = std::make_unique<Snapshot>(objects_);
      engine_.take_over(before_, *changed_, *then_);
    }
    return ends_.empty() || ends_.front().at > at;
  }

 private:
  void detach_volumes_of(PodId pod) {
    const NodeId node = before_.node_of(pod);
    if (!node) return;
    std::vector<PodId> others;
    for (const PodId other : before_.pods_on(node)) {
      if (!contains(gone_, other)) others.push_back(other);
    }
    detach_volumes(before_, pod, node, others, *changed_);
  }

  const Engine& engine_;
  Objects& objects_;
  const Snapshot& before_;
  std::span<const PodEnd> ends_;
  std::vector<PodId> gone_;
  std::optional<ChangedCluster> changed_;
  std::unique_ptr<Snapshot> then_;
  std::vector<Gap> of_finalizers_;  ///< of the pods that are gone
};

auto is_of_quota(const Gap& gap) -> bool {
  return gap.rule == GapRule::kueue_quota_returns;
}

// What an answer after the end of a pod does not know.
auto gap_of(const PodEnd& end, const Snapshot& cluster, Instant now) -> Gap {
  if (!end.is_deadline()) return {GapRule::no_controllers};
  return {GapRule::deadline_not_simulated, {"1", cluster.key(end.pod), format_clock(end.at, now)}};
}

// Notes which pods taints delete meanwhile: the engines decide about the cluster as it is.
void note_taints(const Snapshot& cluster, Instant now, Instant until, std::vector<Interval>& intervals) {
  std::vector<TaintEviction> all = taint_evictions(cluster, now);
  std::erase_if(all, [&](const TaintEviction& each) { return until < each.at; });
  if (all.empty() || intervals.empty()) return;
  const auto first = std::min_element(all.begin(), all.end(),
                                      [](const TaintEviction& a, const TaintEviction& b) { return a.at < b.at; });
  intervals.front().answer.gaps.push_back(
      {GapRule::taints_not_simulated,
       {std::to_string(all.size()), cluster.key(first->pod), format_clock(first->at, now), format_clock(until, now)}});
}

class TimelineReport {
 public:
  TimelineReport(const std::vector<Interval>& intervals, const ReportContext& context, Instant horizon)
      : intervals_(intervals), context_(context), provenance_(context), horizon_(horizon) {
    for (const Interval& interval : intervals) {
      provenance_.add(interval.answer);
      if (is_schedulable(interval.answer) && (first_ == nullptr || interval.from < first_->from)) first_ = &interval;
      earliest_ = std::min(earliest_, interval.from);
    }
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    const Answer& now = intervals_.front().answer;
    report.blocks.emplace_back(Line{{{fmt::format("{} {}.", now.subject_name, sentence()), Tone::verdict}}});
    const std::string when = moments_words();
    for (Line& line : provenance_.lines(when)) report.blocks.emplace_back(std::move(line));
    if (!horizon_.is_never()) report.blocks.emplace_back(picture());
    report.blocks.emplace_back(with_full(context_.show_all, context_.keeps_full, [&](bool all) { return table(all); }));
    if (const Instant by = acted_on_by(); !by.is_never()) {
      report.blocks.emplace_back(
          Line{{{fmt::format("the end of a toleration does not make the scheduler try again: without other events, it "
                             "tries again between {} and {} (flush of unschedulable pods, {} + {})",
                             clock(first_->from), clock(by),
                             format_age(seconds_between(first_->from, by) - upstream::kFlushLookedAtEverySeconds),
                             format_age(upstream::kFlushLookedAtEverySeconds))}}});
    }
    if (waits_unnoticed()) {
      report.blocks.emplace_back(
          Line{{{fmt::format("why it may still wait: {}", joined(why_it_waits(now, context_), "; "))}}});
    }
    if (cut()) {
      report.blocks.emplace_back(
          Line{{{fmt::format("{}, so the answers after {} are not known", why_cut(), clock(intervals_.back().until)),
                 Tone::soon}}});
    }
    report.data = data();
    for (const Victim& v : first_ == nullptr ? now.victims : first_->answer.victims) {
      report.names.push_back(context_.cluster.key(v.pod));
    }
    return report;
  }

 private:
  [[nodiscard]] auto clock(Instant at) const -> std::string { return format_clock(at, context_.now); }

  // Single moments say nothing about the time between them.
  [[nodiscard]] auto moments_words() const -> std::string {
    const std::string first = format_clock(intervals_.front().from, Instant{});
    if (!horizon_.is_never()) return fmt::format("from {} UTC on, if only time passes", first);
    if (intervals_.size() == 1) return fmt::format("at {} UTC, if only time passes until then", first);
    return fmt::format("at {} moments, if only time passes until then", intervals_.size());
  }

  [[nodiscard]] auto sentence() const -> std::string {
    const Answer& now = intervals_.front().answer;
    const bool moments = horizon_.is_never();
    if (first_ != nullptr && first_->from == earliest_) return first_->answer.sentence;
    if (first_ != nullptr) {
      return fmt::format("{} at {}{}: it {}", first_->answer.outcome == Outcome::preempts ? "preempts" : "is scheduled",
                         format_moment(first_->from, context_.now),
                         moments ? ", and at no earlier time in question" : " at the earliest",
                         first_->answer.sentence);
    }
    const bool all_alike = std::all_of(intervals_.begin(), intervals_.end(),
                                       [&](const Interval& i) { return same_decision(i.answer, now); });
    const bool taints = std::any_of(now.gaps.begin(), now.gaps.end(),
                                    [](const Gap& gap) { return gap.rule == GapRule::taints_not_simulated; });
    const bool quota = quota_returns(intervals_);
    if (!moments) {
      return fmt::format("{}, and {} before {}", now.sentence,
                         quota        ? "time, apart from the quota that evicted workloads return, does not change that"
                         : !all_alike ? "it is not scheduled"
                         : taints     ? "time, apart from pods that NoExecute taints delete, does not change that"
                                      : "time alone does not change that",
                         clock(cut() ? intervals_.back().until : horizon_));
    }
    return all_alike ? fmt::format("{}, at every time in question", now.sentence)
                     : "is not scheduled at any of these times";
  }

  // Set only if the pod has to wait, and its scheduler has no event to react to; the previous answer holds the time.
  [[nodiscard]] auto acted_on_by() const -> Instant {
    if (horizon_.is_never() || first_ == nullptr || first_ == &intervals_.front()) return Instant::never();
    return (first_ - 1)->answer.acted_on_by;
  }

  // Returns true if the evaluation stopped before the horizon.
  [[nodiscard]] auto cut() const -> bool { return !horizon_.is_never() && intervals_.back().until < horizon_; }

  [[nodiscard]] auto why_cut() const -> std::string {
    const std::optional<PodEnd>& by = intervals_.back().stopped_by;
    if (!by) return "stopped after too many changes";
    const std::string pod = context_.cluster.key(by->pod);
    if (!by->is_deadline()) return fmt::format("{} terminates until then, and its controller creates it again", pod);
    return fmt::format("activeDeadlineSeconds of {}{} end then, and what follows is not evaluated",
                       by->by == PodEnd::By::deadline_of_job ? "the Job of " : "", pod);
  }

  [[nodiscard]] auto table(bool show_all) const -> Table {
    const bool folded = !show_all && std::any_of(intervals_.begin(), intervals_.end(), [](const Interval& i) {
      return i.answer.victims.size() > kVictimsShown;
    });
    Table table = table_of(intervals_, [&](Row& row, const Interval& i) { interval_row(row, i, folded); });
    if (folded)
      table.footer.push_back({{{.text = "-o wide or --show all names every victim", .tone = Tone::dim, .hint = true}}});
    return table;
  }

  // `folded`: the victims in the table are limited; another column has all of them.
  void interval_row(Row& row, const Interval& i, bool folded) const {
    const bool moments = horizon_.is_never();
    const Answer& answer = i.answer;
    const Tone tone = answer.outcome == Outcome::preempts ? Tone::danger : Tone::plain;
    std::vector<std::string> victims;
    for (const Victim& v : answer.victims) victims.push_back(context_.cluster.key(v.pod));
    const std::string all = victims.empty() ? "-" : joined(victims, ", ");
    row.text(moments ? "AT" : "FROM", clock(i.from)).key("from", format_instant(i.from));
    row.text("UNTIL", i.until.is_never() ? "-" : clock(i.until)).only_wide(moments).optional();
    row.key("until", i.until.is_never() ? Json() : Json(format_instant(i.until)));
    row.text("OUTCOME", {outcome_name(answer.outcome), is_schedulable(answer) ? Tone::verdict : Tone::plain});
    row.key("outcome");
    row.text("NODE", nodes(answer))
        .key("node", present(answer.node))
        .key("tiedNodes", present(context_.cluster.names(answer.tied)));
    row.text("VICTIMS", folded && !victims.empty() ? joined_up_to(kVictimsShown, victims) : all, tone);
    row.key("victims", victims);
    if (folded) row.text("ALL VICTIMS", all, tone).only_wide();
    row.key("summary", answer.sentence);
  }

  // Ends slightly after the last change: a day without changes would squeeze minutes into a line.
  [[nodiscard]] auto end_of_picture() const -> Instant {
    const std::int64_t length = seconds_between(intervals_.front().from, intervals_.back().from);
    const Instant end = intervals_.front().from.plus_seconds(length + std::max<std::int64_t>(length / 4, 1));
    return length > 0 && end < intervals_.back().until ? end : std::min(horizon_, intervals_.back().until);
  }

  [[nodiscard]] auto picture() const -> Picture {
    const TimeScale scale(intervals_.front().from, end_of_picture(), context_.now);
    Picture picture{"What would happen, and when", {{"outcome", {}}}, {}};
    for (const Interval& i : intervals_) {
      const Tone tone = i.answer.outcome == Outcome::preempts ? Tone::danger
                        : i.answer.outcome == Outcome::fits   ? Tone::safe
                                                              : Tone::plain;
      const std::string on = i.answer.node.empty() ? std::string() : fmt::format("on {}", nodes(i.answer));
      picture.rows.front().parts.push_back(
          {scale.position(i.from), scale.position(i.until), std::string(outcome_name(i.answer.outcome)), on, tone});
      picture.marks.push_back(scale.mark(i.from, "from"));
    }
    const Instant until = std::min(horizon_, intervals_.back().until);
    picture.marks.push_back({Picture::kScale, fmt::format("{} until {}", cut() ? "known" : "unchanged", clock(until))});
    picture.legend = {{Tone::danger, "evicts pods"}, {Tone::safe, "fits"}, {Tone::plain, "stays pending"}};
    return picture;
  }

  static auto nodes(const Answer& answer) -> std::string {
    if (answer.tied.size() > 1) return fmt::format("{} (or {} more)", answer.node, answer.tied.size() - 1);
    return answer.node.empty() ? "-" : answer.node;
  }

  // Returns true if the pod would be scheduled already, but no event has triggered the scheduler.
  [[nodiscard]] auto waits_unnoticed() const -> bool {
    return first_ == &intervals_.front() && first_->answer.unobserved_expiry.has_value();
  }

  [[nodiscard]] auto data() const -> Json {
    const auto interval = [&](Row& row, const Interval& i) { interval_row(row, i, false); };
    Json out = provenance_.document("Timeline");
    if (!horizon_.is_never()) out["metadata"]["horizon"] = format_instant(horizon_);
    if (cut()) out["knownUntil"] = format_instant(intervals_.back().until);
    out["subject"] = intervals_.front().answer.subject_name;
    if (first_ != nullptr) {
      out["firstMoment"] = object_of(*first_, interval);
      if (const Instant by = acted_on_by(); !by.is_never()) out["firstMoment"]["actedOnBy"] = format_instant(by);
      if (waits_unnoticed())
        out["firstMoment"]["actedOnBy"] = format_instant(first_->answer.unobserved_expiry->tried_by);
    }
    out["intervals"] = list_of(intervals_, interval);
    return out;
  }

  const std::vector<Interval>& intervals_;
  const ReportContext& context_;
  Provenance provenance_;  // of all intervals
  Instant horizon_;
  const Interval* first_ = nullptr;  // the first in which the pod is scheduled
  Instant earliest_ = Instant::never();
};

}  // namespace

auto timeline(const Engine& engine, Objects& objects, const Snapshot& cluster, const Question& question,
              Instant horizon, std::size_t most_jumps, const std::function<bool(const Answer&)>& enough)
    -> Result<std::vector<Interval>> {
  std::vector<Interval> intervals;
  Question at = question;
  at.brief = true;
  std::uint64_t work = 0;
  bool found = false;
  Passing passing(engine, objects, cluster, question.now);
  for (std::size_t jump = 0; jump < most_jumps && work < kMostWork && !found; ++jump) {
    PREVICT_TRY(Answer answer, passing.ask(at));
    const PodEnd* const end = passing.next_end();
    const bool ends_first = end != nullptr && end->at <= answer.next_change;
    // The end of a pod is an event, to which the scheduler reacts.
    if (ends_first) answer.acted_on_by = Instant::never();
    const Instant next = ends_first ? end->at : answer.next_change;
    work += answer.work;
    found = enough && enough(answer);
    if (!intervals.empty() && same_decision(intervals.back().answer, answer)) {
      intervals.back().until = next;
      intervals.back().answer.next_change = next;
      intervals.back().answer.acted_on_by = answer.acted_on_by;
      // Of a workload that is evicted only then.
      std::erase_if(answer.gaps, std::not_fn(is_of_quota));
      add_gaps(answer.gaps, intervals.back().answer.gaps);
    } else {
      intervals.push_back({at.now, next, std::move(answer)});
    }
    if (next.is_never() || next >= horizon) break;
    at.now = next;
    if (ends_first) work += objects.pods.size();
    if (!passing.pass(next)) {
      intervals.back().stopped_by = *passing.next_end();
      break;
    }
  }
  note_taints(cluster, question.now, horizon, intervals);
  return intervals;
}

auto quota_returns(const std::vector<Interval>& intervals) -> bool {
  return std::any_of(intervals.begin(), intervals.end(), [](const Interval& i) {
    return std::any_of(i.answer.gaps.begin(), i.answer.gaps.end(), is_of_quota);
  });
}

auto answers_at(const Engine& engine, Objects& objects, const Snapshot& cluster, const Question& question,
                const std::vector<Instant>& moments) -> Result<std::vector<Interval>> {
  std::vector<Interval> intervals;
  Question at = question;
  at.brief = true;
  for (const Instant moment : moments) {
    at.now = moment;
    Passing passing(engine, objects, cluster, question.now);
    const bool known = passing.pass(moment);
    PREVICT_TRY(Answer answer, passing.ask(at));
    if (!known) answer.gaps.push_back(gap_of(*passing.next_end(), cluster, question.now));
    const Instant next = answer.next_change;
    intervals.push_back({moment, next, std::move(answer)});
  }
  if (!moments.empty())
    note_taints(cluster, question.now, *std::max_element(moments.begin(), moments.end()), intervals);
  return intervals;
}

auto timeline_report(const std::vector<Interval>& intervals, const ReportContext& context, Instant horizon) -> Report {
  return TimelineReport(intervals, context, horizon).run();
}

}  // namespace previct
