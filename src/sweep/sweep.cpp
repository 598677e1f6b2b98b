#include "sweep/sweep.h"

#include "sequence/cycle_simulation.h"
#include "sequence/kube_scenario.h"
#include "sequence/modes.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace previct::sweep {
// NOLINTBEGIN(misc-no-recursion): each call halves the range
namespace {

constexpr auto kSameTime = static_cast<double>(sequence::kSecond);

// If a pod is not bound, the time of its last attempt carries no information.
auto has_time(const sequence::End& end) -> bool {
  return end.kind == sequence::End::Kind::bound || end.kind == sequence::End::Kind::finished;
}

class Search {
 public:
  explicit Search(const Task& task) : task_(task) {}

  auto run() -> Result<Sweep> { return task_.axes.size() == 2 ? run_pairs() : run_line(); }

 private:
  // Handles each cell of the grid separately, with its own share of the budget, so that the parts of a sharded run add
  // up to the whole.
  auto run_line() -> Result<Sweep> {
    const Axis& axis = task_.axes.front();
    const std::vector<std::int64_t> grid = grid_of(axis);
    const bool whole = !axis.list.empty() || grid.size() < 2;
    const Slice slice = slice_of(task_.shard, whole ? grid.size() : grid.size() - 1);
    share_work(grid.size());
    if (whole) {
      for (std::size_t i = slice.begin; i < slice.end; ++i) PREVICT_CHECK(add({grid[i]}));
      for (std::size_t i = 1; i < sweep_.points.size(); ++i)
        sweep_.points[i].drifts = changes_no_faster(sweep_.points[i - 1], sweep_.points[i]);
      return std::move(sweep_);
    }
    if (slice.begin < slice.end) {
      PREVICT_TRY(points_[grid[slice.begin]], play({grid[slice.begin]}));
    }
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      PREVICT_TRY(points_[grid[i + 1]], play({grid[i + 1]}));
      Budget budget{kHalvings, kHalvings, most_work_, kHalvings, kWorkForEpochs * most_work_};
      PREVICT_CHECK(halve(grid[i], grid[i + 1], budget));
    }
    // Each cell contains its upper end; the first cell also contains its lower end.
    for (auto& [value, point] : points_) {
      if (value == grid[slice.begin] && slice.begin > 0) continue;
      sweep_.points.push_back(std::move(point));
    }
    return std::move(sweep_);
  }

  // The budget of a cell: number of halvings, and amount of work for their simulations.
  struct Budget {
    std::size_t halvings;
    std::size_t for_times;  // halvings between equal results that differ only in times
    std::uint64_t work;
    // After that, for the smallest values with which an epoch finishes, the most frequent question.
    std::size_t for_epochs;
    std::uint64_t work_for_epochs;
  };

  auto halve(std::int64_t low, std::int64_t high, Budget& budget) -> Result<void> {
    const bool same = points_.at(low).same_as(points_.at(high));
    if (same && points_.at(low).same_times_as(points_.at(high))) return {};
    if (high - low < 2) {
      points_.at(high).drifts = same && changes_no_faster(points_.at(low), points_.at(high));
      return {};
    }
    std::size_t& left = same ? budget.for_times : budget.halvings;
    if (left == 0 || budget.work == 0) {
      sweep_.not_narrowed = true;
      return halve_for_epochs(low, high, budget);
    }
    const std::int64_t middle = low + (high - low) / 2;
    --left;
    PREVICT_CHECK(look_at(middle, budget));
    if (same && middle + 1 < high) {
      PREVICT_CHECK(look_at(middle + 1, budget));
      if (drifts(low, middle, high)) return {};
      PREVICT_CHECK(halve(low, middle, budget));
      PREVICT_CHECK(halve(middle, middle + 1, budget));
      return halve(middle + 1, high, budget);
    }
    PREVICT_CHECK(halve(low, middle, budget));
    return halve(middle, high, budget);
  }

  auto halve_for_epochs(std::int64_t low, std::int64_t high, Budget& budget) -> Result<void> {
    if (high - low < 2 || points_.at(low).same_epochs_as(points_.at(high))) return {};
    if (budget.for_epochs == 0 || budget.work_for_epochs == 0) return {};
    const std::int64_t middle = low + (high - low) / 2;
    --budget.for_epochs;
    PREVICT_TRY(points_[middle], play({middle}));
    budget.work_for_epochs -= std::min(budget.work_for_epochs, last_work_);
    // From the upper end: with more than the last value without an epoch, each finishes one.
    PREVICT_CHECK(halve_for_epochs(middle, high, budget));
    return halve_for_epochs(low, middle, budget);
  }

  auto look_at(std::int64_t value, Budget& budget) -> Result<void> {
    PREVICT_TRY(points_[value], play({value}));
    budget.work -= std::min(budget.work, last_work_);
    return {};
  }

