#pragma once

#include "analysis/report_context.h"
#include "base/shard.h"
#include "engine/engine.h"
#include "sequence/play.h"
#include "sequence/settings.h"
#include "sequence/toll.h"
#include "sweep/parameter.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace previct::sweep {

/// What is asked.
struct Task {
  Objects& objects;
  const Engine& engine;
  sequence::Settings settings;  ///< of each play; its moment is that of the question
  std::vector<Axis> axes;       ///< one or two
  std::size_t most = 25;        ///< values of a range that are tried in any case
  Shard shard{};
};

/// One value (or pair of values), and how it comes out.
struct Point {
  std::vector<std::int64_t> values{};
  std::vector<sequence::End> ends{};   ///< of the pods that wait
  std::vector<std::string> nodes{};    ///< of each end; empty: none
  std::vector<std::string> victims{};  ///< of the pods of the input
  std::vector<sequence::Toll> tolls{};
  std::size_t evictions = 0;
  bool circles = false;
  sequence::Time period = 0;
  double evictions_per_hour = 0;
  bool cut = false;
  bool too_much = false;  ///< it is not known how it goes on: the simulation was cut for its length
  bool misses_slo = false;
  sequence::Waits waits{};
  /// Between the point before and this one, times only grow, or shrink, with the value.
  bool drifts = false;

  /// Is it the same but for the moments at which things happen?
  [[nodiscard]] auto same_as(const Point& other) const -> bool;
  /// And are these the same, up to a second?
  [[nodiscard]] auto same_times_as(const Point& other) const -> bool;
};

struct Sweep {
  std::vector<Point> points;  ///< by their values, in order
  std::string engine{};
  std::string behaves{};
  std::vector<Gap> gaps{};
  std::size_t turning = 0;    ///< values that the input itself tells to be tried
  bool not_narrowed = false;  ///< between some neighbors that differ, the exact value was not looked for
};

/// Plays once for each value. Of a range: a grid and the values at which the input tells that something turns, then
/// the middles between neighbors that come out differently, until they are next to each other.
/// What comes out between two neighbors that agree is not looked at. `task.objects` are changed meanwhile, and as
/// before in the end.
[[nodiscard]] auto sweep(const Task& task) -> Result<Sweep>;

/// `kind: SweepReport`; its `items` are the points, one a value.
[[nodiscard]] auto sweep_report(const Sweep& sweep, const Task& task, const ReportContext& context) -> Report;

}  // namespace previct::sweep
