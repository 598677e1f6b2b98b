#include "sequence/toll.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace previct::sequence {
namespace {

constexpr double kHour = 3600.0 * static_cast<double>(kSecond);

}  // namespace

auto format_length(Time length) -> std::string {
  return format_offset(length).substr(1);
}

Tolls::Tolls(const Play& play, const Settings& settings, const Snapshot& cluster)
    : circle_(play.circle), length_(play.length) {
  if (circle_) per_hour_ = kHour / static_cast<double>(circle_->period);
  const auto workload = [&](std::size_t run) {
    return owner_words(owner_of_pod(cluster, play.root(play.runs[run].pod, cluster)));
  };
  const auto each_that_ended = [&](const auto& take) {
    for (std::size_t i = 0; i < play.runs.size(); ++i) {
      if (play.runs[i].ending != Run::Ending::goes_on) take(i, workload(i));
    }
  };
  each_that_ended([&](std::size_t run, const std::string& of) {
    if (circle_ && run >= circle_->runs_before_last) in_circle_.insert(of);
    if (circle_ && run < circle_->runs_before && play.runs[run].ending == Run::Ending::evicted) ++evictions_before_;
  });
  each_that_ended([&](std::size_t run, const std::string& of) {
    if (is_counted(run, of) && play.runs[run].began_in_play()) anew_.insert(of);
  });
  each_that_ended([&](std::size_t run, const std::string& of) {
    if (is_counted(run, of)) add(play.runs[run], play, cluster);
  });
  judge(play, settings, cluster);
  std::stable_sort(all_.begin(), all_.end(), [](const Toll& a, const Toll& b) {
    return std::tuple(a.before_circle, b.evictions) < std::tuple(b.before_circle, a.evictions);
  });
}

auto Tolls::is_counted(std::size_t run, const std::string& workload) const -> bool {
  return !in_circle_.contains(workload) || run >= circle_->runs_before_last;
}

// How long a pod had run before the play began says nothing of those that come after it.
auto Tolls::counts(const Run& run, const std::string& workload) const -> bool {
  return run.began_in_play() || !anew_.contains(workload);
}

auto Tolls::toll_of(const std::string& workload) -> Toll& {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Toll& toll) { return toll.workload == workload; });
  if (found != all_.end()) return *found;
  all_.push_back({.workload = workload, .before_circle = circle_ && !in_circle_.contains(workload)});
  return all_.back();
}

void Tolls::add(const Run& run, const Play& play, const Snapshot& cluster) {
  const Pod& pod = play.pod(run.pod, cluster);
  Toll& toll = toll_of(owner_words(owner_of_pod(cluster, play.root(run.pod, cluster))));
  const std::optional<Time> length = run.length();
  if (counts(run, toll.workload) && toll.longest_run)
    toll.longest_run = length ? std::max(toll.longest_run, length) : length;
  if (run.ending != Run::Ending::evicted) return;
  ++toll.evictions;
  evictions_ += toll.before_circle ? 0U : 1U;
  if (!length) toll.lost.reset();
  if (toll.lost) toll.lost->add(cluster, pod, static_cast<double>(*length) / kHour);
}

// A run that still goes on may reach any length, unless the play goes in a circle, where it would have been seen.
void Tolls::judge(const Play& play, const Settings& settings, const Snapshot& cluster) {
  std::set<std::string> reach;
  std::set<std::string> maybe;  // since when a pod of it runs is not known
  for (const Lasting& epoch : settings.epochs) {
    for (std::size_t i = 0; i < play.runs.size(); ++i) {
      const Run& run = play.runs[i];
      const Pod& pod = play.pod(run.pod, cluster);
      if (!matches(epoch, cluster.text(pod.meta.ns), cluster.text(pod.meta.name))) continue;
      const std::string workload = owner_words(owner_of_pod(cluster, play.root(run.pod, cluster)));
      const bool known = std::any_of(all_.begin(), all_.end(), [&](const Toll& t) { return t.workload == workload; });
      if (!known) continue;  // nothing of it ended
      Toll& toll = toll_of(workload);
      toll.epoch = epoch.length;
      if ((run.ending != Run::Ending::goes_on && !is_counted(i, workload)) || !counts(run, workload)) continue;
      // What runs on when a circle closes, and began before it, was never evicted in it.
      const bool runs_for_ever =
          circle_ && run.ending == Run::Ending::goes_on && (!run.from || *run.from <= circle_->from);
      const std::optional<Time> length = run.length();
      if (length >= epoch.length || runs_for_ever) {
        reach.insert(workload);
      } else if (!length) {
        maybe.insert(workload);
      }
    }
  }
  for (Toll& toll : all_) {
    if (toll.epoch == 0) continue;
    if (reach.contains(toll.workload) || toll.longest_run >= toll.epoch) {
      if (toll.longest_run) toll.longest_run = std::max(*toll.longest_run, toll.epoch);
    } else if (maybe.contains(toll.workload)) {
      toll.reaches_epoch.reset();
    } else {
      toll.reaches_epoch = false;
    }
  }
}

