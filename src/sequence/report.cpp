#include "sequence/report.h"

#include "analysis/subject.h"
#include "analysis/victims.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "engine/kube/running_release.h"
#include "engine/required_kind.h"
#include "report/rows.h"
#include "sequence/cost.h"
#include "sequence/lanes.h"
#include "sequence/modes.h"
#include "tell/cause_counts.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>

namespace previct::sequence {
namespace {

constexpr std::size_t kNamesShown = 3;

auto tone_of(EventKind what) -> Tone {
  switch (what) {
    case EventKind::deleting:
    case EventKind::gives_up:
    case EventKind::call_failed:
    case EventKind::refused: return Tone::danger;
    case EventKind::finished:
    case EventKind::bound: return Tone::safe;
    case EventKind::preempts: return Tone::verdict;
    case EventKind::arrives:
    case EventKind::created:
    case EventKind::fails:
    case EventKind::waits:
    case EventKind::held:
    case EventKind::released:
    case EventKind::requeued:
    case EventKind::nominated:
    case EventKind::cleared:
    case EventKind::marked:
    case EventKind::gone:
    case EventKind::takes: return Tone::plain;
  }
  return Tone::plain;
}

class SequenceReport {
 public:
  SequenceReport(const Sequence& sequence, const Settings& settings, const ReportContext& context)
      : sequence_(sequence),
        settings_(settings),
        context_(context),
        cluster_(context.cluster),
        provenance_(context, sequence),
        tolls_(sequence.play, settings, context.cluster) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{summary(), Tone::verdict}}});
    const std::string when =
        fmt::format("from {} UTC on ({})", format_clock(context_.now, Instant{}), source_words(context_.now_source));
    for (Line& line : provenance_.lines(when, calls())) report.blocks.emplace_back(std::move(line));
    if (auto picture = lanes(sequence_.play, cluster_)) report.blocks.emplace_back(*std::move(picture));
    report.blocks.emplace_back(foldable([&](bool all) { return timeline(all); }));
    report.blocks.emplace_back(foldable([&](bool all) { return ends(all); }));
    if (std::optional<Table> tolls = tolls_.table()) report.blocks.emplace_back(*std::move(tolls));
    if (std::optional<Table> epochs = tolls_.epochs_table()) report.blocks.emplace_back(*std::move(epochs));
    if (std::optional<Table> modes = modes_table(sequence_)) report.blocks.emplace_back(*std::move(modes));
    if (std::optional<Table> rates = rates_table(sequence_)) report.blocks.emplace_back(*std::move(rates));
    if (std::optional<Table> seeds = seeds_table(sequence_)) report.blocks.emplace_back(*std::move(seeds));
    if (std::optional<Table> metrics = metrics_table(sequence_)) report.blocks.emplace_back(*std::move(metrics));
    if (sequence_.endings.size() > 1) report.blocks.emplace_back(foldable([&](bool all) { return races(all); }));
    report.data = data();
    report.names = certain_deletions();
    return report;
  }

 private:
  // The pods that are deleted in every ending, whichever of several equal pods are evicted. New pods of the simulation
  // do not exist in the cluster.
  [[nodiscard]] auto certain_deletions() const -> std::vector<std::string> {
    std::set<PodId> replaceable;
    for (const Step& step : sequence_.play.steps) replaceable.insert(step.open.taken.begin(), step.open.taken.end());
    std::vector<std::string> names;
    for (const Step& step : sequence_.play.steps) {
      if (step.what != EventKind::deleting || step.pod.index >= sequence_.play.pods_before) continue;
      const bool always = !step.by || std::all_of(sequence_.endings.begin(), sequence_.endings.end(),
                                                  [&](const Ending& e) { return contains(e.evicted, name(step.pod)); });
      if (always && !replaceable.contains(step.pod)) names.push_back(name(step.pod));
    }
    return names;
  }

  // ---- text

  [[nodiscard]] auto summary() const -> std::string {
    const auto& ends = sequence_.play.ends;
    std::map<End::Kind, std::size_t> counts;
    std::size_t deleted = 0;
    std::map<End::Kind, std::size_t> of_new;
    std::size_t asked = 0;
    std::size_t leaving = 0;
    for (const End& end : ends) {
      const bool is_new = end.pod.index >= sequence_.play.pods_before;
      leaving += end.leaving ? 1U : 0U;
      ++(is_new ? of_new : counts)[end.kind];
      asked += is_new ? 0U : 1U;
    }
    for (const Step& step : sequence_.play.steps) deleted += step.what == EventKind::deleting && step.by ? 1U : 0U;
    std::vector<std::string> parts;
    for (const auto& [kind, count] : counts) parts.push_back(ended(kind, count));
    std::size_t violating = 0;
    for (const Step& step : sequence_.play.steps) violating += step.violates.size();
    if (deleted > 0 && !sequence_.play.circle) {
      parts.push_back(counted(deleted, "pod", "pods") + " evicted to free resources");
      if (violating > 0) parts.back() += fmt::format(", {} in violation of a PodDisruptionBudget", violating);
    }
    const std::string races =
        sequence_.endings.size() > 1
            ? fmt::format(" {}: {}{} results are possible.", deleted > 0 ? "This is a race" : "Chance decides",
                          sequence_.more_choices || sequence_.more_orders ? "at least " : "", sequence_.endings.size())
            : "";
    if (ends.empty() && sequence_.play.steps.empty()) return without_pods();
    std::vector<std::string> new_parts;
    for (const auto& [kind, count] : of_new) {
      new_parts.push_back(ended(kind, count));
      if (kind == End::Kind::bound && leaving > 0)
        new_parts.back() += leaving == count ? " (being deleted)" : fmt::format(" ({} of them being deleted)", leaving);
    }
    const std::string others = new_parts.empty() ? "" : fmt::format(" New pods: {}.", joined(new_parts, ", "));
    const std::string subject =
        asked == 0 ? "No pod is pending at the start;" : counted(asked, "pending pod", "pending pods");
    if (parts.empty()) {
      parts = without_preemption();
    } else if (std::string jobs = failed_jobs(); !jobs.empty()) {
      parts.push_back(std::move(jobs));
    }
    const std::string ended_words = parts.empty() ? "no pod is evicted" : joined(parts, ", ");
    const std::string_view others_thrash = sequence_.others_thrash && !tolls_.thrashes()
                                               ? " In another course of events, pods are evicted over and over."
                                               : "";
    return fmt::format("{}{} {}: {}.{}{}{}{}{}{}", not_simulated(), subject, length(), ended_words, others, races,
                       others_thrash, unfinished(), tolls_.sentences(), slo_sentence(sequence_));
  }

  // `Job d/j fails and deletes 2 more pods`: what a deleted pod costs besides itself.
  [[nodiscard]] auto failed_jobs() const -> std::string {
    std::set<PodOwner> jobs;
    std::set<PodId> deleted;
    for (const Step& step : sequence_.play.steps) {
      const bool fails = step.what == EventKind::gives_up;
      if (!fails && (step.what != EventKind::deleting || step.by || jobs.empty())) continue;
      const PodOwner owner = owner_of_pod(cluster_, sequence_.play.root(step.pod, cluster_));
      if (fails) {
        jobs.insert(owner);
      } else if (jobs.contains(owner)) {
        deleted.insert(step.pod);
      }
    }
    if (jobs.empty()) return {};
    const bool one = jobs.size() == 1;
    const std::string fail =
        one ? fmt::format("{} fails", describe_owner(*jobs.begin())) : fmt::format("{} Jobs fail", jobs.size());
    return deleted.empty() ? fail
                           : fmt::format("{} and {} {}", fail, one ? "deletes" : "delete",
                                         counted(deleted.size(), "more pod", "more pods"));
  }

  // `2 pods deleted, 1 not evicted`: by a drain, a taint, or a Job that fails.
  [[nodiscard]] auto without_preemption() const -> std::vector<std::string> {
    std::set<PodId> deleted;
    std::set<PodId> refused;
    std::size_t lost = 0;
    std::size_t failed_jobs = 0;
    for (const Step& step : sequence_.play.steps) {
      if (step.what == EventKind::deleting) deleted.insert(step.pod);
      if (step.what == EventKind::refused) refused.insert(step.pod);
      lost += step.what == EventKind::gone && !step.node ? 1U : 0U;
      failed_jobs += step.what == EventKind::gives_up ? 1U : 0U;
    }
    std::erase_if(refused, [&](PodId pod) { return deleted.contains(pod); });
    std::vector<std::string> parts;
    if (lost > 0) parts.push_back(counted(lost, "pod", "pods") + " lost");
    if (!deleted.empty()) parts.push_back(counted(deleted.size(), "pod", "pods") + " deleted");
    if (!refused.empty())
      parts.push_back(fmt::format("the eviction of {} refused", counted(refused.size(), "pod", "pods")));
    if (failed_jobs > 0) parts.push_back(counted(failed_jobs, "Job fails", "Jobs fail"));
    return parts;
  }

  // No input shows when YuniKorn's quota preemption evicts pods; the simulation leaves it out.
  [[nodiscard]] auto quota_preemption() const -> std::string {
    std::vector<std::string> queues;
    for (const Gap& gap : sequence_.gaps) {
      if (gap.rule == GapRule::yunikorn_quota_preemption) queues.push_back(gap.operands.front());
    }
    if (queues.empty()) return {};
    return fmt::format("Cannot tell, because quota preemption of {} {} is not simulated.",
                       queues.size() == 1 ? "queue" : "queues", joined_up_to(kNamesShown, queues));
  }
  [[nodiscard]] auto not_simulated() const -> std::string {
    const std::string quota = quota_preemption();
    return release_in_doubt() + (quota.empty() ? "" : quota + " Without it: ") + unknown_pods();
  }
  // `Cannot tell, because the scheduler's pods run 1.33 and 1.34, ... With 1.34: `
  [[nodiscard]] auto release_in_doubt() const -> std::string {
    const auto gap = std::find_if(sequence_.gaps.begin(), sequence_.gaps.end(),
                                  [](const Gap& each) { return each.decides && kube::names_running_releases(each); });
    if (gap == sequence_.gaps.end()) return {};
    return fmt::format("Cannot tell, because {}. With the newest of them: ", because_words(*gap));
  }
  // `Cannot tell about 2 pods, because extender http://x is not modeled. Without their further decisions: `
  [[nodiscard]] auto unknown_pods() const -> std::string {
    CauseCounts because;
    std::size_t pods = 0;
    for (const End& end : sequence_.play.ends) {
      if (end.kind != End::Kind::not_simulated || !end.unknown) continue;
      ++pods;
      because.add(*end.unknown);
    }
    if (pods == 0) return {};
    return fmt::format("Cannot tell about {}{}. Without {} further decisions: ", counted(pods, "pod", "pods"),
                       because.is_one() ? ", because " + because.words() : fmt::format(" ({})", because.words()),
                       pods == 1 ? "its" : "their");
  }
  [[nodiscard]] auto without_pods() const -> std::string {
    const std::string quota = quota_preemption();
    if (lacks(cluster_.objects(), kinds::pods))
      return "The input has no pods, so it is not known which are pending: nothing to simulate.";
    const Engine* const engine = find_engine(sequence_.engine);
    const bool of_workloads = engine != nullptr && engine->simulates_cycles();
    if (quota.empty())
      return fmt::format("No pending {} takes part: nothing to simulate.", of_workloads ? "workload or pod" : "pod");
    return quota +
           " No pending pod takes part. `previct explain POD` about a running pod of the queue names the victims.";
  }

  [[nodiscard]] auto unfinished() const -> std::string {
    if (sequence_.unfinished == 0) return {};
    return fmt::format(
        " {} not simulated to the end: pods change too fast, or decisions examine too many of them.",
        counted(sequence_.unfinished, "other possible course of events was", "other possible courses of events were"));
  }

  // `2 bound`, `1 waits`, `2 wait`
  static auto ended(End::Kind kind, std::size_t count) -> std::string {
    if (kind == End::Kind::waits) return fmt::format("{} {}", count, count == 1 ? "waits" : "wait");
    if (kind == End::Kind::deleting) return fmt::format("{} being deleted", count);
    if (kind == End::Kind::not_simulated) return fmt::format("{} not simulated", count);
    if (kind == End::Kind::error) return fmt::format("{} in error", count);
    return fmt::format("{} {}", count, end_name(kind));
  }

  [[nodiscard]] auto length() const -> std::string {
    if (sequence_.play.circle) return "in an endless loop";
    if (sequence_.play.too_much) {
      const bool work = sequence_.play.work >= settings_.most_work;
      return fmt::format("within {}, where the simulation stopped: {}", format_offset(sequence_.play.length).substr(1),
                         work ? "its decisions involve too many pods and nodes" : "pods change too fast");
    }
    if (sequence_.play.cut) {
      return fmt::format("within {}, with more to come (--horizon)", format_offset(settings_.horizon).substr(1));
    }
    if (sequence_.play.length == 0) return "at once";
    return "after " + format_offset(sequence_.play.length).substr(1);
  }

  // Describes how fast the scheduler may call the API server, if calls are simulated.
  [[nodiscard]] auto calls() const -> std::string {
    if (!sequence_.calls_played) return {};
    return fmt::format("{}, {} each", rate(), format_offset(settings_.api_latency).substr(1));
  }

  [[nodiscard]] auto rate() const -> std::string {
    if (settings_.pace.qps < 0) return "calls without limit";
    return fmt::format("{:g} calls/s after {} at once", settings_.pace.qps, settings_.pace.burst);
  }

  [[nodiscard]] auto name(PodId pod) const -> std::string { return pod ? sequence_.play.key(pod, cluster_) : "-"; }
  [[nodiscard]] auto name(NodeId node) const -> std::string { return node ? std::string(cluster_.name(node)) : "-"; }

  template <class Make>
  [[nodiscard]] auto foldable(const Make& make) const -> Table {
    return with_full(context_.show_all, context_.keeps_full, make);
  }

  // Returns true for steps that say the same about consecutive victims.
  [[nodiscard]] static auto same_row(const Step& a, const Step& b) -> bool {
    const bool of_victims = a.what == EventKind::marked || a.what == EventKind::deleting || a.what == EventKind::gone;
    return of_victims && a.what == b.what && a.by == b.by && a.node == b.node && a.why == b.why && a.until == b.until;
  }

  [[nodiscard]] auto names(std::size_t begin, std::size_t end) const -> std::string {
    std::vector<PodId> pods;
    for (std::size_t i = begin; i < end; ++i) pods.push_back(sequence_.play.steps[i].pod);
    return names(pods);
  }
  [[nodiscard]] auto names(const std::vector<PodId>& pods) const -> std::string {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < pods.size() && i < kNamesShown; ++i) list.push_back(name(pods[i]));
    const std::size_t more = pods.size() - list.size();
    return joined(list, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
  }

  struct Shown {
    std::string time;
    Cell what;
    std::string pods;
    std::string node;
    std::string why;
  };

  [[nodiscard]] auto timeline(bool show_all) const -> Table {
    const auto& steps = sequence_.play.steps;
    // Of a loop, only the first round is shown: the others are the same.
    const auto& circle = sequence_.play.circle;
    const bool folded = circle && !show_all;
    const auto beyond = [&](const Step& step) { return folded && step.at > circle->from + circle->period; };
    const auto shown = static_cast<std::size_t>(std::find_if(steps.begin(), steps.end(), beyond) - steps.begin());
    // `-o json` lists all of them.
    constexpr std::size_t kRowsShown = 100;
    constexpr std::size_t kWorthHiding = 30;
    std::vector<Shown> rows;
    std::vector<Line> footer;
    for (std::size_t i = 0; i < shown;) {
      if (!show_all && rows.size() >= kRowsShown && shown - i >= kWorthHiding) {
        footer.push_back(folded_line(fmt::format("+ {} until {}", counted(shown - i, "more step", "more steps"),
                                                 format_offset(steps[shown - 1].at))));
        break;
      }
      const auto [length, times] = show_all ? std::pair<std::size_t, std::size_t>{1, 1} : repetition(i);
      if (times == 1) {
        i = add_row(rows, i, show_all ? i + 1 : shown);
        continue;
      }
      for (std::size_t at = i; at < i + length;) at = add_row(rows, at, i + length);
      const std::size_t last = i + length * times - 1;
      const std::string until = format_offset(steps[last].at);
      rows.push_back({fmt::format("..{}", until), "the same", "-", "-",
                      fmt::format("{} more, until {}", counted(times - 1, "time", "times"), until)});
      i = last + 1;
    }
    if (shown < steps.size()) {
      rows.push_back({fmt::format("{}..", format_offset(circle->from + circle->period)), "the same", "-", "-",
                      fmt::format("every {}, from {} on", format_length(circle->period), format_offset(circle->from))});
    }
    Table table = table_of(rows, [](Row& row, const Shown& each) {
      row.text("TIME", each.time);
      row.text("WHAT", each.what);
      row.text("POD", each.pods);
      row.text("NODE", each.node).optional();
      row.text("WHY", each.why);
    });
    table.footer = std::move(footer);
    return table;
  }

  // Returns how many steps from `begin` on are repeated right away, and how often in all. A scheduler whose calls fail
  // tries the same over and over.
  [[nodiscard]] auto repetition(std::size_t begin) const -> std::pair<std::size_t, std::size_t> {
    constexpr std::size_t kLongest = 5;
    constexpr std::size_t kWorthFolding = 4;
    const auto& steps = sequence_.play.steps;
    for (std::size_t length = 2; length <= kLongest; ++length) {
      std::size_t end = begin + length;
      while (end < steps.size() && same_but_time(steps[end], steps[end - length])) ++end;
      const std::size_t times = (end - begin) / length;
      if (times >= kWorthFolding) return {length, times};
    }
    return {1, 1};
  }
  static auto same_but_time(const Step& a, const Step& b) -> bool {
    return a.what == b.what && a.pod == b.pod && a.node == b.node && a.by == b.by && a.victims == b.victims &&
           a.why == b.why;
  }

  // Adds one row for the steps from `begin` on that share it; returns the first step after them.
  auto add_row(std::vector<Shown>& rows, std::size_t begin, std::size_t limit) const -> std::size_t {
    const auto& steps = sequence_.play.steps;
    std::size_t end = begin + 1;
    while (end < limit && same_row(steps[begin], steps[end])) ++end;
    const Step& step = steps[begin];
    const bool stretch = steps[end - 1].at != step.at;
    rows.push_back({format_offset(step.at) + (stretch ? ".." + format_offset(steps[end - 1].at) : ""),
                    {what_name(step.what), tone_of(step.what)},
                    names(begin, end),
                    name(step.node),
                    why(step)});
    return end;
  }

  [[nodiscard]] auto why(const Step& step) const -> std::string {
    std::vector<std::string> parts;
    if (step.what == EventKind::preempts) {
      parts.push_back(
          fmt::format("{}: {}", counted(step.victims.size(), "victim", "victims"),
                      choice_words(step.victims, step.open, [&](const auto& pods) { return names(pods); })));
    }
    if (std::string violated = violations(step); !violated.empty()) parts.push_back(std::move(violated));
    if (step.by) parts.push_back(fmt::format("for {}", name(step.by)));
    if (step.what == EventKind::deleting) parts.push_back(fmt::format("grace until {}", format_offset(step.until)));
    if (!step.why.empty()) parts.push_back(step.why);
    if (step.what == EventKind::requeued && step.until != 0) {
      parts.push_back(fmt::format("between {} and {}", format_offset(step.from), format_offset(step.until)));
    }
    return parts.empty() ? "-" : joined(parts, "; ");
  }

  // `violates PodDisruptionBudget ml/db (ml/db-0, ml/db-1), ml/web (ml/web-2)`
  [[nodiscard]] auto violations(const Step& step) const -> std::string {
    std::map<std::string, std::vector<PodId>> pods_of;
    for (const auto& [pod, budget] : step.violates) pods_of[budget].push_back(pod);
    std::vector<std::string> parts;
    for (const auto& [budget, pods] : pods_of) parts.push_back(fmt::format("{} ({})", budget, names(pods)));
    if (parts.empty()) return {};
    return fmt::format("violates {} {}", parts.size() == 1 ? "PodDisruptionBudget" : "PodDisruptionBudgets",
                       joined(parts, ", "));
  }

  [[nodiscard]] auto ends(bool show_all) const -> Table {
    constexpr std::size_t kNewShown = 12;
    std::size_t new_shown = 0;
    std::map<End::Kind, std::size_t> folded;
    std::vector<const End*> shown;
    for (const End& end : sequence_.play.ends) {
      const bool is_new = end.pod.index >= sequence_.play.pods_before;
      if (is_new && !show_all && new_shown++ >= kNewShown) {
        ++folded[end.kind];
      } else {
        shown.push_back(&end);
      }
    }
    Table table = table_of(shown, [this](Row& row, const End* end) { end_row(row, *end); });
    std::vector<std::string> more;
    for (const auto& [kind, count] : folded) more.push_back(ended(kind, count));
    if (!more.empty()) table.footer.push_back(folded_line(fmt::format("+ more new pods: {}", joined(more, ", "))));
    return table;
  }

  void end_row(Row& row, const End& end) const {
    const bool placed = end.kind == End::Kind::bound;
    row.text("POD", end.name).key("pod");
    // Other endings have new pods of their own.
    row.number("PRIORITY", [&] { return sequence_.play.pod(end.pod, cluster_).spec.priority; }).optional();
    row.text("END", {end_name(end.kind), tone_of(end.kind)}).key("end").key("inPlaceOf", present(end.after));
    row.text("NODE", name(end.node));
    if (end.node) row.key(placed ? "node" : "nominatedNode");
    row.text("AT", format_offset(end.at)).key("at", seconds(end.at));
    row.number("TRIED", end.attempts).optional().key("attempts");
    row.number("DELETED", end.victims.size()).key("deleted", end.deleted);
    row.text("WHY", end.why.empty() ? "-" : end.why).key("why", present(end.why));
    row.key("beingDeleted", only_if(end.leaving));
  }

  [[nodiscard]] auto end_words(const End& end, bool first) const -> std::string {
    const bool placed = end.kind == End::Kind::bound;
    std::string words = fmt::format("{} {}{}", end.name, end_name(end.kind), placed ? " on " + name(end.node) : "");
    if (placed && sequence_.endings.back().by_order) words += fmt::format(" at {}", format_offset(end.at));
    if (end.kind == End::Kind::stuck && !first) words += fmt::format(" ({})", end.why);
    return words;
  }

  static auto evicted_words(const Ending& ending) -> std::string {
    return ending.evicted.empty() ? "no pod evicted"
                                  : fmt::format("{} evicted", joined_up_to(kNamesShown, ending.evicted));
  }

  // Describes one ending. If there are many pods, it omits those that end alike in all endings.
  [[nodiscard]] auto result_words(const Ending& ending, const std::map<std::string, std::size_t>& in_endings,
                                  bool show_all) const -> std::string {
    constexpr std::size_t kEndsShown = 8;
    std::vector<std::string> parts;
    for (const End& end : ending.ends) parts.push_back(end_words(end, &ending == &sequence_.endings.front()));
    if (sequence_.evictions_differ) parts.push_back(evicted_words(ending));
    if (show_all || parts.size() <= kEndsShown) return joined(parts, ", ");
    std::erase_if(parts, [&](const std::string& part) { return in_endings.at(part) == sequence_.endings.size(); });
    if (parts.empty()) return "like another, except for the order of events";
    return joined_up_to(kEndsShown, std::move(parts));
  }

  // Without the words of its result, which depend on the other endings.
  void ending_row(Row& row, const Ending& ending) const {
    const std::string when = ending.when.empty() ? "no single pair of events decides" : ending.when;
    row.key("ends", [&] { return ends_json(ending.ends); });
    row.key("evicted", ending.evicted);
    row.text("WHEN", fmt::format("{} ({} of {} runs)", when, ending.courses, sequence_.courses));
    row.key("courses", ending.courses).key("when", present(ending.when));
  }

  [[nodiscard]] auto races(bool show_all) const -> Table {
    std::map<std::string, std::size_t> in_endings;
    for (const Ending& ending : sequence_.endings) {
      for (const End& end : ending.ends) ++in_endings[end_words(end, &ending == &sequence_.endings.front())];
      if (sequence_.evictions_differ) ++in_endings[evicted_words(ending)];
    }
    constexpr std::size_t kResultsShown = 12;
    const std::span all(sequence_.endings);
    const std::size_t more = show_all ? 0 : all.size() - std::min(all.size(), kResultsShown);
    Table table = table_of(all.first(all.size() - more), [&](Row& row, const Ending& ending) {
      row.text("RESULT", result_words(ending, in_endings, show_all), Tone::verdict);
      ending_row(row, ending);
    });
    if (more > 0)
      table.footer.push_back(folded_line(fmt::format("+ {}", counted(more, "more result", "more results"))));
    return table;
  }

  // ---- JSON; an absent key means none

  [[nodiscard]] auto pod_names(const std::vector<PodId>& pods) const -> Json {
    Json list = Json::array();
    for (const PodId pod : pods) list.push_back(name(pod));
    return list;
  }

  [[nodiscard]] auto step_json(const Step& step) const -> Json {
    Json json{{"at", seconds(step.at)}, {"what", what_name(step.what)}, {"pod", name(step.pod)}};
    if (step.node) json["node"] = name(step.node);
    if (step.by) json["by"] = name(step.by);
    if (step.what == EventKind::preempts) json["victims"] = pod_names(step.victims);
    for (const auto& [pod, budget] : step.violates)
      json["violates"].push_back({{"pod", name(pod)}, {"budget", budget}});
    add_choice(
        step.open, [&](PodId pod) { return name(pod); }, json);
    if (step.from != 0) json["from"] = seconds(step.from);
    if (step.until != 0) json["until"] = seconds(step.until);
    if (!step.why.empty()) json["why"] = step.why;
    return json;
  }

  [[nodiscard]] auto ends_json(const std::vector<End>& ends) const -> Json {
    return list_of(ends, std::bind_front(&SequenceReport::end_row, this));
  }

  [[nodiscard]] auto data() const -> Json {
    Json out = provenance_.document("SequenceReport");
    out["settings"] = {{"qps", settings_.pace.qps},
                       {"burst", settings_.pace.burst},
                       {"initialBackoffSeconds", settings_.pace.initial_backoff},
                       {"maxBackoffSeconds", settings_.pace.max_backoff},
                       {"apiLatencySeconds", seconds(settings_.api_latency)},
                       {"cycleSeconds", seconds(settings_.cycle_time)},
                       {"flushSeconds", settings_.question.flush_seconds.value_or(settings_.pace.flush)},
                       {"horizonSeconds", seconds(settings_.horizon)}};
    out["length"] = seconds(sequence_.play.length);
    out["horizonReached"] = sequence_.play.cut && !sequence_.play.too_much;
    if (sequence_.play.too_much) out["tooMuchHappens"] = true;
    out["steps"] = Json::array();
    for (const Step& step : sequence_.play.steps) out["steps"].push_back(step_json(step));
    out["ends"] = ends_json(sequence_.play.ends);
    if (sequence_.others_thrash) out["othersThrash"] = true;
    out["endings"] = list_of(sequence_.endings, std::bind_front(&SequenceReport::ending_row, this));
    out["coursesPlayed"] = sequence_.courses;
    if (sequence_.unfinished > 0) out["coursesUnfinished"] = sequence_.unfinished;
    tolls_.add_to(out);
    add_modes(sequence_, out);
    return out;
  }

  const Sequence& sequence_;
  const Settings& settings_;
  const ReportContext& context_;
  const Snapshot& cluster_;
  Provenance provenance_;
  SimulationCosts tolls_;
};

}  // namespace

