#include "sequence/modes.h"

#include "base/text.h"
#include "report/rows.h"
#include "sequence/cost.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace previct::sequence {
namespace {

// Returns the preemptions decided per second. A single one has no rate.
auto rate(const Metrics& metrics) -> std::optional<double> {
  if (metrics.preemptions < 2 || metrics.last_preemption <= metrics.first_preemption) return {};
  return static_cast<double>(metrics.preemptions - 1) / seconds(metrics.last_preemption - metrics.first_preemption);
}

// Returns the quantile: a share `part` of the times is not above it.
auto quantile(std::vector<Time> times, double part) -> Time {
  std::sort(times.begin(), times.end());
  const auto at = static_cast<std::size_t>(std::lround(part * static_cast<double>(times.size() - 1)));
  return times[std::min(at, times.size() - 1)];
}

// A simulation in one mode of preemption; `asked`: it is the one in question, not a comparison.
struct Mode {
  const SimulationResult& play;
  bool asynchronous;
  bool asked;
};

constexpr double kHalf = 0.5;

void add_times(Row& row, std::string_view head, const std::vector<Time>& times, Time longest, std::string_view words) {
  row.number(head, times.empty() ? "-" : format_length(quantile(times, kHalf)));
  row.number("LONGEST", words);
  if (!times.empty())
    row.key("secondsToBind", {{"median", seconds(quantile(times, kHalf))}, {"longest", seconds(longest)}});
}

auto mode_name(bool asynchronous) -> std::string {
  return asynchronous ? "asynchronous" : "synchronous";
}

constexpr double kSlo = 0.01;

auto sum(const std::vector<std::size_t>& values) -> std::size_t {
  return std::accumulate(values.begin(), values.end(), std::size_t{0});
}

// What the release's metrics say about goroutines. A release that counts a goroutine when it begins counts it as a
// success without duration.
struct Goroutines {
  std::size_t succeeded = 0;
  std::size_t failed = 0;
  double seconds = 0;
};
auto goroutines_of(const Metrics& metrics) -> Goroutines {
  if (!metrics.goroutines_count_by_result) return {metrics.goroutines_succeeded + metrics.goroutines_failed, 0, 0};
  return {metrics.goroutines_succeeded, metrics.goroutines_failed, seconds(metrics.goroutines_took)};
}

constexpr std::string_view kAttempts = "scheduler_preemption_attempts_total";
constexpr std::string_view kVictims = "scheduler_preemption_victims";
constexpr std::string_view kExecution = "scheduler_preemption_goroutines_execution_total";
constexpr std::string_view kDuration = "scheduler_preemption_goroutines_duration_seconds";

auto with_result(std::string_view name, std::string_view result) -> std::string {
  return fmt::format("{}{{result=\"{}\"}}", name, result);
}

auto victims_json(const std::vector<std::size_t>& victims, Json& json) {
  json[fmt::format("{}_count", kVictims)] = victims.size();
  json[fmt::format("{}_sum", kVictims)] = sum(victims);
  constexpr std::size_t kLargestBucket = 64;
  for (std::size_t bound = 1; bound <= kLargestBucket; bound *= 2) {
    json[fmt::format("{}_bucket{{le=\"{}\"}}", kVictims, bound)] =
        std::count_if(victims.begin(), victims.end(), [&](std::size_t count) { return count <= bound; });
  }
}

auto slo_json(const FailureRate& rate) -> Json {
  return {{"failed", rate.failed},
          {"of", rate.of},
          {"failureRate", std::round(rate.rate() * 1e6) / 1e6},
          {"limit", kSlo},
          {"met", !rate.misses_slo()}};
}

auto metrics_json(const Metrics& metrics, bool asynchronous) -> Json {
  Json json{{"scheduler_schedule_attempts_total{result=\"scheduled\"}", metrics.scheduled},
            {"scheduler_schedule_attempts_total{result=\"unschedulable\"}", metrics.unschedulable},
            {"scheduler_schedule_attempts_total{result=\"error\"}", metrics.error},
            {std::string(kAttempts), metrics.preemption_attempts}};
  victims_json(metrics.victims, json);
  if (!asynchronous) return json;
  // These metrics are registered only with the feature gate.
  const Goroutines goroutines = goroutines_of(metrics);
  json[with_result(kExecution, "success")] = goroutines.succeeded;
  json[with_result(kExecution, "error")] = goroutines.failed;
  json[fmt::format("{}_count", kDuration)] = goroutines.succeeded + goroutines.failed;
  json[fmt::format("{}_sum", kDuration)] = goroutines.seconds;
  return json;
}

void mode_row(Row& row, const Mode& mode) {
  const Metrics& metrics = mode.play.metrics;
  const auto speed = rate(metrics);
  const auto& times = metrics.time_to_bind;
  const Time longest = times.empty() ? 0 : quantile(times, 1);
  row.text("PREEMPTION", mode_name(mode.asynchronous) + (mode.asked ? "" : " (for comparison)"));
  row.key("mode", mode_name(mode.asynchronous));
  row.number("PREEMPTIONS", metrics.preemptions).key("preemptors");
  row.number("PER SECOND", speed ? fmt::format("{:.1f}", *speed) : "-");
  row.key("preemptorsPerSecond", speed ? Json(*speed) : Json());
  row.number("BOUND", times.size());
  add_times(row, "TIME TO BIND", times, longest, times.empty() ? "-" : format_length(longest));
  row.key("metrics", metrics_json(metrics, mode.asynchronous)).key("slo", slo_json(failure_rate(metrics)));
  if (!mode.asynchronous) return;
  row.key("failedPreemptions", metrics.goroutines_failed).key("secondsOfCalls", seconds(metrics.goroutines_took));
}

// In the mode in question, and in the other one if that was simulated.
auto modes_of(const Sequence& sequence) -> std::vector<Mode> {
  std::vector<Mode> modes{{sequence.play, sequence.play.asynchronous, true}};
  if (sequence.other_mode) modes.push_back({*sequence.other_mode, !sequence.play.asynchronous, false});
  return modes;
}

void rate_row(Row& row, const RateResult& each) {
  const auto speed = rate(each.metrics);
  const std::vector<Time>& times = each.waits.bound;
  row.number("ARRIVALS PER SECOND", fmt::format("{:g}", each.per_second)).key("arrivalsPerSecond", each.per_second);
  row.text("PREEMPTION", mode_name(each.asynchronous)).key("mode");
  row.number("PREEMPTIONS", each.metrics.preemptions).key("preemptors").key("bound", times.size());
  row.number("PER SECOND", speed ? fmt::format("{:.1f}", *speed) : "-");
  row.key("preemptorsPerSecond", speed ? Json(*speed) : Json());
  row.number("BOUND", times.size());
  add_times(row, "TIME FROM ARRIVAL TO BIND", times, each.waits.longest, each.waits.words());
}

}  // namespace