auto Tolls::sentences() const -> std::string {
  std::string text;
  if (thrashes()) {
    text += fmt::format(" From {} on, the same happens every {}, forever: {} evicted per hour.",
                        format_offset(circle_->from), format_length(circle_->period),
                        counted(static_cast<std::size_t>(std::llround(evictions_per_hour())), "pod is", "pods are"));
  } else if (circle_) {
    text += fmt::format(" From {} on, the same happens every {}, forever, and no pod is evicted.",
                        format_offset(circle_->from), format_length(circle_->period));
  }
  for (const Toll& toll : all_) {
    if (toll.reaches_epoch != false || !toll.longest_run) continue;
    text += fmt::format(" No run of {} lasts longer than {}: work of {} never finishes{}.", toll.workload,
                        format_length(*toll.longest_run), format_length(toll.epoch),
                        circle_ ? "" : fmt::format(" within {}", format_length(length_)));
  }
  return text;
}

auto Tolls::table() const -> std::optional<Table> {
  if (evictions_ == 0) return {};
  Table table{{{circle_ ? "EACH ROUND" : "WORKLOAD"},
               {.head = "EVICTED", .numeric = true},
               {.head = "LONGEST RUN", .numeric = true},
               {.head = "CPU HOURS LOST", .numeric = true, .optional = true},
               {.head = "MEMORY GIB HOURS LOST", .numeric = true, .only_wide = true, .optional = true},
               {.head = "DEVICE HOURS LOST", .numeric = true, .optional = true}},
              {},
              {}};
  if (circle_) table.columns.push_back({.head = "EVICTED PER HOUR", .numeric = true});
  for (const Toll& toll : all_) {
    if (toll.before_circle) continue;
    const auto& lost = toll.lost;
    std::vector<Span> row{{toll.workload},
                          {std::to_string(toll.evictions), toll.evictions > 0 ? Tone::goes : Tone::plain},
                          {toll.longest_run ? format_length(*toll.longest_run) : "-",
                           toll.reaches_epoch == false ? Tone::goes : Tone::plain},
                          {lost ? hours_words(lost->cpu_hours) : "-"},
                          {lost ? hours_words(lost->memory_gib_hours) : "-"},
                          {lost ? hours_words(lost->all_device_hours()) : "-"}};
    if (circle_) row.push_back({hours_words(static_cast<double>(toll.evictions) * per_hour_)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

void Tolls::add_to(Json& document) const {
  if (circle_) {
    document["circle"] = {{"fromSeconds", seconds(circle_->from)},
                          {"periodSeconds", seconds(circle_->period)},
                          {"evictions", evictions_},
                          {"evictionsPerHour", rounded_hours(evictions_per_hour())}};
  }
  add_tolls(all_, document);
}

void add_tolls(const std::vector<Toll>& tolls, Json& document) {
  if (tolls.empty()) return;
  Json list = Json::array();
  for (const Toll& toll : tolls) {
    Json json{{"workload", toll.workload}, {"evictions", toll.evictions}};
    if (toll.before_circle) json["beforeCircle"] = true;
    if (toll.longest_run) json["longestRunSeconds"] = seconds(*toll.longest_run);
    if (toll.lost) {
      json["cpuHoursLost"] = rounded_hours(toll.lost->cpu_hours);
      json["memoryGiBHoursLost"] = rounded_hours(toll.lost->memory_gib_hours);
      for (const auto& [name, hours] : toll.lost->device_hours) json["deviceHoursLost"][name] = rounded_hours(hours);
    }
    if (toll.epoch > 0) {
      json["epochSeconds"] = seconds(toll.epoch);
      if (toll.reaches_epoch) json["reachesEpoch"] = *toll.reaches_epoch;
    }
    list.push_back(std::move(json));
  }
  document["workloads"] = std::move(list);
}

}  // namespace previct::sequence
