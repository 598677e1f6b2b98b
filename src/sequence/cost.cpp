#include "sequence/cost.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "report/rows.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace previct::sequence {
namespace {

constexpr double kHour = 3600.0 * static_cast<double>(kSecond);

// Returns the epoch of the last pattern that matches; 0: there is none.
auto epoch_of(const Pod& pod, const Settings& settings, const Snapshot& cluster) -> Time {
  Time length = 0;
  for (const PodDuration& epoch : settings.epochs) {
    if (matches(epoch, cluster.text(pod.meta.ns), cluster.text(pod.meta.name))) length = epoch.length;
  }
  return length;
}

auto describe(const KnownChange& change, const SimulationResult& play, const Snapshot& cluster) -> std::string {
  switch (change.what) {
    case KnownChange::What::pod_ends: return play.key(change.pod, cluster) + " ends";
    case KnownChange::What::protection_ends:
      return play.key(change.pod, cluster) + " loses its protection from preemption";
    case KnownChange::What::deadline_ends: break;
  }
  return fmt::format("the deadline of Job {}/{} ends", cluster.text(change.ns), cluster.text(change.job));
}

}  // namespace

auto format_length(Time length) -> std::string {
  return format_offset(length).substr(1);
}

SimulationCosts::SimulationCosts(const SimulationResult& play, const Settings& settings, const Snapshot& cluster)
    : circle_(play.circle), length_(play.length) {
  if (circle_) per_hour_ = kHour / static_cast<double>(circle_->period);
  if (circle_ && circle_->until) {
    const KnownChange& change = *circle_->until;
    until_ = fmt::format("until {} at least, when {}", format_offset(change.at), describe(change, play, cluster));
  }
  const auto workload = [&](std::size_t run) {
    return describe_owner(owner_of_pod(cluster, play.root(play.runs[run].pod, cluster)));
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
    if (is_counted(run, of) && play.runs[run].began_in_play()) started_in_simulation_.insert(of);
  });
  each_that_ended([&](std::size_t run, const std::string& of) {
    if (is_counted(run, of)) add(play.runs[run], play, settings, cluster);
  });
  add_epochs(play, settings, cluster);
  judge(play, settings, cluster);
  std::stable_sort(all_.begin(), all_.end(), [](const WorkloadCost& a, const WorkloadCost& b) {
    return std::tuple(a.before_circle, b.evictions) < std::tuple(b.before_circle, a.evictions);
  });
}

auto SimulationCosts::is_counted(std::size_t run, const std::string& workload) const -> bool {
  return !in_circle_.contains(workload) || run >= circle_->runs_before_last;
}

// The length of a run that began before the simulation says nothing about later runs.
auto SimulationCosts::counts(const Run& run, const std::string& workload) const -> bool {
  return run.began_in_play() || !started_in_simulation_.contains(workload);
}

auto SimulationCosts::cost_of(const std::string& workload) -> WorkloadCost& {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const WorkloadCost& toll) { return toll.workload == workload; });
  if (found != all_.end()) return *found;
  all_.push_back({.workload = workload, .before_circle = circle_ && !in_circle_.contains(workload)});
  return all_.back();
}

void SimulationCosts::add(const Run& run, const SimulationResult& play, const Settings& settings,
                          const Snapshot& cluster) {
  const Pod& pod = play.pod(run.pod, cluster);
  WorkloadCost& toll = cost_of(describe_owner(owner_of_pod(cluster, play.root(run.pod, cluster))));
  const std::optional<Time> length = run.length();
  if (counts(run, toll.workload) && toll.longest_run)
    toll.longest_run = length ? std::max(toll.longest_run, length) : length;
  if (run.ending != Run::Ending::evicted) return;
  ++toll.evictions;
  evictions_ += toll.before_circle ? 0U : 1U;
  if (!length) toll.lost.reset();
  const Time epoch = epoch_of(pod, settings, cluster);
  if (toll.lost) toll.lost->add(cluster, pod, static_cast<double>(epoch > 0 ? *length % epoch : *length) / kHour);
}

// In a loop, counts only runs that end in a round: a run that continues when the loop closes ends in the next one.
void SimulationCosts::add_epochs(const SimulationResult& play, const Settings& settings, const Snapshot& cluster) {
  std::set<std::string> not_known;
  for (std::size_t i = 0; i < play.runs.size(); ++i) {
    const Run& run = play.runs[i];
    const Time epoch = epoch_of(play.pod(run.pod, cluster), settings, cluster);
    if (epoch == 0) continue;
    const std::string workload = describe_owner(owner_of_pod(cluster, play.root(run.pod, cluster)));
    const bool goes_on = run.ending == Run::Ending::goes_on;
    if (!is_counted(i, workload) || (goes_on && circle_)) continue;
    const auto toll =
        std::find_if(all_.begin(), all_.end(), [&](const WorkloadCost& t) { return t.workload == workload; });
    if (toll == all_.end()) continue;
    const std::optional<Time> length = run.length();
    if (!length) not_known.insert(workload);
    if (!length) continue;
    if (!toll->epochs) toll->epochs = Epochs{};
    Epochs& epochs = *toll->epochs;
    const Time finished = *length / epoch;
    const Time rest = *length % epoch;
    const bool evicted = run.ending == Run::Ending::evicted;
    ++epochs.runs;
    epochs.finished += static_cast<std::size_t>(finished);
    epochs.useful += finished * epoch;
    if (run.ending == Run::Ending::finished) epochs.useful += rest;
    if (evicted && finished == 0) ++epochs.evicted_before_first;
    if (evicted && rest > 0) ++epochs.lost;
    if (evicted) epochs.wasted += rest;
  }
  for (WorkloadCost& toll : all_) {
    if (not_known.contains(toll.workload)) toll.epochs.reset();
  }
}

