#include "analysis/timeline.h"

#include "analysis/pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace previct {
namespace {

constexpr std::size_t kMaxSteps = 10'000;
constexpr std::size_t kVictimsShown = 4;
constexpr std::int64_t kFlushLookedAtEvery = 30;  // seconds

auto same_decision(const Answer& a, const Answer& b) -> bool {
  const auto pods = [](const Answer& answer) {
    std::vector<PodId> ids;
    for (const VictimLine& v : answer.victims) ids.push_back(v.pod);
    return ids;
  };
  return a.outcome == b.outcome && a.tied == b.tied && a.sentence == b.sentence && pods(a) == pods(b);
}

auto gets_in(const Answer& answer) -> bool {
  return answer.outcome == Outcome::fits || answer.outcome == Outcome::preempts;
}

class TimelineReport {
 public:
  TimelineReport(const std::vector<Interval>& intervals, const Grounds& grounds, Instant horizon, std::int64_t flush)
      : intervals_(intervals), grounds_(grounds), horizon_(horizon), flush_(flush) {
    for (const Interval& interval : intervals) {
      if (first_ == nullptr && gets_in(interval.answer)) first_ = &interval;
    }
  }

  auto run() const -> Report {
    Report report;
    const Answer& now = intervals_.front().answer;
    report.blocks.emplace_back(Line{{{fmt::format("{} {}.", now.subject_name, sentence()), Tone::verdict}}});
    report.blocks.emplace_back(Line{{{trust(now), Tone::dim}}});
    report.blocks.emplace_back(table());
    if (const Instant by = acted_on_by(); !by.is_never()) {
      report.blocks.emplace_back(Line{{{fmt::format(
          "nothing wakes the scheduler when a toleration ends: if the cluster is quiet, it tries again between {} and {} "
          "(flush of unschedulable pods, {} + {})",
          clock(first_->from), clock(by), format_age(flush_), format_age(kFlushLookedAtEvery))}}});
    }
    report.data = data();
    if (!horizon_.is_never()) report.pictures.push_back(picture());
    for (const VictimLine& v : first_ == nullptr ? now.victims : first_->answer.victims) {
      report.names.push_back(grounds_.cluster.key(v.pod));
    }
    return report;
  }

 private:
  [[nodiscard]] auto clock(Instant at) const -> std::string { return format_clock(at, grounds_.now); }

  [[nodiscard]] auto sentence() const -> std::string {
    const Answer& now = intervals_.front().answer;
    if (first_ == &intervals_.front()) return now.sentence;
    if (first_ != nullptr) {
      return fmt::format("gets in at {} ({}) at the earliest: it {}", clock(first_->from),
                         format_distance(first_->from, grounds_.now), first_->answer.sentence);
    }
    if (horizon_.is_never()) return fmt::format("{}, at every moment asked for", now.sentence);
    return fmt::format("{}, and time alone does not change that before {}", now.sentence, clock(horizon_));
  }

  [[nodiscard]] auto trust(const Answer& answer) const -> std::string {
    return fmt::format("from {} UTC on, if nothing but time changes; {} {}",
                       format_clock(intervals_.front().from, Instant{}), answer.engine, answer.behaves);
  }

  // Only if it has to wait for a toleration's end: a pod that gets in at once needs no waking.
  [[nodiscard]] auto acted_on_by() const -> Instant {
    if (horizon_.is_never() || first_ == nullptr || first_ == &intervals_.front()) return Instant::never();
    return first_->from.plus_seconds(flush_ + kFlushLookedAtEvery);
  }

  [[nodiscard]] auto table() const -> Table {
    Table table;
    const bool moments = horizon_.is_never();
    table.columns = {{.head = moments ? "AT" : "FROM"}, {.head = "UNTIL", .only_wide = moments, .optional = true},
                     {.head = "OUTCOME"}, {.head = "NODE"}, {.head = "VICTIMS"}};
    for (const Interval& i : intervals_) {
      const bool goes = i.answer.outcome == Outcome::preempts;
      table.rows.push_back({{clock(i.from)},
                            {i.until.is_never() ? "-" : clock(i.until)},
                            {std::string(outcome_name(i.answer.outcome)), gets_in(i.answer) ? Tone::verdict : Tone::plain},
                            {nodes(i.answer)},
                            {victims(i.answer), goes ? Tone::goes : Tone::plain}});
    }
    return table;
  }

