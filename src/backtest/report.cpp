#include "analysis/lost_work.h"
#include "analysis/report_context.h"
#include "backtest/backtest.h"
#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::backtest {
namespace {

constexpr std::size_t kRowsShown = 20;
constexpr std::size_t kLeftOutShown = 5;
// A backtest whose rules miss every fifth decision, or every second preemption, explains the past badly.
constexpr double kGoodAgreement = 0.8;
constexpr double kGoodShare = 0.5;

auto percent(double share) -> std::string {
  return fmt::format("{:.0f}%", share * 100);
}

auto hours_json(double hours) -> Json {
  return rounded_hours(hours);
}

// Most clusters have no devices: then the column is empty, and left out.
auto device_words(double hours) -> std::string {
  return hours == 0 ? "" : hours_words(hours);
}

class BacktestReport {
 public:
  BacktestReport(const Backtest& found, bool show_all, bool keeps_full)
      : found_(found), show_all_(show_all), keeps_full_(keeps_full), compares_(!found.change.empty()) {}

  [[nodiscard]] auto run(Json records) const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    report.blocks.emplace_back(Line{{{rules(), Tone::dim}}});
    for (const std::string& gap : found_.gaps) report.blocks.emplace_back(Line{{{gap, Tone::soon}}});
    if (!found_.tolls.empty()) report.blocks.emplace_back(tolls());
    if (has_epochs()) report.blocks.emplace_back(epochs());
    report.blocks.emplace_back(Paragraph{.heading = "WAITING, BUDGETS, RUNS AND LOOPS", .lines = waiting()});
    report.blocks.emplace_back(Paragraph{.heading = "COMPARED WITH WHAT HAPPENED", .lines = comparison()});
    if (!found_.differ.empty()) report.blocks.emplace_back(differences());
    report.blocks.emplace_back(Paragraph{.heading = "NOT KNOWN", .lines = not_known(), .broken = true});
    if (found_.evictions(Side::before) + found_.evictions(Side::after) > 0) report.blocks.emplace_back(curve());
    for (const Toll& toll : found_.tolls) report.names.push_back(toll.workload);
    report.data = data(std::move(records));
    return report;
  }

 private:
  // ---- words

  [[nodiscard]] auto sentence() const -> std::string {
    const std::string span = fmt::format("{} from {} to {}", counted(found_.moments.size(), "state", "states"),
                                         format_clock(found_.moments.front().at, Instant{}),
                                         format_clock(found_.moments.back().at, Instant{}));
    const std::string result = compares_ ? fmt::format("{} instead of {} with {},", evictions(Side::after),
                                                       range_of(Side::before), joined(found_.change, ", "))
                                         : fmt::format("{} by the rules as they were", evictions(Side::before));
    const std::string doubt = doubts();
    return fmt::format("{}{} in {}.{}{}", doubt.empty() ? "" : doubt + " ", result, span, left_out(), held_up());
  }

  [[nodiscard]] auto left_out() const -> std::string {
    const std::size_t count = found_.left_out.size();
    if (count == 0) return "";
    return fmt::format(" {} be read, and {} left out.", counted(count, "more state cannot", "more states cannot"),
                       count == 1 ? "is" : "are");
  }

  // `2`; `2 to 5` if some victims are chosen again.
  [[nodiscard]] auto range_of(Side side) const -> std::string {
    const std::size_t least = found_.evictions(side);
    const std::size_t most = found_.evictions_at_most(side);
    return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  }

  [[nodiscard]] auto evictions(Side side) const -> std::string {
    return fmt::format("{} {}", range_of(side), found_.evictions_at_most(side) == 1 ? "eviction" : "evictions");
  }

  // In later states, these pods are on the nodes that they got without the change. Empty: there are none.
  [[nodiscard]] auto held_up() const -> std::string {
    if (!compares_) return "";
    const auto pods =
        static_cast<std::size_t>(std::count_if(found_.waits.begin(), found_.waits.end(), [](const Wait& wait) {
          return wait.gets[static_cast<std::size_t>(Side::before)] && !wait.gets[static_cast<std::size_t>(Side::after)];
        }));
    if (pods == 0) return "";
    return fmt::format(" {} only without the change; later evictions for {} are not known.",
                       counted(pods, "pod gets a node", "pods get a node"), pods == 1 ? "it" : "them");
  }