// A run that continues may reach any length, except in a loop, where this would have been seen.
void SimulationCosts::judge(const SimulationResult& play, const Settings& settings, const Snapshot& cluster) {
  std::set<std::string> reach;
  std::set<std::string> maybe;  // the start of one of its pods is unknown
  for (std::size_t i = 0; i < play.runs.size(); ++i) {
    const Run& run = play.runs[i];
    const Time epoch = epoch_of(play.pod(run.pod, cluster), settings, cluster);
    if (epoch == 0) continue;
    const std::string workload = describe_owner(owner_of_pod(cluster, play.root(run.pod, cluster)));
    const bool known =
        std::any_of(all_.begin(), all_.end(), [&](const WorkloadCost& t) { return t.workload == workload; });
    if (!known) continue;  // no run of it ended
    WorkloadCost& toll = cost_of(workload);
    toll.epoch = epoch;
    if ((run.ending != Run::Ending::goes_on && !is_counted(i, workload)) || !counts(run, workload)) continue;
    // A run that began before a loop and continues when it closes was never evicted in it.
    const bool runs_for_ever =
        circle_ && run.ending == Run::Ending::goes_on && (!run.from || *run.from <= circle_->from);
    const std::optional<Time> length = run.length();
    if (length >= epoch || runs_for_ever) {
      reach.insert(workload);
    } else if (!length) {
      maybe.insert(workload);
    }
  }
  for (WorkloadCost& toll : all_) {
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

auto SimulationCosts::sentences() const -> std::string {
  std::string text;
  if (circle_) {
    text += fmt::format(" From {} on, the same happens every {}, {}", format_offset(circle_->from),
                        format_length(circle_->period), until_.empty() ? "forever" : until_);
    text +=
        thrashes()
            ? fmt::format(": {} evicted per hour.",
                          counted(static_cast<std::size_t>(std::llround(evictions_per_hour())), "pod is", "pods are"))
            : ", and no pod is evicted.";
  }
  for (const WorkloadCost& toll : all_) {
    if (toll.reaches_epoch != false || !toll.longest_run) continue;
    text += fmt::format(" No run of {} lasts longer than {}: work of {} never finishes{}.", toll.workload,
                        format_length(*toll.longest_run), format_length(toll.epoch),
                        !circle_         ? fmt::format(" within {}", format_length(length_))
                        : circle_->until ? " in this loop"
                                         : "");
  }
  return text;
}

// `circle`: the costs are those of one round of a loop, of which there are `per_hour`.
static void cost_row(Row& row, const WorkloadCost& each, bool circle, double per_hour) {
  const std::optional<LostWork>& lost = each.lost;
  const auto hours = [&](double LostWork::*of) { return lost ? hours_words(*lost.*of) : "-"; };
  const auto json = [&](double LostWork::*of) { return lost ? Json(rounded_hours(*lost.*of)) : Json(); };
  Json of_devices;
  for (const auto& [name, hours_lost] : lost.value_or(LostWork{}).device_hours)
    of_devices[name] = rounded_hours(hours_lost);
  row.text(circle ? "EACH ROUND" : "WORKLOAD", each.workload).key("workload");
  row.number("EVICTED", {each.evictions, each.evictions > 0 ? Tone::danger : Tone::plain}).key("evictions");
  row.key("beforeCircle", only_if(each.before_circle));
  row.number("LONGEST RUN", {each.longest_run ? format_length(*each.longest_run) : "-",
                             each.reaches_epoch == false ? Tone::danger : Tone::plain});
  row.key("longestRunSeconds", each.longest_run ? Json(seconds(*each.longest_run)) : Json());
  row.number("CPU HOURS LOST", hours(&LostWork::cpu_hours)).optional().key("cpuHoursLost", json(&LostWork::cpu_hours));
  row.number("MEMORY GIB HOURS LOST", hours(&LostWork::memory_gib_hours)).only_wide().optional();
  row.key("memoryGiBHoursLost", json(&LostWork::memory_gib_hours));
  row.number("DEVICE HOURS LOST", lost ? hours_words(lost->all_device_hours()) : "-").optional();
  row.key("deviceHoursLost", std::move(of_devices));
  if (circle) row.number("EVICTED PER HOUR", hours_words(static_cast<double>(each.evictions) * per_hour));
  if (each.epoch > 0) {
    row.key("epochSeconds", seconds(each.epoch));
    row.key("reachesEpoch", each.reaches_epoch ? Json(*each.reaches_epoch) : Json());
  }
}

static void epochs_row(Row& row, const WorkloadCost& each, bool circle) {
  constexpr double kPercent = 100;
  const Epochs& epochs = *each.epochs;
  const std::optional<double> share = epochs.useful_share();
  row.text(circle ? "EPOCHS OF EACH ROUND" : "EPOCHS OF", each.workload);
  row.number("LENGTH", format_length(each.epoch));
  row.number("RUNS", epochs.runs).key("runs");
  row.number("EVICTED BEFORE THE FIRST",
             {epochs.evicted_before_first, epochs.evicted_before_first > 0 ? Tone::danger : Tone::plain});
  row.key("evictedBeforeFirst");
  row.number("FINISHED", {epochs.finished, epochs.finished > 0 ? Tone::safe : Tone::danger}).key("finished");
  row.number("LOST", {epochs.lost, epochs.lost > 0 ? Tone::danger : Tone::plain}).key("lost");
  row.key("usefulSeconds", seconds(epochs.useful)).key("lostSeconds", seconds(epochs.wasted));
  row.number("USEFUL TIME", share ? fmt::format("{:.0f}%", *share * kPercent) : "-");
  row.key("usefulShare", share ? Json(rounded_hours(*share)) : Json());
}

auto SimulationCosts::table() const -> std::optional<Table> {
  if (evictions_ == 0) return {};
  std::vector<WorkloadCost> shown = all_;
  std::erase_if(shown, [](const WorkloadCost& each) { return each.before_circle; });
  return table_of(shown,
                  [this](Row& row, const WorkloadCost& each) { cost_row(row, each, circle_.has_value(), per_hour_); });
}

auto SimulationCosts::epochs_table() const -> std::optional<Table> {
  std::vector<WorkloadCost> shown = all_;
  std::erase_if(shown, [](const WorkloadCost& each) { return !each.epochs || each.before_circle; });
  if (shown.empty()) return {};
  return table_of(shown, [this](Row& row, const WorkloadCost& each) { epochs_row(row, each, circle_.has_value()); });
}

auto Epochs::useful_share() const -> std::optional<double> {
  if (useful + wasted == 0) return {};
  return static_cast<double>(useful) / static_cast<double>(useful + wasted);
}

auto waits_of(const SimulationResult& play, const Settings& settings) -> Waits {
  std::map<PodId, Time> came;
  for (const PodId pod : settings.pods) {
    const bool later = std::any_of(settings.arrivals.begin(), settings.arrivals.end(),
                                   [&](const Arrival& arrival) { return arrival.pod == pod; });
    if (!later) came.emplace(pod, 0);
  }
  // Pods that the scheduler does not try wait for something else.
  for (const End& end : play.ends) {
    const bool tried = end.kind != End::Kind::gated && end.kind != End::Kind::deleting &&
                       end.kind != End::Kind::not_simulated && end.kind != End::Kind::removed;
    if (!tried) came.erase(end.pod);
  }
  Waits waits;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::arrives) came.emplace(step.pod, step.at);
    if (step.what != EventKind::bound) continue;
    const auto found = came.find(step.pod);
    if (found == came.end()) continue;
    waits.bound.push_back(step.at - found->second);
    waits.longest = std::max(waits.longest, waits.bound.back());
    came.erase(found);
  }
  for (const auto& [pod, at] : came) {
    if (play.circle && !play.circle->until) {
      // A pod that was pending before the loop began stays so in each round; others are bound in the next one.
      waits.forever += at <= play.circle->from ? 1U : 0U;
    } else if (play.cut || play.circle) {
      waits.still = std::max(waits.still, (play.too_much ? play.length : settings.horizon) - at);
    } else {
      ++waits.forever;
    }
  }
  return waits;
}