  // Returns true if the times are linear, at the middle and at the next value. Without the middle, a step between
  // distant values would look like growth.
  auto drifts(std::int64_t low, std::int64_t middle, std::int64_t high) -> bool {
    const std::array<const Point*, 4> all = {&points_.at(low), &points_.at(middle), &points_.at(middle + 1),
                                             &points_.at(high)};
    if (!std::all_of(all.begin(), all.end(), [&](const Point* point) { return point->same_as(*all.front()); }))
      return false;
    for (std::size_t i = 0; i < all.front()->ends.size(); ++i) {
      if (!has_time(all.front()->ends[i])) continue;
      const auto at = [&](std::size_t point) { return static_cast<double>(all[point]->ends[i].at); };
      const double slope = (at(3) - at(0)) / static_cast<double>(high - low);
      const bool on_line = std::abs(at(1) - at(0) - slope * static_cast<double>(middle - low)) <= kSameTime;
      if (!on_line || std::abs(at(2) - at(1) - slope) > kSameTime / 2) return false;
    }
    for (const std::int64_t value : {middle, middle + 1, high}) points_.at(value).drifts = true;
    return true;
  }

  // For a duration, a time that changes at most as much as the value is no step.
  [[nodiscard]] auto changes_no_faster(const Point& before, const Point& after) const -> bool {
    if (!task_.axes.front().parameter.is_time() || !after.same_as(before)) return false;
    const double by = static_cast<double>(after.values.front() - before.values.front()) * kSameTime;  // seconds
    for (std::size_t i = 0; i < after.ends.size(); ++i) {
      const auto moved = static_cast<double>(std::abs(after.ends[i].at - before.ends[i].at));
      if (has_time(after.ends[i]) && moved > by + kSameTime) return false;
    }
    return true;
  }

  auto run_pairs() -> Result<Sweep> {
    const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(task_.most)));
    const std::vector<std::int64_t> first = values_of(task_.axes[0], side);
    const std::vector<std::int64_t> second = values_of(task_.axes[1], side);
    const Slice slice = slice_of(task_.shard, first.size() * second.size());
    share_work(first.size() * second.size());
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      PREVICT_CHECK(add({first[i / second.size()], second[i % second.size()]}));
    }
    return std::move(sweep_);
  }

  [[nodiscard]] static auto values_of(const Axis& axis, std::size_t count) -> std::vector<std::int64_t> {
    if (!axis.list.empty()) return axis.list;
    std::vector<std::int64_t> values;
    const std::int64_t width = axis.to - axis.from;
    const auto steps = static_cast<std::int64_t>(std::max<std::size_t>(count, 2)) - 1;
    for (std::int64_t i = 0; i <= steps; ++i)
      values.push_back(axis.from + width / steps * i + width % steps * i / steps);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  [[nodiscard]] auto grid_of(const Axis& axis) -> std::vector<std::int64_t> {
    if (!axis.list.empty()) return axis.list;
    std::vector<std::int64_t> values = values_of(axis, task_.most);
    const Snapshot cluster(task_.objects);
    std::vector<std::int64_t> turning = turning_values(axis, cluster, task_.settings.question.now);
    if (turning.size() > kMostTurning) turning.resize(kMostTurning);
    sweep_.turning = turning.size();
    values.insert(values.end(), turning.begin(), turning.end());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  // All simulations together may use twice the work of a single one, in equal shares that do not depend on the shard.
  void share_work(std::size_t values) { most_work_ = 2 * task_.settings.most_work / std::max<std::size_t>(values, 2); }

  auto add(std::vector<std::int64_t> values) -> Result<void> {
    PREVICT_TRY(Point point, play(std::move(values)));
    sweep_.points.push_back(std::move(point));
    return {};
  }

  auto play(std::vector<std::int64_t> values) -> Result<Point> {
    Changed changed(task_.objects);
    sequence::Settings settings = task_.settings;
    settings.most_work = most_work_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      changed.set(task_.axes[i].parameter, values[i], settings.question, settings.pods);
    }
    if (task_.engine.simulates_cycles()) return play_cycles(std::move(values), settings.question);
    const Snapshot cluster(task_.objects);
    sequence::Sequence sequence;
    std::vector<sequence::SimulationResult> others;
    if (task_.engine.preempts_by_priority_class()) {
      sequence.engine = task_.engine.name();
      PREVICT_TRY(sequence.play, sequence::simulate_kube(task_.objects, cluster, settings, {}));
      for (const sequence::Scenario& scenario : sequence::with_other_choices(sequence.play)) {
        PREVICT_TRY(others.emplace_back(), sequence::simulate_kube(task_.objects, cluster, settings, scenario));
      }
    } else {
      PREVICT_TRY(sequence, sequence::simulate_cycles(task_.objects, task_.engine, settings));
    }
    last_work_ = sequence.play.work;
    for (const sequence::SimulationResult& other : others) last_work_ += other.work;
    sweep_.engine = sequence.engine;
    sweep_.behaves = sequence.behaves;
    add_gaps(sequence.gaps, sweep_.gaps);
    keep_longest_delay();
    add_gaps(sequence::gaps_of_play(cluster, settings, sequence.play, task_.engine.preempts_by_priority_class()),
             sweep_.gaps);
    Point point = point_of(values, sequence.play, settings, cluster);
    for (const sequence::SimulationResult& other : others) compare(point_of(values, other, settings, cluster), point);
    return point;
  }

  // Each value of YuniKorn's start delay has its assumption; that about the latest end includes the others.
  void keep_longest_delay() {
    std::optional<Gap> longest;
    std::erase_if(sweep_.gaps, [&](const Gap& gap) {
      if (gap.rule != GapRule::yunikorn_reservation_age) return false;
      if (!longest || longest->operands.back() < gap.operands.back()) longest = gap;
      return true;
    });
    if (longest) sweep_.gaps.push_back(*std::move(longest));
  }

  static void compare(const Point& other, Point& point) {
    if (other.too_much) return;
    point.varies = point.varies || !point.ends_as(other);
    point.may_recur = point.may_recur || other.recurs;
  }

  auto play_cycles(std::vector<std::int64_t> values, const Question& question) -> Result<Point> {
    const Snapshot cluster(task_.objects);
    PREVICT_TRY(SimulatedCycles cycles, task_.engine.simulate(cluster, question));
    last_work_ = cycles.work;
    sweep_.engine = task_.engine.name();
    sweep_.behaves = cycles.release;
    add_gaps(cycles.gaps, sweep_.gaps);
    cycles.gaps.clear();
    Point point{.values = std::move(values),
                .victims = cycles.victims,
                .evictions = cycles.evictions,
                .recurs = cycles.loop > 0,
                .cut = cycles.cut,
                .may_recur = cycles.loop > 0};
    point.cycles = std::move(cycles);
    return point;
  }

  [[nodiscard]] static auto point_of(std::vector<std::int64_t> values, const sequence::SimulationResult& play,
                                     const sequence::Settings& settings, const Snapshot& cluster) -> Point {
    const sequence::SimulationCosts tolls(play, settings, cluster);
    Point point{.values = std::move(values),
                .tolls = tolls.all(),
                .evictions = tolls.evictions() + tolls.evictions_before(),
                .cut = play.cut,
                .too_much = play.too_much,
                .misses_slo = sequence::failure_rate(play.metrics).misses_slo(),
                .waits = sequence::waits_of(play, settings)};
    for (const sequence::End& end : play.ends) {
      if (end.pod.index >= play.pods_before) continue;
      point.ends.push_back(end);
      point.nodes.emplace_back(end.node ? cluster.name(end.node) : std::string_view());
    }
    for (const sequence::Step& step : play.steps) {
      const bool of_input = step.pod.index < play.pods_before;
      if (step.what == sequence::EventKind::deleting && of_input) point.victims.push_back(play.key(step.pod, cluster));
    }
    std::sort(point.victims.begin(), point.victims.end());
    if (play.circle) {
      point.recurs = tolls.thrashes();
      point.may_recur = point.recurs;
      point.period = play.circle->period;
      point.evictions_per_hour = tolls.evictions_per_hour();
    }
    return point;
  }

  static constexpr std::size_t kMostTurning = 200;
  static constexpr std::size_t kHalvings = 64;  // per cell: enough to narrow the widest cell down to one change

  const Task& task_;
  std::map<std::int64_t, Point> points_;
  Sweep sweep_;
  static constexpr std::uint64_t kWorkForEpochs = 4;  // few cells need it
  std::uint64_t most_work_ = 0;                       // maximum of one simulation
  std::uint64_t last_work_ = 0;                       // of the last simulation
};