  // Why the result says little; empty if it fits the past.
  [[nodiscard]] auto doubts() const -> std::string {
    std::vector<std::string> why;
    const auto agreement = found_.agreement();
    if (!agreement) {
      why.emplace_back("no decision can be compared with what happened");
    } else if (*agreement < kGoodAgreement) {
      why.push_back(fmt::format("the rules fit only {} of {} decisions", percent(*agreement),
                                found_.agree + found_.differ.size()));
    }
    if (static_cast<double>(found_.expected) < kGoodShare * static_cast<double>(found_.happened))
      why.push_back(fmt::format("the states show only {} of {} before they happened", found_.expected,
                                counted(found_.happened, "preemption", "preemptions")));
    return why.empty() ? "" : fmt::format("This backtest says little: {}.", joined(why, ", and "));
  }

  [[nodiscard]] auto rules() const -> std::string {
    return fmt::format("{}; {}", found_.rules.empty() ? "no pod was pending" : joined(found_.rules, ", "),
                       found_.complete ? "input complete" : "input incomplete");
  }

  [[nodiscard]] auto waiting() const -> std::vector<Line> {
    std::vector<Line> lines;
    lines.push_back({{{fmt::format("{} waited: {}", counted(found_.waits.size(), "pod", "pods"),
                                   sides([&](Side side) { return waiting_words(side); }))}}});
    lines.push_back({{{fmt::format("victims whose PodDisruptionBudget allows no disruption: {}",
                                   sides([&](Side side) { return std::to_string(budgets(side)); }))}}});
    lines.push_back({{{runs()}}});
    if (again(Side::before) + again(Side::after) > 0)
      lines.push_back({{{fmt::format("evicted pods that started after an earlier eviction of their workload: {}",
                                     sides([&](Side side) { return again_words(side); }))}}});
    return lines;
  }

  [[nodiscard]] auto runs() const -> std::string {
    if (found_.finished == 0) return "no state shows a pod that has succeeded since the state before";
    return fmt::format(
        "{} succeeded; evictions would have cut short: {}", counted(found_.finished, "pod", "pods"),
        sides([&](Side side) { return std::to_string(found_.runs_cut[static_cast<std::size_t>(side)]); }));
  }

  [[nodiscard]] auto again(Side side) const -> std::size_t {
    std::size_t sum = 0;
    for (const Toll& toll : found_.tolls) sum += toll.again[static_cast<std::size_t>(side)];
    return sum;
  }

  [[nodiscard]] auto again_words(Side side) const -> std::string {
    const auto i = static_cast<std::size_t>(side);
    if (again(side) == 0) return "0";
    const auto most = std::max_element(found_.tolls.begin(), found_.tolls.end(),
                                       [&](const Toll& a, const Toll& b) { return a.in_a_row[i] < b.in_a_row[i]; });
    return fmt::format("{} (at most {} evictions in a row, of {})", again(side), most->in_a_row[i], most->workload);
  }

  [[nodiscard]] auto has_epochs() const -> bool {
    return std::any_of(found_.tolls.begin(), found_.tolls.end(), [](const Toll& toll) { return toll.has_epoch; });
  }

  template <class Words>
  [[nodiscard]] auto sides(const Words& words) const -> std::string {
    if (!compares_) return words(Side::before);
    return fmt::format("{} before, {} after", words(Side::before), words(Side::after));
  }

  [[nodiscard]] auto budgets(Side side) const -> std::size_t { return found_.budgets[static_cast<std::size_t>(side)]; }

  [[nodiscard]] auto waiting_words(Side side) const -> std::string {
    return fmt::format("at least {} in all, {} without a node to the end", format_age(waited(side)), never(side));
  }

  [[nodiscard]] auto waited(Side side) const -> std::int64_t {
    std::int64_t sum = 0;
    for (const Wait& wait : found_.waits) sum += wait.seconds(side);
    return sum;
  }

  [[nodiscard]] auto never(Side side) const -> std::size_t {
    return static_cast<std::size_t>(std::count_if(found_.waits.begin(), found_.waits.end(), [&](const Wait& wait) {
      return !wait.gets[static_cast<std::size_t>(side)];
    }));
  }