auto modes_table(const Sequence& sequence) -> std::optional<Table> {
  if (!sequence.other_mode || sequence.play.metrics.preemptions < 2) return {};
  return table_of(modes_of(sequence), mode_row);
}

void add_modes(const Sequence& sequence, Json& document) {
  if (!sequence.calls_played || sequence.play.metrics.preemption_attempts == 0) return;
  document["preemptionModes"] = list_of(modes_of(sequence), mode_row);
  if (!sequence.rates.empty()) document["rates"] = list_of(sequence.rates, rate_row);
  if (sequence.seeds.empty()) return;
  Json seeds{{"slo", slo_json(failure_rate(sequence))}, {"items", Json::array()}};
  for (const SeedResult& each : sequence.seeds) {
    seeds["items"].push_back({{"seed", each.seed},
                              {"preemptions", each.preemptions},
                              {"failedPreemptions", each.failed},
                              {"evictions", each.evicted},
                              {"bound", each.bound},
                              {"length", seconds(each.length)}});
  }
  document["seeds"] = std::move(seeds);
}

auto failure_rate(const Metrics& metrics) -> FailureRate {
  return {metrics.failed(), metrics.ended()};
}

auto failure_rate(const Sequence& sequence) -> FailureRate {
  if (sequence.seeds.empty()) return failure_rate(sequence.play.metrics);
  FailureRate all;
  for (const SeedResult& each : sequence.seeds) {
    all.failed += each.failed;
    all.of += each.preemptions;
  }
  return all;
}

auto slo_sentence(const Sequence& sequence) -> std::string {
  const FailureRate rate = failure_rate(sequence);
  if (!rate.misses_slo()) return {};
  const std::string seeds =
      sequence.seeds.empty() ? "" : fmt::format(" with {}", counted(sequence.seeds.size(), "seed", "seeds"));
  return fmt::format(" {} of {}{}: the SLO of KEP-4832, a failure rate below {}, is missed.", rate.failed,
                     counted(rate.of, "preemption fails", "preemptions fail"), seeds, kSlo);
}