auto Waits::words() const -> std::string {
  std::vector<std::string> parts;
  if (still > longest) {
    parts.push_back("over " + format_length(still));
  } else if (longest > 0) {
    parts.push_back(format_length(longest));
  }
  if (forever > 0) parts.push_back(fmt::format("{} never", forever));
  return parts.empty() ? "-" : joined(parts, ", ");
}

void SimulationCosts::add_to(Json& document) const {
  if (circle_) {
    document["circle"] = {{"fromSeconds", seconds(circle_->from)},
                          {"periodSeconds", seconds(circle_->period)},
                          {"evictions", evictions_},
                          {"evictionsPerHour", rounded_hours(evictions_per_hour())}};
    if (circle_->until) document["circle"]["untilSeconds"] = seconds(circle_->until->at);
  }
  add_costs(all_, document);
}

void add_costs(const std::vector<WorkloadCost>& costs, Json& document) {
  if (costs.empty()) return;
  document["workloads"] = list_of(costs, [](Row& row, const WorkloadCost& each) {
    cost_row(row, each, false, 0);
    const auto epochs = [](Row& inner, const WorkloadCost& of) { epochs_row(inner, of, false); };
    if (each.epochs) row.key("epochs", object_of(each, epochs));
  });
}

}  // namespace previct::sequence