auto same_ends(const std::vector<sequence::End>& a, const std::vector<sequence::End>& b) -> bool {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const sequence::End& x, const sequence::End& y) {
    return x.kind == y.kind && x.name == y.name;
  });
}

}  // namespace

auto Point::same_as(const Point& other) const -> bool {
  const auto same_result = [](const SimulatedCycles::End& a, const SimulatedCycles::End& b) { return a.same_as(b); };
  if (cycles && !std::equal(cycles->ends.begin(), cycles->ends.end(), other.cycles->ends.begin(),
                            other.cycles->ends.end(), same_result))
    return false;
  return recurs == other.recurs && nodes == other.nodes && victims == other.victims && same_ends(ends, other.ends) &&
         same_epochs_as(other);
}

auto Point::ends_as(const Point& other) const -> bool {
  return recurs == other.recurs && evictions == other.evictions && same_ends(ends, other.ends) && same_epochs_as(other);
}

auto Point::same_epochs_as(const Point& other) const -> bool {
  return std::equal(tolls.begin(), tolls.end(), other.tolls.begin(), other.tolls.end(),
                    [](const sequence::WorkloadCost& a, const sequence::WorkloadCost& b) {
                      return a.workload == b.workload && a.reaches_epoch == b.reaches_epoch;
                    });
}

auto Point::same_times_as(const Point& other) const -> bool {
  return std::equal(ends.begin(), ends.end(), other.ends.begin(), other.ends.end(),
                    [](const sequence::End& a, const sequence::End& b) {
                      return !has_time(a) || static_cast<double>(std::abs(a.at - b.at)) <= kSameTime;
                    });
}

auto sweep(const Task& task) -> Result<Sweep> {
  return Search(task).run();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sweep
