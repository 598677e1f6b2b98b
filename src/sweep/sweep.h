#pragma once

#include "analysis/report_context.h"
#include "base/shard.h"
#include "engine/engine.h"
#include "sequence/cost.h"
#include "sequence/settings.h"
#include "sequence/simulation_result.h"
#include "sweep/parameter.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace previct::sweep {

/// The input of a sweep.
struct Task {
  Objects& objects;
  const Engine& engine;
  sequence::Settings settings;  ///< settings of each simulation; the question has its start time
  std::vector<Axis> axes;       ///< one or two
  std::size_t most = 25;        ///< minimum number of values of a range that are tried
  Shard shard{};
};

/// One value (or pair of values), and its result.
struct Point {
  std::vector<std::int64_t> values{};
  std::vector<sequence::End> ends{};   ///< outcomes of the pending pods
  std::vector<std::string> nodes{};    ///< one for each outcome; empty: none
  std::vector<std::string> victims{};  ///< pods of the input
  std::vector<sequence::WorkloadCost> tolls{};
  std::size_t evictions = 0;
  bool recurs = false;
  sequence::Time period = 0;
  double evictions_per_hour = 0;
  bool cut = false;
  bool too_much = false;  ///< the rest is unknown: the simulation was cut because it was too long
  bool misses_slo = false;
  bool varies = false;     ///< another choice among equal nodes or victims gives another result
  bool may_recur = false;  ///< `recurs` with that choice or another
  /// Of an engine that simulates its own cycles; then the fields about pods and times are not set.
  std::optional<SimulatedCycles> cycles{};
  sequence::Waits waits{};
  /// True if, from the previous point to this one, only times grow or shrink with the value.
  bool drifts = false;

  /// Returns true if the result is the same except for times.
  [[nodiscard]] auto same_as(const Point& other) const -> bool;
  /// Returns true if the times are the same, within a second.
  [[nodiscard]] auto same_times_as(const Point& other) const -> bool;
  /// Returns true if the same becomes of the pods, on whichever nodes and with whichever victims.
  [[nodiscard]] auto ends_as(const Point& other) const -> bool;
  /// Do the same workloads finish an epoch?
  [[nodiscard]] auto same_epochs_as(const Point& other) const -> bool;
};

struct Sweep {
  std::vector<Point> points;  ///< ordered by value
  std::string engine{};
  std::string behaves{};
  std::vector<Gap> gaps{};
  std::size_t turning = 0;    ///< number of values that were derived from the input
  bool not_narrowed = false;  ///< for some neighbors that differ, the exact value was not searched
};

/// Runs one simulation per value. For a range: a grid and the values at which the input suggests a change, then the
/// middles between neighbors with different results, until these are adjacent. Values between neighbors with the same
/// result are not tried. `task.objects` are changed during the sweep, and restored at its end.
[[nodiscard]] auto sweep(const Task& task) -> Result<Sweep>;

/// `kind: SweepReport`; its `items` are the points, one per value.
[[nodiscard]] auto sweep_report(const Sweep& sweep, const Task& task, const ReportContext& context) -> Report;

}  // namespace previct::sweep