  [[nodiscard]] auto comparison() const -> std::vector<Line> {
    std::vector<Line> lines;
    const auto agreement = found_.agreement();
    lines.push_back({{{agreement ? fmt::format("{} of {} fit what the next state shows ({})", found_.agree,
                                               counted(found_.agree + found_.differ.size(), "decision", "decisions"),
                                               percent(*agreement))
                                 : std::string("no pod pends in one state and is seen in the next")}}});
    lines.push_back({{{fmt::format("{} happened; in {} of them, the rules named the victim, or named it as possible",
                                   counted(found_.happened, "preemption", "preemptions"), found_.expected)}}});
    return lines;
  }

  [[nodiscard]] auto not_known() const -> std::vector<Line> {
    std::vector<Line> lines = {
        {{{"Each state is decided as it was recorded: pods that a change would have kept or moved are in later states "
           "where they were. A pod gets its node once."}}},
        {{{"Tables and curve count a pod as evicted once. If it is chosen again later, another pod may be evicted in "
           "its "
           "place: the first line counts that, too, after \"to\"."}}},
        {{{"What begins and ends between two states is not seen, apart from preemptions that the later state "
           "shows."}}}};
    for (std::size_t i = 0; i < std::min(kLeftOutShown, found_.left_out.size()); ++i)
      lines.push_back({{{fmt::format("Left out: {}.", found_.left_out[i]), Tone::soon}}});
    if (found_.left_out.size() > kLeftOutShown)
      lines.push_back({{{fmt::format("{} left out.", counted(found_.left_out.size() - kLeftOutShown, "more state is",
                                                             "more states are")),
                         Tone::soon}}});
    if (found_.long_distances > 0)
      lines.push_back({{{fmt::format("{} are more than three times as far apart as usual ({}): up to {}.",
                                     counted(found_.long_distances, "pair of states", "pairs of states"),
                                     format_age(found_.usual_seconds), format_age(found_.longest_seconds)),
                         Tone::soon}}});
    if (found_.unseen > 0)
      lines.push_back(
          {{{fmt::format("{} between two states cannot be decided again: a victim is gone, and no pod like it "
                         "is left.",
                         counted(found_.unseen, "preemption", "preemptions")),
             Tone::soon}}});
    if (found_.undecided > 0)
      lines.push_back({{{fmt::format("{} cannot be told, and count as no eviction.",
                                     counted(found_.undecided, "decision", "decisions")),
                         Tone::soon}}});
    if (found_.open > 0)
      lines.push_back({{{fmt::format("{} one of several sets of victims: the tables count one set.",
                                     counted(found_.open, "decision evicts", "decisions evict")),
                         Tone::soon}}});
    return lines;
  }

  // ---- tables

  void describe(Row& row, const Toll& toll) const {
    row.text("WORKLOAD", toll.workload).key("workload");
    row.text("CLASS", toll.priority_class.empty() ? "-" : toll.priority_class)
        .key("class", present(toll.priority_class));
    both(
        row, "EVICTED", "evictions", [&](std::size_t side) { return Cell(toll.evictions[side]); },
        [&](std::size_t side) { return Json(toll.evictions[side]); });
    both(
        row, "CPU HOURS LOST", "cpuHoursLost",
        [&](std::size_t side) { return Cell(hours_words(toll.cpu_hours[side])); },
        [&](std::size_t side) { return hours_json(toll.cpu_hours[side]); });
    both(
        row, "DEVICE HOURS LOST", "deviceHoursLost",
        [&](std::size_t side) { return Cell(device_words(toll.device_hours[side])); },
        [&](std::size_t side) { return hours_json(toll.device_hours[side]); });
    row.key("startUnknown", toll.start_unknown);
    row.key("evictedAgain", sides_json(toll.again));
    row.key("inARow", sides_json(toll.in_a_row));
    row.key("runsFinished", sides_json(toll.runs_finished));
    if (!toll.has_epoch) return;
    row.key("epochsFinished", sides_json(toll.epochs_finished));
    row.key("epochsLost", sides_json(toll.epochs_lost));
    row.key("beforeFirstEpoch", sides_json(toll.before_first));
  }

  [[nodiscard]] auto sides_json(const BySide<std::size_t>& values) const -> Json {
    Json json{{"before", values[0]}};
    if (compares_) json["after"] = values[1];
    return json;
  }