auto metrics_table(const Sequence& sequence) -> std::optional<Table> {
  const Metrics& metrics = sequence.play.metrics;
  if (!sequence.calls_played || metrics.preemption_attempts == 0) return {};
  struct Metric {
    std::string name;
    std::string value;
    std::string in_fact = "-";
  };
  const auto text = [](const auto& value) { return fmt::format("{}", value); };
  std::vector<Metric> all{{std::string(kAttempts), text(metrics.preemption_attempts)},
                          {fmt::format("{}_count", kVictims), text(metrics.victims.size())},
                          {fmt::format("{}_sum", kVictims), text(sum(metrics.victims))}};
  const bool asynchronous = sequence.play.asynchronous;
  if (asynchronous) {
    const Goroutines said = goroutines_of(metrics);
    all.push_back({with_result(kExecution, "success"), text(said.succeeded), text(metrics.goroutines_succeeded)});
    all.push_back({with_result(kExecution, "error"), text(said.failed), text(metrics.goroutines_failed)});
    all.push_back({fmt::format("{}_sum", kDuration), fmt::format("{:g}", said.seconds),
                   fmt::format("{:g}", seconds(metrics.goroutines_took))});
  }
  Table table = table_of(all, [](Row& row, const Metric& metric) {
    row.text("METRIC", metric.name);
    row.number("VALUE", metric.value);
    row.number("IN FACT", metric.in_fact);
  });
  table.only_in_full = true;
  const FailureRate rate = failure_rate(metrics);
  const std::string seed = sequence.seeds.empty() ? "" : fmt::format(" with seed {}", sequence.seeds.front().seed);
  std::string slo =
      fmt::format("failure rate of {}{}: {:.4g}", counted(rate.of, "preemption", "preemptions"), seed, rate.rate());
  if (rate.of == 0) slo = "failure rate: no preemption has ended";
  slo += fmt::format("; SLO of KEP-4832: below {}, {}", kSlo, rate.misses_slo() ? "missed" : "met");
  if (asynchronous && !metrics.goroutines_count_by_result && rate.of > 0)
    slo += "; before 1.37, the scheduler counts each goroutine as a success with duration 0";
  table.footer.push_back({{{slo, rate.misses_slo() ? Tone::danger : Tone::plain}}});
  return table;
}

auto rates_table(const Sequence& sequence) -> std::optional<Table> {
  if (sequence.rates.empty()) return {};
  return table_of(sequence.rates, rate_row);
}

auto seeds_table(const Sequence& sequence) -> std::optional<Table> {
  if (sequence.seeds.empty()) return {};
  const std::vector<SeedResult>& seeds = sequence.seeds;
  struct Measure {
    std::string_view name;
    std::string least;
    std::string median;
    std::string most;
  };
  std::vector<Measure> all;
  const auto add = [&](std::string_view name, const auto& value_of, const auto& words) {
    std::vector<decltype(value_of(seeds.front()))> values;
    for (const SeedResult& each : seeds) values.push_back(value_of(each));
    std::sort(values.begin(), values.end());
    all.push_back({name, words(values.front()), words(values[(values.size() - 1) / 2]), words(values.back())});
  };
  const auto number = [](std::size_t value) { return std::to_string(value); };
  const auto part = [](double value) { return fmt::format("{:.4g}", value); };
  add(
      "preemptions", [](const SeedResult& each) { return each.preemptions; }, number);
  add(
      "failed preemptions", [](const SeedResult& each) { return each.failed; }, number);
  add(
      "failure rate",
      [](const SeedResult& each) {
        return FailureRate{each.failed, each.preemptions}.rate();
      },
      part);
  add(
      "evicted pods", [](const SeedResult& each) { return each.evicted; }, number);
  add(
      "bound pods", [](const SeedResult& each) { return each.bound; }, number);
  add(
      "end", [](const SeedResult& each) { return each.length; }, [](Time at) { return format_offset(at); });
  return table_of(all, [&](Row& row, const Measure& each) {
    row.text(fmt::format("SEEDS {} TO {}", seeds.front().seed, seeds.back().seed), each.name);
    row.number("LEAST", each.least);
    row.number("MEDIAN", each.median);
    row.number("MOST", each.most);
  });
}

}  // namespace previct::sequence
