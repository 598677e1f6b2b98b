#include "sequence/modes.h"

#include "base/text.h"
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

auto mode_row(const SimulationResult& play, bool asynchronous, bool asked) -> std::vector<Span> {
  const Metrics& metrics = play.metrics;
  const auto speed = rate(metrics);
  const auto& times = metrics.time_to_bind;
  return {{fmt::format("{}{}", asynchronous ? "asynchronous" : "synchronous", asked ? "" : " (for comparison)")},
          {std::to_string(metrics.preemptions)},
          {speed ? fmt::format("{:.1f}", *speed) : "-"},
          {std::to_string(times.size())},
          {times.empty() ? "-" : format_length(quantile(times, 0.5))},
          {times.empty() ? "-" : format_length(quantile(times, 1))}};
}

constexpr double kSlo = 0.01;
constexpr double kHalf = 0.5;

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

auto mode_json(const SimulationResult& play, bool asynchronous) -> Json {
  const Metrics& metrics = play.metrics;
  Json json{{"mode", asynchronous ? "asynchronous" : "synchronous"}, {"preemptors", metrics.preemptions}};
  if (const auto speed = rate(metrics)) json["preemptorsPerSecond"] = *speed;
  if (!metrics.time_to_bind.empty()) {
    json["secondsToBind"] = {{"median", seconds(quantile(metrics.time_to_bind, 0.5))},
                             {"longest", seconds(quantile(metrics.time_to_bind, 1))}};
  }
  json["metrics"] = {{"scheduler_schedule_attempts_total{result=\"scheduled\"}", metrics.scheduled},
                     {"scheduler_schedule_attempts_total{result=\"unschedulable\"}", metrics.unschedulable},
                     {"scheduler_schedule_attempts_total{result=\"error\"}", metrics.error},
                     {std::string(kAttempts), metrics.preemption_attempts}};
  victims_json(metrics.victims, json["metrics"]);
  json["slo"] = slo_json(failure_rate(metrics));
  // These metrics are registered only with the feature gate.
  if (asynchronous) {
    const Goroutines goroutines = goroutines_of(metrics);
    json["metrics"][with_result(kExecution, "success")] = goroutines.succeeded;
    json["metrics"][with_result(kExecution, "error")] = goroutines.failed;
    json["metrics"][fmt::format("{}_count", kDuration)] = goroutines.succeeded + goroutines.failed;
    json["metrics"][fmt::format("{}_sum", kDuration)] = goroutines.seconds;
    json["failedPreemptions"] = metrics.goroutines_failed;
    json["secondsOfCalls"] = seconds(metrics.goroutines_took);
  }
  return json;
}

}  // namespace

auto modes_table(const Sequence& sequence) -> std::optional<Table> {
  if (!sequence.other_mode || sequence.play.metrics.preemptions < 2) return {};
  return Table{{{"PREEMPTION"},
                {.head = "PREEMPTIONS", .numeric = true},
                {.head = "PER SECOND", .numeric = true},
                {.head = "BOUND", .numeric = true},
                {.head = "TIME TO BIND", .numeric = true},
                {.head = "LONGEST", .numeric = true}},
               {mode_row(sequence.play, sequence.play.asynchronous, true),
                mode_row(*sequence.other_mode, !sequence.play.asynchronous, false)},
               {}};
}

void add_modes(const Sequence& sequence, Json& document) {
  if (!sequence.calls_played || sequence.play.metrics.preemption_attempts == 0) return;
  document["preemptionModes"] = Json::array({mode_json(sequence.play, sequence.play.asynchronous)});
  if (sequence.other_mode)
    document["preemptionModes"].push_back(mode_json(*sequence.other_mode, !sequence.play.asynchronous));
  for (const RateResult& each : sequence.rates) {
    const std::vector<Time>& waits = each.waits.bound;
    Json json{{"arrivalsPerSecond", each.per_second},
              {"mode", each.asynchronous ? "asynchronous" : "synchronous"},
              {"preemptors", each.metrics.preemptions},
              {"bound", waits.size()}};
    if (const auto speed = rate(each.metrics)) json["preemptorsPerSecond"] = *speed;
    if (!waits.empty())
      json["secondsToBind"] = {{"median", seconds(quantile(waits, kHalf))}, {"longest", seconds(each.waits.longest)}};
    document["rates"].push_back(std::move(json));
  }
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
  Table table{.columns = {{"METRIC"}, {.head = "VALUE", .numeric = true}, {.head = "IN FACT", .numeric = true}},
              .rows = {},
              .footer = {},
              .only_in_full = true};
  const auto add = [&](std::string name, const auto& value, const auto& in_fact) {
    table.rows.push_back({{std::move(name)}, {fmt::format("{}", value)}, {fmt::format("{}", in_fact)}});
  };
  add(std::string(kAttempts), metrics.preemption_attempts, "-");
  add(fmt::format("{}_count", kVictims), metrics.victims.size(), "-");
  add(fmt::format("{}_sum", kVictims), sum(metrics.victims), "-");
  const bool asynchronous = sequence.play.asynchronous;
  if (asynchronous) {
    const Goroutines said = goroutines_of(metrics);
    add(with_result(kExecution, "success"), said.succeeded, metrics.goroutines_succeeded);
    add(with_result(kExecution, "error"), said.failed, metrics.goroutines_failed);
    add(fmt::format("{}_sum", kDuration), fmt::format("{:g}", said.seconds),
        fmt::format("{:g}", seconds(metrics.goroutines_took)));
  }
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
  Table table{{{.head = "ARRIVALS PER SECOND", .numeric = true},
               {"PREEMPTION"},
               {.head = "PREEMPTIONS", .numeric = true},
               {.head = "PER SECOND", .numeric = true},
               {.head = "BOUND", .numeric = true},
               {.head = "TIME FROM ARRIVAL TO BIND", .numeric = true},
               {.head = "LONGEST", .numeric = true}},
              {},
              {}};
  for (const RateResult& each : sequence.rates) {
    const auto speed = rate(each.metrics);
    const std::vector<Time>& waits = each.waits.bound;
    table.rows.push_back({{fmt::format("{:g}", each.per_second)},
                          {each.asynchronous ? "asynchronous" : "synchronous"},
                          {std::to_string(each.metrics.preemptions)},
                          {speed ? fmt::format("{:.1f}", *speed) : "-"},
                          {std::to_string(waits.size())},
                          {waits.empty() ? "-" : format_length(quantile(waits, kHalf))},
                          {each.waits.words()}});
  }
  return table;
}

auto seeds_table(const Sequence& sequence) -> std::optional<Table> {
  if (sequence.seeds.empty()) return {};
  const std::vector<SeedResult>& seeds = sequence.seeds;
  Table table{{{fmt::format("SEEDS {} TO {}", seeds.front().seed, seeds.back().seed)},
               {.head = "LEAST", .numeric = true},
               {.head = "MEDIAN", .numeric = true},
               {.head = "MOST", .numeric = true}},
              {},
              {}};
  const auto add = [&](std::string_view what, const auto& value_of, const auto& words) {
    std::vector<decltype(value_of(seeds.front()))> values;
    for (const SeedResult& each : seeds) values.push_back(value_of(each));
    std::sort(values.begin(), values.end());
    table.rows.push_back({{std::string(what)},
                          {words(values.front())},
                          {words(values[(values.size() - 1) / 2])},
                          {words(values.back())}});
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
  return table;
}

}  // namespace previct::sequence