  void describe_epochs(Row& row, const Toll& toll) const {
    row.text("WORKLOAD", toll.workload);
    row.text("CLASS", toll.priority_class.empty() ? "-" : toll.priority_class);
    const auto columns = [&](std::string_view head, const BySide<std::size_t>& values) {
      row.number(compares_ ? fmt::format("{} BEFORE", head) : std::string(head), Cell(values[0]));
      if (compares_) row.number(fmt::format("{} AFTER", head), Cell(values[1]));
    };
    columns("EPOCHS FINISHED", toll.epochs_finished);
    columns("EPOCHS LOST", toll.epochs_lost);
    columns("EVICTED IN THE FIRST", toll.before_first);
  }

  template <class MakeCell, class MakeJson>
  void both(Row& row, std::string_view head, std::string_view key, const MakeCell& cell, const MakeJson& json) const {
    row.number(compares_ ? fmt::format("{} BEFORE", head) : std::string(head), cell(0)).unless_empty();
    Json value{{"before", json(0)}};
    if (compares_) row.number(fmt::format("{} AFTER", head), cell(1)).unless_empty();
    if (compares_) value["after"] = json(1);
    row.key(key, std::move(value));
  }

  [[nodiscard]] auto tolls() const -> Table {
    return with_full(show_all_, keeps_full_, [&](bool all) { return first_rows(found_.tolls, all, "workloads"); });
  }

  // The epochs of the evicted pods.
  [[nodiscard]] auto epochs() const -> Table {
    std::vector<Toll> all = found_.tolls;
    std::erase_if(all, [](const Toll& toll) { return !toll.has_epoch; });
    return with_full(show_all_, keeps_full_, [&](bool every) {
      return first_rows(all, every, "workloads", [&](Row& row, const Toll& toll) { describe_epochs(row, toll); });
    });
  }

  [[nodiscard]] auto differences() const -> Table {
    return with_full(show_all_, keeps_full_, [&](bool all) { return first_rows(found_.differ, all, "differences"); });
  }

  void describe(Row& row, const Difference& each) const {
    row.text("STATE", format_clock(each.at, Instant{})).key("at", format_instant(each.at));
    row.text("POD", each.pod).key("pod");
    row.text("BY THE RULES", each.rules).key("rules");
    row.text("NEXT STATE", each.happened).key("happened");
  }

  void describe(Row& row, const Wait& wait) const {
    row.text("POD", wait.pod).key("pod");
    row.key("workload", wait.workload);
    row.key("class", present(wait.priority_class));
    row.key("priority", wait.priority);
    row.key("since", format_instant(wait.since));
    row.key("last", format_instant(wait.last));
    for (const Side side : kSides) {
      if (side == Side::after && !compares_) continue;
      const auto i = static_cast<std::size_t>(side);
      Json json{{"seconds", wait.seconds(side)}, {"evicts", wait.evicts[i]}};
      if (wait.gets[i]) json["gets"] = format_instant(*wait.gets[i]);
      row.key(i == 0 ? "before" : "after", std::move(json));
    }
  }

  template <class Value>
  [[nodiscard]] auto first_rows(const std::vector<Value>& all, bool show_all, std::string_view what) const -> Table {
    return first_rows(all, show_all, what, [&](Row& row, const Value& each) { describe(row, each); });
  }