auto tone_of(End::Kind kind) -> Tone {
  switch (kind) {
    case End::Kind::bound:
    case End::Kind::finished: return Tone::safe;
    case End::Kind::removed:
    case End::Kind::evicted:
    case End::Kind::stuck:
    case End::Kind::error: return Tone::danger;
    case End::Kind::waits: return Tone::soon;
    case End::Kind::unschedulable:
    case End::Kind::pending:
    case End::Kind::gated:
    case End::Kind::not_simulated:
    case End::Kind::deleting: return Tone::plain;
  }
  return Tone::plain;
}

auto format_offset(Time at) -> std::string {
  const Time millis = at / kMillisecond;
  const Time minutes = millis / 60'000;
  const Time rest = millis % 60'000;
  std::string text = minutes == 0   ? "+"
                     : minutes < 60 ? fmt::format("+{}m", minutes)
                                    : fmt::format("+{}h{}m", minutes / 60, minutes % 60);
  if (rest % 1000 == 0) return fmt::format("{}{}s", text, rest / 1000);
  std::string digits = fmt::format("{:03}", rest % 1000);
  while (digits.back() == '0') digits.pop_back();
  return fmt::format("{}{}.{}s", text, rest / 1000, digits);
}

auto sequence_report(const Sequence& sequence, const Settings& settings, const ReportContext& context) -> Report {
  return SequenceReport(sequence, settings, context).run();
}

}  // namespace previct::sequence
