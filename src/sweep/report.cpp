#include "sequence/report.h"

#include "base/text.h"
#include "report/rows.h"
#include "sequence/report.h"
#include "sweep/sweep.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace previct::sweep {
namespace {

using sequence::End;
using sequence::seconds;
using sequence::tone_of;
using sequence::WorkloadCost;

// Values with the same result: the first and the last, by their index.
using Interval = std::pair<std::size_t, std::size_t>;

class SweepReport {
 public:
  SweepReport(const Sweep& sweep, const Task& task, const ReportContext& context)
      : sweep_(sweep), task_(task), provenance_(context, sweep), line_(task.axes.size() == 1) {
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
      const bool again = i > 0 && line_ && sweep.points[i].same_as(sweep.points[i - 1]) &&
                         (sweep.points[i].drifts || sweep.points[i].same_times_as(sweep.points[i - 1]));
      if (again) {
        intervals_.back().second = i;
      } else {
        intervals_.emplace_back(i, i);
      }
    }
  }

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{verdict(), Tone::verdict}}});
    if (const std::string left = left_out(); !left.empty()) report.blocks.emplace_back(Line{{{left, Tone::soon}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    for (const Axis& axis : task_.axes) {
      if (const std::string kept = keeps_priority(axis.parameter); !kept.empty())
        report.blocks.emplace_back(Line{{{kept}}});
    }
    if (!sweep_.points.empty()) report.blocks.emplace_back(in_cycles() ? table_of_cycles() : table());
    if (line_ && sweep_.points.size() > 1) report.blocks.emplace_back(picture());
    report.data = data();
    return report;
  }

 private:
  [[nodiscard]] auto words(std::size_t axis, std::int64_t value) const -> std::string {
    return task_.axes[axis].parameter.words(value);
  }

  // The priority of a pod is set at its creation.
  [[nodiscard]] auto keeps_priority(const Parameter& parameter) const -> std::string {
    if (parameter.kind != Parameter::Kind::value) return {};
    const Symbol name = task_.objects.symbols.find(parameter.object);
    const auto& pods = task_.objects.pods;
    const auto kept = std::count_if(pods.begin(), pods.end(), [&](const Pod& pod) {
      return pod.spec.priority_class_name == name && pod.spec.node_name;
    });
    if (!name || kept == 0) return {};
    return fmt::format("{} on nodes {} priority, whatever the value; pending pods are assumed to be created again",
                       counted(static_cast<std::size_t>(kept), "pod", "pods"), kept == 1 ? "keeps its" : "keep their");
  }

  // What the search left out because of its limits.
  [[nodiscard]] auto left_out() const -> std::string {
    const auto cut = static_cast<std::size_t>(
        std::count_if(sweep_.points.begin(), sweep_.points.end(), [](const Point& point) { return point.too_much; }));
    std::vector<std::string> parts;
    if (cut > 0) {
      parts.push_back(fmt::format("{} stopped early, because {} decisions involve too many pods and nodes",
                                  counted(cut, "simulation was", "simulations were"), cut == 1 ? "its" : "their"));
    }
    const auto more = static_cast<std::size_t>(std::count_if(
        sweep_.points.begin(), sweep_.points.end(), [](const Point& point) { return point.cycles && point.cut; }));
    if (more > 0)
      parts.push_back(
          fmt::format("for {}, more happens after the simulated cycles (--cycles)", counted(more, "value", "values")));
    if (sweep_.not_narrowed) parts.emplace_back("some exact values were not searched");
    return joined(parts, "; ");
  }

  [[nodiscard]] auto verdict() const -> std::string {
    const std::string tried = counted(sweep_.points.size(), "value", "values");
    if (sweep_.points.empty()) return "0 values in this part of the work.";
    if (!line_) {
      return fmt::format("{} and {}: {} tried.", task_.axes[0].parameter.text, task_.axes[1].parameter.text,
                         counted(sweep_.points.size(), "pair of values", "pairs of values"));
    }
    const std::string name = task_.axes.front().parameter.text;
    if (const Gap* const because = unknown_everywhere())
      return fmt::format("{}: cannot tell, because {}.", name, because_words(*because));
    std::vector<std::string> turns;
    std::vector<std::string> steps;  // values at which only times change
    for (std::size_t i = 1; i < intervals_.size(); ++i) (of_time_alone(i) ? steps : turns).push_back(turn(i));
    const std::size_t results = turns.size() + 1;
    std::string text =
        sweep_.points.size() == 1 ? fmt::format("{}: 1 value tried.", name)
        : results == 1            ? fmt::format("{}: the same result for all {} tried{}.", name, tried, why_same())
        : turns.size() > kTurnsNamed
            ? fmt::format("{}: {} different results; the table says where each begins.", name, results)
            : fmt::format("{}: {} different results, which begin {}.", name, results, joined(turns, ", "));
    if (steps.size() > kTurnsNamed) {
      text += fmt::format(" Only the time changes at {} more.", counted(steps.size(), "value", "values"));
    } else if (!steps.empty()) {
      text += fmt::format(" Only the time changes {}.", joined(steps, ", "));
    }
    const bool assumed = std::any_of(sweep_.gaps.begin(), sweep_.gaps.end(),
                                     [](const Gap& gap) { return gap.rule == GapRule::yunikorn_reservation_age; });
    if (assumed) text += " The start delay is assumed to have passed.";
    return text + epochs() + chances() + cut_off();
  }

  [[nodiscard]] auto why_same() const -> std::string_view {
    const bool idle = std::all_of(sweep_.points.begin(), sweep_.points.end(), [](const Point& point) {
      return !point.cycles && point.ends.empty() && point.evictions == 0;
    });
    return idle ? ", because no pending pod takes part" : "";
  }

  // Where pods may still be placed or evicted after the simulated time.
  [[nodiscard]] auto cut_off() const -> std::string {
    const auto at = [&](std::size_t point) { return sweep_.points.begin() + static_cast<std::ptrdiff_t>(point); };
    const auto waits = [](const End& end) {
      return end.kind == End::Kind::unschedulable || end.kind == End::Kind::pending || end.kind == End::Kind::waits;
    };
    const auto is_cut = [&](const Point& point) {
      return point.cut && !point.too_much && !point.recurs && !point.cycles &&
             std::any_of(point.ends.begin(), point.ends.end(), waits);
    };
    std::vector<std::string> ranges;
    for (const Interval& interval : intervals_) {
      if (std::any_of(at(interval.first), at(interval.second + 1), is_cut)) ranges.push_back(range(interval));
    }
    if (ranges.empty()) return {};
    return fmt::format(" With {}, pods still wait after the simulated {} (--horizon).",
                       joined_up_to(kNamesShown, ranges), sequence::format_offset(task_.settings.horizon).substr(1));
  }

  [[nodiscard]] auto varies(const Interval& interval) const -> bool {
    const auto at = [&](std::size_t point) { return sweep_.points.begin() + static_cast<std::ptrdiff_t>(point); };
    return std::any_of(at(interval.first), at(interval.second + 1), [](const Point& point) { return point.varies; });
  }

  // Where the result depends on the choice among equals.
  [[nodiscard]] auto chances() const -> std::string {
    std::vector<std::string> ranges;
    for (const Interval& interval : intervals_) {
      if (varies(interval)) ranges.push_back(range(interval));
    }
    if (ranges.empty()) return {};
    return fmt::format(" With {}, another choice among equal nodes or victims gives another result.",
                       joined_up_to(kNamesShown, ranges));
  }

  // Returns the reason if nothing is known about any pending pod, whatever the value; otherwise null.
  [[nodiscard]] auto unknown_everywhere() const -> const Gap* {
    const Gap* because = nullptr;
    for (const Point& point : sweep_.points) {
      if (point.ends.empty()) return nullptr;
      for (const End& end : point.ends) {
        if (!end.unknown) return nullptr;
        because = &*end.unknown;
      }
    }
    return because;
  }

  [[nodiscard]] auto of_time_alone(std::size_t interval) const -> bool {
    return sweep_.points[intervals_[interval].first].same_as(sweep_.points[intervals_[interval - 1].second]);
  }

  // `at 14m31s`, or `between 2 and 4` if the values in between were not tried.
  [[nodiscard]] auto turn(std::size_t interval) const -> std::string {
    const Point& before = sweep_.points[intervals_[interval - 1].second];
    const Point& after = sweep_.points[intervals_[interval].first];
    const std::int64_t last = before.values.front();
    const std::int64_t first = after.values.front();
    const std::string where =
        first - last <= 1 ? "at " + words(0, first) : fmt::format("between {} and {}", words(0, last), words(0, first));
    if (!of_time_alone(interval)) return where;
    return fmt::format("{} ({} after {})", where, last_time(after), last_time(before));
  }

  // When the last of the pending pods is bound or, if none is pending any more, has finished.
  static auto last_time(const Point& point) -> std::string {
    sequence::Time latest = 0;
    for (const End& end : point.ends) {
      if (end.kind == End::Kind::bound || end.kind == End::Kind::finished) latest = std::max(latest, end.at);
    }
    return sequence::format_offset(latest);
  }

  // The values from which on an epoch is finished.
  [[nodiscard]] auto epochs() const -> std::string {
    std::string text;
    std::map<std::string, sequence::Time> asked;
    for (const Point& point : sweep_.points) {
      for (const WorkloadCost& toll : point.tolls) {
        if (toll.epoch > 0) asked[toll.workload] = toll.epoch;
      }
    }
    for (const auto& [workload, epoch] : asked) {
      const auto finished = [&, name = workload](const Point& point) {
        return std::all_of(point.tolls.begin(), point.tolls.end(), [&](const WorkloadCost& toll) {
          return toll.workload != name || toll.reaches_epoch == true;
        });
      };
      const auto not_known = [&, name = workload](const Point& point) {
        return std::any_of(point.tolls.begin(), point.tolls.end(),
                           [&](const WorkloadCost& toll) { return toll.workload == name && !toll.reaches_epoch; });
      };
      const auto none =
          std::find_if(sweep_.points.rbegin(), sweep_.points.rend(), [&](const Point& p) { return !finished(p); });
      const std::string work = fmt::format(" Work of {} of {}", sequence::format_length(epoch), workload);
      const auto shortest = std::find_if(sweep_.points.begin(), sweep_.points.end(), finished);
      if (std::any_of(sweep_.points.begin(), sweep_.points.end(), not_known)) {
        text += fmt::format("{}: it is not known whether it is finished, because some of its pods have no startTime.",
                            work);
      } else if (none == sweep_.points.rend()) {
        text += fmt::format("{} is finished with every value.{}", work, cost(sweep_.points.front()));
      } else if (none == sweep_.points.rbegin()) {
        text += shortest != sweep_.points.end()
                    ? fmt::format("{} is finished only with some values, the lowest of which is {}.{}", work,
                                  words(0, shortest->values.front()), cost(*shortest))
                    : fmt::format("{} is never finished.", work);
      } else {
        const Point& first = *std::prev(none);
        const bool earlier = shortest->values < first.values;
        text += fmt::format(
            "{} is finished with {} and more{}.{}", work, words(0, first.values.front()),
            earlier ? fmt::format(" (and with some from {} on)", words(0, shortest->values.front())) : "", cost(first));
      }
    }
    return text;
  }

  // The cost for pods that have to wait.
  [[nodiscard]] auto cost(const Point& point) const -> std::string {
    const std::string wait = point.waits.words();
    if (wait == "-") return {};
    const Point& least = sweep_.points.front();
    const std::string before = &least == &point || least.waits.words() == wait
                                   ? ""
                                   : fmt::format(", {} with {}", least.waits.words(), words(0, least.values.front()));
    return fmt::format(" The longest wait of a pending pod is {} then{}.", wait, before);
  }

  [[nodiscard]] auto range(const Interval& interval) const -> std::string {
    const auto& first = sweep_.points[interval.first].values;
    const auto& last = sweep_.points[interval.second].values;
    if (!line_) return fmt::format("{}, {}", words(0, first[0]), words(1, first[1]));
    return first == last ? words(0, first[0]) : fmt::format("{} .. {}", words(0, first[0]), words(0, last[0]));
  }

  [[nodiscard]] auto interval_row() const {
    const bool with_epochs = std::any_of(sweep_.points.begin(), sweep_.points.end(), [](const Point& point) {
      return std::any_of(point.tolls.begin(), point.tolls.end(),
                         [](const WorkloadCost& toll) { return toll.epoch > 0; });
    });
    // Neighbors that differ only in these would look the same.
    const bool with_nodes = differ_only_in(&Point::nodes);
    const bool with_victims = differ_only_in(&Point::victims);
    return [this, with_epochs, with_nodes, with_victims](Row& row, const Interval& interval) {
      const Point& first = sweep_.points[interval.first];
      const Point& last = sweep_.points[interval.second];
      row.text(line_ ? "VALUE" : "VALUES", range(interval)).key("from", first.values).key("to", last.values);
      row.text("PENDING PODS", ends(first));
      if (with_nodes) row.text("NODES", nodes_of(first));
      if (with_victims) row.text("VICTIMS", first.victims.empty() ? "-" : joined_up_to(kNamesShown, first.victims));
      row.text("LAST IN AT", last_in(first, last));
      row.number("EVICTED", {first.evictions, first.evictions > 0 ? Tone::danger : Tone::plain});
      row.number("PER HOUR", {first.recurs ? fmt::format("{:.1f}, forever", first.evictions_per_hour) : "-",
                              first.recurs ? Tone::danger : Tone::plain});
      row.number("CPU HOURS LOST", lost(first, last)).optional();
      row.text("LONGEST RUN", longest(first, last)).optional();
      row.text("LONGEST WAIT", waits(first, last)).optional();
      if (with_epochs) row.text("FINISHES", finishes(first));
      row.text("REMARK", varies(interval) ? "another choice among equals gives another result" : "").unless_empty();
    };
  }

  // Returns true if neighbors agree in what becomes of the pods and in the number of evictions, but not in this field.
  [[nodiscard]] auto differ_only_in(std::vector<std::string> Point::*field) const -> bool {
    for (std::size_t i = 1; i < intervals_.size(); ++i) {
      const Point& a = sweep_.points[intervals_[i - 1].first];
      const Point& b = sweep_.points[intervals_[i].first];
      if (a.ends_as(b) && a.*field != b.*field) return true;
    }
    return false;
  }

  // The nodes of the pods for which they depend on the value.
  [[nodiscard]] auto nodes_of(const Point& point) const -> std::string {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < point.nodes.size(); ++i) {
      const bool fixed = std::all_of(sweep_.points.begin(), sweep_.points.end(), [&](const Point& each) {
        return i < each.nodes.size() && each.nodes[i] == point.nodes[i];
      });
      if (fixed || point.nodes[i].empty()) continue;
      parts.push_back(point.ends.size() == 1 ? point.nodes[i]
                                             : fmt::format("{} on {}", point.ends[i].name, point.nodes[i]));
    }
    return parts.empty() ? "-" : joined_up_to(kNamesShown, std::move(parts));
  }

  [[nodiscard]] auto table() const -> Table { return table_of(intervals_, interval_row()); }

  // The points come from an engine that simulates its own cycles.
  [[nodiscard]] auto in_cycles() const -> bool { return sweep_.points.front().cycles.has_value(); }

  [[nodiscard]] auto table_of_cycles() const -> Table {
    using Result = SimulatedCycles::Result;
    const auto any = [&](Result result) {
      return std::any_of(sweep_.points.begin(), sweep_.points.end(), [result](const Point& point) {
        return std::any_of(point.cycles->ends.begin(), point.cycles->ends.end(),
                           [result](const SimulatedCycles::End& end) { return end.result == result; });
      });
    };
    const bool any_reserved = any(Result::reserved);
    const bool any_unknown = any(Result::unknown);
    return table_of(intervals_, [&](Row& row, const Interval& interval) {
      const Point& first = sweep_.points[interval.first];
      const bool evicts = !first.victims.empty();
      row.text(line_ ? "VALUE" : "VALUES", range(interval));
      row.text("ADMITTED", names_of(*first.cycles, Result::admitted));
      if (any_reserved) row.text("QUOTA RESERVED", names_of(*first.cycles, Result::reserved));
      row.text("STILL PENDING", names_of(*first.cycles, Result::pending));
      if (any_unknown) row.text("CANNOT TELL", names_of(*first.cycles, Result::unknown));
      row.text("VICTIMS", evicts ? joined_up_to(kNamesShown, first.victims) : "-", evicts ? Tone::danger : Tone::plain);
      row.number("EVICTIONS", {fmt::format("{}{}", first.evictions, first.recurs ? ", forever" : ""),
                               first.recurs ? Tone::danger : Tone::plain});
    });
  }

  [[nodiscard]] static auto names_of(const SimulatedCycles& cycles, SimulatedCycles::Result result) -> std::string {
    std::vector<std::string> names;
    for (const auto& end : cycles.ends) {
      if (end.result == result) names.push_back(end.name);
    }
    return names.empty() ? "-" : joined_up_to(kNamesShown, std::move(names));
  }

  static auto ends(const Point& point) -> Span {
    std::map<End::Kind, std::size_t> counts;
    for (const End& end : point.ends) ++counts[end.kind];
    std::vector<std::string> parts;
    Tone tone = Tone::plain;
    for (const auto& [kind, count] : counts) {
      parts.push_back(point.ends.size() == 1 ? fmt::format("{} {}", point.ends.front().name, sequence::end_name(kind))
                                             : fmt::format("{} {}", count, sequence::end_name(kind)));
      tone = tone_of(kind);
    }
    return {parts.empty() ? "-" : joined(parts, ", "), counts.size() == 1 ? tone : Tone::plain};
  }

  // When the last of the scheduled pods is bound; for an interval, from its first value to its last.
  static auto last_in(const Point& first, const Point& last) -> std::string {
    const auto at = [](const Point& point) -> std::string {
      sequence::Time latest = -1;
      for (const End& end : point.ends) {
        if (end.kind == End::Kind::bound) latest = std::max(latest, end.at);
      }
      return latest < 0 ? "-" : sequence::format_offset(latest);
    };
    return at(first) == at(last) ? at(first) : fmt::format("{} .. {}", at(first), at(last));
  }

  static auto lost(const Point& first, const Point& last) -> std::string {
    const auto sum = [](const Point& point) {
      double hours = 0;
      for (const WorkloadCost& toll : point.tolls) {
        if (!toll.lost) return std::string("-");
        hours += toll.lost->cpu_hours;
      }
      return fmt::format("{:.1f}", hours);
    };
    return sum(first) == sum(last) ? sum(first) : fmt::format("{} .. {}", sum(first), sum(last));
  }

  static auto longest(const Point& first, const Point& last) -> std::string {
    const auto run = [](const Point& point) -> std::string {
      sequence::Time longest = 0;
      for (const WorkloadCost& toll : point.tolls) {
        if (toll.evictions == 0) continue;
        if (!toll.longest_run) return "-";
        longest = std::max(longest, *toll.longest_run);
      }
      return longest == 0 ? "-" : sequence::format_length(longest);
    };
    return run(first) == run(last) ? run(first) : fmt::format("{} .. {}", run(first), run(last));
  }

  static auto waits(const Point& first, const Point& last) -> std::string {
    const std::string from = first.waits.words();
    const std::string to = last.waits.words();
    return from == to ? from : fmt::format("{} .. {}", from, to);
  }

  static auto finishes(const Point& point) -> Span {
    std::size_t all = 0;  // workloads with epochs
    std::size_t never = 0;
    bool known = true;
    for (const WorkloadCost& toll : point.tolls) {
      all += toll.epoch > 0 ? 1U : 0U;
      never += toll.reaches_epoch == false ? 1U : 0U;
      known = known && toll.reaches_epoch.has_value();
    }
    if (all == 0) return {"not evicted", Tone::safe};
    if (never == all) return {"never", Tone::danger};
    if (never > 0) return {fmt::format("{} of {} workloads", all - never, all), Tone::danger};
    return known ? Span{"yes", Tone::safe} : Span{"-"};
  }

  /// A pending pod or object, and what becomes of it.
  struct Subject {
    std::string name;
    std::string end;
    Tone tone;
  };
  [[nodiscard]] static auto subjects(const Point& point) -> std::vector<Subject> {
    std::vector<Subject> all;
    for (const End& end : point.ends)
      all.push_back({end.name, std::string(sequence::end_name(end.kind)), tone_of(end.kind)});
    if (!point.cycles) return all;
    for (const SimulatedCycles::End& end : point.cycles->ends)
      all.push_back({end.name, std::string(result_name(end.result)),
                     end.result == SimulatedCycles::Result::admitted ? Tone::safe : Tone::plain});
    return all;
  }

  [[nodiscard]] static auto result_name(SimulatedCycles::Result result) -> std::string_view {
    switch (result) {
      case SimulatedCycles::Result::admitted: return "admitted";
      case SimulatedCycles::Result::pending: return "pending";
      case SimulatedCycles::Result::unknown: return "unknown";
      case SimulatedCycles::Result::reserved: return "reserved";
    }
    return "";
  }

  // One bar for each pending pod: its outcome for each value.
  [[nodiscard]] auto picture() const -> Picture {
    constexpr std::size_t kMostRows = 20;
    Picture picture;
    picture.title = task_.axes.front().parameter.text;
    const std::int64_t from = sweep_.points.front().values.front();
    const std::int64_t to = sweep_.points.back().values.front();
    const auto place = [&](std::int64_t value) {
      const double part = static_cast<double>(value - from) / static_cast<double>(std::max<std::int64_t>(1, to - from));
      return static_cast<std::uint32_t>(std::lround(part * Picture::kScale));
    };
    const std::size_t rows = subjects(sweep_.points.front()).size();
    for (std::size_t at = 0; at < rows && at < kMostRows; ++at) {
      Picture::Row row{.label = subjects(sweep_.points.front())[at].name, .parts = {}};
      for (std::size_t i = 0; i < intervals_.size(); ++i) {
        const std::vector<Subject> of = subjects(sweep_.points[intervals_[i].first]);
        if (at >= of.size()) continue;
        const std::uint32_t begin = place(sweep_.points[intervals_[i].first].values.front());
        const std::uint32_t end =
            i + 1 == intervals_.size() ? Picture::kScale : place(sweep_.points[intervals_[i + 1].first].values.front());
        if (end > begin) row.parts.push_back({begin, end, of[at].end, range(intervals_[i]), of[at].tone});
      }
      picture.rows.push_back(std::move(row));
    }
    picture.marks.push_back({0, words(0, from)});
    picture.marks.push_back({Picture::kScale, words(0, to)});
    return picture;
  }

  [[nodiscard]] auto data() const -> Json {
    Json out = provenance_.document("SweepReport");
    out["parameters"] = Json::array();
    for (const Axis& axis : task_.axes) out["parameters"].push_back(axis.parameter.text);
    out["intervals"] = list_of(intervals_, interval_row());
    out["items"] = Json::array();
    for (const Point& point : sweep_.points) out["items"].push_back(point_json(point));
    return out;
  }

  [[nodiscard]] auto point_json(const Point& point) const -> Json {
    Json json{{"values", Json::object()}};
    for (std::size_t i = 0; i < task_.axes.size(); ++i) json["values"][task_.axes[i].parameter.text] = point.values[i];
    json["pods"] = Json::array();
    for (std::size_t i = 0; i < point.ends.size(); ++i) {
      const End& end = point.ends[i];
      Json pod{{"pod", end.name}, {"end", sequence::end_name(end.kind)}, {"at", seconds(end.at)}};
      if (!point.nodes[i].empty()) pod[end.kind == End::Kind::bound ? "node" : "nominatedNode"] = point.nodes[i];
      json["pods"].push_back(std::move(pod));
    }
    json["victims"] = point.victims;
    json["evictions"] = point.evictions;
    if (point.cycles) {
      add_cycles(*point.cycles, json);
      return json;
    }
    json["waits"] = {{"longestSeconds", seconds(point.waits.longest)}, {"neverBound", point.waits.forever}};
    if (point.waits.still > 0) json["waits"]["stillWaitingSeconds"] = seconds(point.waits.still);
    if (point.recurs) {
      json["circle"] = {{"periodSeconds", seconds(point.period)}, {"evictionsPerHour", point.evictions_per_hour}};
    }
    json["horizonReached"] = point.cut && !point.too_much;
    if (point.too_much) json["tooMuchHappens"] = true;
    if (point.varies) json["varies"] = true;
    sequence::add_costs(point.tolls, json);
    return json;
  }

  static void add_cycles(const SimulatedCycles& cycles, Json& json) {
    json["admissions"] = Json::array();
    for (const SimulatedCycles::End& end : cycles.ends) {
      Json one{{"workload", end.name}, {"end", result_name(end.result)}};
      if (end.cycle > 0) one["cycle"] = end.cycle;
      if (!end.assigned.empty()) one["assigned"] = end.assigned;
      json["admissions"].push_back(std::move(one));
    }
    json["cycles"] = cycles.cycles;
    if (cycles.loop > 0) json["loopCycles"] = cycles.loop;
    if (cycles.cut) json["cut"] = true;
  }

  static constexpr std::size_t kTurnsNamed = 5;  // values in the first line
  static constexpr std::size_t kNamesShown = 3;

  const Sweep& sweep_;
  const Task& task_;
  Provenance provenance_;
  bool line_;  // there is only one parameter
  std::vector<Interval> intervals_;
};

}  // namespace

auto sweep_report(const Sweep& sweep, const Task& task, const ReportContext& context) -> Report {
  return SweepReport(sweep, task, context).run();
}

}  // namespace previct::sweep
