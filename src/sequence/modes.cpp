#include "sequence/modes.h"

#include "sequence/toll.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace previct::sequence {
namespace {

// Preemptions that are decided within a second. One alone has no rate.
auto rate(const Metrics& metrics) -> std::optional<double> {
  if (metrics.preemptions < 2 || metrics.last_preemption <= metrics.first_preemption) return {};
  return static_cast<double>(metrics.preemptions - 1) / seconds(metrics.last_preemption - metrics.first_preemption);
}

// `part` of them are not above it.
auto quantile(std::vector<Time> times, double part) -> Time {
  std::sort(times.begin(), times.end());
  const auto at = static_cast<std::size_t>(std::lround(part * static_cast<double>(times.size() - 1)));
  return times[std::min(at, times.size() - 1)];
}

auto mode_row(const Play& play, bool asynchronous, bool asked) -> std::vector<Span> {
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

auto mode_json(const Play& play, bool asynchronous) -> Json {
  const Metrics& metrics = play.metrics;
  Json json{{"mode", asynchronous ? "asynchronous" : "synchronous"}, {"preemptors", metrics.preemptions}};
  if (const auto speed = rate(metrics)) json["preemptorsPerSecond"] = *speed;
  if (!metrics.time_to_bind.empty()) {
    json["secondsToBind"] = {{"median", seconds(quantile(metrics.time_to_bind, 0.5))},
                             {"longest", seconds(quantile(metrics.time_to_bind, 1))}};
  }
  json["metrics"] = {
      {"scheduler_schedule_attempts_total{result=\"scheduled\"}", metrics.scheduled},
      {"scheduler_schedule_attempts_total{result=\"unschedulable\"}", metrics.unschedulable},
      {"scheduler_schedule_attempts_total{result=\"error\"}", metrics.error},
      {"scheduler_preemption_attempts_total", metrics.preemption_attempts},
      {"scheduler_preemption_victims_count", metrics.preemptions},
      {"scheduler_preemption_victims_sum", metrics.victims},
      // Upstream's labels and durations are taken when the goroutine begins: each counts as a success of no length.
      {"scheduler_preemption_goroutines_execution_total{result=\"success\"}",
       metrics.goroutines_succeeded + metrics.goroutines_failed},
      {"scheduler_preemption_goroutines_execution_total{result=\"error\"}", 0},
      {"scheduler_preemption_goroutines_duration_seconds_sum", 0}};
  if (asynchronous) {
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
  if (!sequence.calls_played || sequence.play.metrics.preemptions == 0) return;
  document["preemptionModes"] = Json::array({mode_json(sequence.play, sequence.play.asynchronous)});
  if (sequence.other_mode)
    document["preemptionModes"].push_back(mode_json(*sequence.other_mode, !sequence.play.asynchronous));
}

}  // namespace previct::sequence