  template <class Value, class Describe>
  [[nodiscard]] auto first_rows(const std::vector<Value>& all, bool show_all, std::string_view what,
                                const Describe& row) const -> Table {
    const std::size_t shown = show_all ? all.size() : std::min(all.size(), kRowsShown);
    Table table = table_of(std::vector<Value>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)), row);
    if (shown < all.size()) table.footer.push_back(folded_line(fmt::format("+ {} more {}", all.size() - shown, what)));
    return table;
  }

  // ---- the curve: how many pods were evicted up to some moments

  [[nodiscard]] auto curve() const -> Picture {
    constexpr std::size_t kMoments = 24;
    const std::size_t most = std::max(found_.evictions(Side::before), found_.evictions(Side::after));
    Picture picture{.title = "Evictions up to each moment", .rows = {}, .marks = {}};
    BySide<std::size_t> sum{};
    const std::size_t all = found_.moments.size();
    std::size_t next = 1;
    for (std::size_t i = 0; i < all; ++i) {
      for (const Side side : kSides)
        sum[static_cast<std::size_t>(side)] += found_.moments[i].evictions[static_cast<std::size_t>(side)];
      if ((i + 1) * std::min(kMoments, all) < next * all) continue;
      ++next;
      add_rows(found_.moments[i].at, sum, most, picture);
    }
    picture.legend = {{Tone::plain, compares_ ? "before" : "by the rules as they were"}};
    if (compares_) picture.legend.push_back({Tone::danger, "after"});
    return picture;
  }

  void add_rows(Instant at, const BySide<std::size_t>& sum, std::size_t most, Picture& picture) const {
    for (const Side side : kSides) {
      if (side == Side::after && !compares_) continue;
      const std::size_t value = sum[static_cast<std::size_t>(side)];
      Picture::Row row{.label = side == Side::before ? format_clock(at, Instant{}) : std::string(), .parts = {}};
      const auto to = static_cast<std::uint32_t>(std::uint64_t{Picture::kScale} * value / most);
      row.parts.push_back({.from = 0,
                           .to = to,
                           .name = std::to_string(value),
                           .size = side == Side::before ? "before" : "after",
                           .tone = side == Side::before ? Tone::plain : Tone::danger});
      picture.rows.push_back(std::move(row));
    }
  }

  // ---- JSON

  [[nodiscard]] auto side_json(Side side) const -> Json {
    double cpu = 0;
    double devices = 0;
    for (const Toll& toll : found_.tolls) {
      cpu += toll.cpu_hours[static_cast<std::size_t>(side)];
      devices += toll.device_hours[static_cast<std::size_t>(side)];
    }
    return {{"evictions", found_.evictions(side)},
            {"cpuHoursLost", hours_json(cpu)},
            {"deviceHoursLost", hours_json(devices)},
            {"waitedSecondsAtLeast", waited(side)},
            {"withoutNode", never(side)},
            {"victimsChosenAgain", found_.chosen_again[static_cast<std::size_t>(side)]},
            {"budgetsViolated", budgets(side)},
            {"evictedAgain", again(side)},
            {"runsCut", found_.runs_cut[static_cast<std::size_t>(side)]}};
  }

  [[nodiscard]] auto data(Json records) const -> Json {
    Json data = bare_document("BacktestReport");
    data["sentence"] = sentence();
    data["change"] = found_.change;
    data["rules"] = found_.rules;
    data["complete"] = found_.complete;
    data["gaps"] = found_.gaps;
    if (!found_.left_out.empty()) data["leftOut"] = found_.left_out;
    data["before"] = side_json(Side::before);
    if (compares_) data["after"] = side_json(Side::after);
    data["workloads"] = list_of(found_.tolls, [&](Row& row, const Toll& each) { describe(row, each); });
    data["waits"] = list_of(found_.waits, [&](Row& row, const Wait& each) { describe(row, each); });
    data["agreement"] = {
        {"agree", found_.agree},
        {"differ", list_of(found_.differ, [&](Row& row, const Difference& each) { describe(row, each); })},
        {"preemptions", found_.happened},
        {"expected", found_.expected}};
    if (const auto share = found_.agreement()) data["agreement"]["share"] = rounded_hours(*share);
    data["runsFinished"] = found_.finished;
    data["undecided"] = found_.undecided;
    data["open"] = found_.open;
    data["unseen"] = found_.unseen;
    data["items"] = std::move(records);
    return data;
  }

  const Backtest& found_;
  bool show_all_;
  bool keeps_full_;
  bool compares_;
};

}  // namespace

auto part_report(const std::string& part, std::size_t states, Json records) -> Report {
  Report report;
  report.blocks.emplace_back(Line{{{fmt::format("part {}: {} decided; -o jsonl writes what --merge needs.", part,
                                                counted(states, "state", "states")),
                                    Tone::verdict}}});
  report.data = bare_document("BacktestPart");
  report.data["part"] = part;
  report.data["items"] = std::move(records);
  return report;
}

auto backtest_report(const Backtest& result, Json records, bool show_all, bool keeps_full) -> Report {
  return BacktestReport(result, show_all, keeps_full).run(std::move(records));
}

}  // namespace previct::backtest