  [[nodiscard]] auto picture() const -> Picture {
    const TimeScale scale(intervals_.front().from, horizon_, grounds_.now);
    Picture picture{"What would happen, and when", {{"outcome", {}}}, {}};
    for (const Interval& i : intervals_) {
      const Tone tone = i.answer.outcome == Outcome::preempts ? Tone::goes
                        : i.answer.outcome == Outcome::fits   ? Tone::safe
                                                              : Tone::plain;
      const std::string on = i.answer.node.empty() ? std::string() : fmt::format("on {}", nodes(i.answer));
      picture.rows.front().parts.push_back(
          {scale.position(i.from), scale.position(i.until), std::string(outcome_name(i.answer.outcome)), on, tone});
      picture.marks.push_back(scale.mark(i.from, "from"));
    }
    return picture;
  }

  static auto nodes(const Answer& answer) -> std::string {
    if (answer.tied.size() > 1) return fmt::format("{} (or {} more)", answer.node, answer.tied.size() - 1);
    return answer.node.empty() ? "-" : answer.node;
  }

  [[nodiscard]] auto victims(const Answer& answer) const -> std::string {
    std::vector<std::string> names;
    for (const VictimLine& v : answer.victims) names.push_back(grounds_.cluster.key(v.pod));
    if (names.empty()) return "-";
    const std::size_t more = names.size() > kVictimsShown ? names.size() - kVictimsShown : 0;
    names.resize(names.size() - more);
    return joined(names, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
  }

  [[nodiscard]] auto data() const -> Json {
    Json out = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Timeline"}};
    const Answer& now = intervals_.front().answer;
    out["metadata"] = {{"tool", "previct " PREVICT_VERSION},
                       {"engine", {{"name", now.engine}, {"behaves", now.behaves}}},
                       {"now", format_instant(grounds_.now)},
                       {"nowSource", grounds_.now_source}};
    if (!horizon_.is_never()) out["metadata"]["horizon"] = format_instant(horizon_);
    out["subject"] = now.subject_name;
    if (first_ != nullptr) {
      out["firstMoment"] = interval(*first_);
      if (const Instant by = acted_on_by(); !by.is_never()) out["firstMoment"]["actedOnBy"] = format_instant(by);
    }
    out["intervals"] = Json::array();
    for (const Interval& i : intervals_) out["intervals"].push_back(interval(i));
    return out;
  }

  [[nodiscard]] auto interval(const Interval& i) const -> Json {
    Json out = {{"from", format_instant(i.from)}};
    if (!i.until.is_never()) out["until"] = format_instant(i.until);
    out["outcome"] = outcome_name(i.answer.outcome);
    if (!i.answer.node.empty()) out["node"] = i.answer.node;
    if (!i.answer.tied.empty()) out["tiedNodes"] = i.answer.tied;
    out["victims"] = Json::array();
    for (const VictimLine& v : i.answer.victims) out["victims"].push_back(grounds_.cluster.key(v.pod));
    out["summary"] = i.answer.sentence;
    return out;
  }

  const std::vector<Interval>& intervals_;
  const Grounds& grounds_;
  Instant horizon_;
  std::int64_t flush_;
  const Interval* first_ = nullptr;
};

}  // namespace

auto timeline(const Engine& engine, const Snapshot& cluster, const Question& question, Instant horizon)
    -> Result<std::vector<Interval>> {
  std::vector<Interval> intervals;
  Question at = question;
  at.brief = true;
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    PREVICT_TRY(Answer answer, engine.explain(cluster, at));
    const Instant next = answer.next_change;
    if (!intervals.empty() && same_decision(intervals.back().answer, answer)) {
      intervals.back().until = next;
    } else {
      intervals.push_back({at.now, next, std::move(answer)});
    }
    if (next.is_never() || next >= horizon) break;
    at.now = next;
  }
  return intervals;
}

auto answers_at(const Engine& engine, const Snapshot& cluster, const Question& question,
                const std::vector<Instant>& moments) -> Result<std::vector<Interval>> {
  std::vector<Interval> intervals;
  Question at = question;
  at.brief = true;
  for (const Instant moment : moments) {
    at.now = moment;
    PREVICT_TRY(Answer answer, engine.explain(cluster, at));
    const Instant next = answer.next_change;
    intervals.push_back({moment, next, std::move(answer)});
  }
  return intervals;
}

auto timeline_report(const std::vector<Interval>& intervals, const Grounds& grounds, Instant horizon,
                     std::int64_t flush_seconds) -> Report {
  return TimelineReport(intervals, grounds, horizon, flush_seconds).run();
}

}  // namespace previct
