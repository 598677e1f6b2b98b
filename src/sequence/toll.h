#pragma once

#include "analysis/lost_work.h"
#include "report/report.h"
#include "sequence/play.h"
#include "sequence/settings.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace previct::sequence {

/// What became of the epochs of one workload. A pod saves its work when an epoch ends, and a later one goes on from
/// there: an eviction loses what it has done since.
struct Epochs {
  std::size_t runs = 0;                  ///< that ended, or go on when the play ends
  std::size_t evicted_before_first = 0;  ///< of these: evicted before an epoch was finished
  std::size_t finished = 0;
  std::size_t lost = 0;  ///< evicted in the middle
  Time useful = 0;       ///< in finished epochs, and in runs that ended by themselves
  Time wasted = 0;       ///< in those that were lost

  /// Of all time that is decided about. None: there is none.
  [[nodiscard]] auto useful_share() const -> std::optional<double>;
};

/// What a play costs one workload. Of a circle, only what happens between two equal states is counted, unless nothing
/// of the workload ends there.
struct Toll {
  std::string workload;        ///< `Job ml/train`
  bool before_circle = false;  ///< what is counted happened before the circle began
  std::size_t evictions = 0;
  /// Of the runs that ended: until the deletion began, or the pod had ended; those that had begun before the play count
  /// if there are no others. None: since when one of them had run is not known.
  std::optional<Time> longest_run = Time{0};
  /// Since the last finished epoch, or of whole runs. None: since when an evicted pod had run is not known.
  std::optional<LostWork> lost = LostWork{};
  Time epoch = 0;                            ///< what a run has to reach; 0: nothing was said
  std::optional<Epochs> epochs{};            ///< none: nothing was said, or since when a pod had run is not known
  std::optional<bool> reaches_epoch = true;  ///< none: not known
};

/// The tolls of a play, by workload, those with most evictions first.
class Tolls {
 public:
  Tolls(const Play& play, const Settings& settings, const Snapshot& cluster);

  [[nodiscard]] auto all() const -> const std::vector<Toll>& { return all_; }
  [[nodiscard]] auto evictions() const -> std::size_t { return evictions_; }
  /// Those of all workloads before the circle began.
  [[nodiscard]] auto evictions_before() const -> std::size_t { return evictions_before_; }
  /// Evictions an hour, for ever. Only of a circle.
  [[nodiscard]] auto evictions_per_hour() const -> double { return static_cast<double>(evictions_) * per_hour_; }
  /// Pods are evicted over and over, and it never ends.
  [[nodiscard]] auto thrashes() const -> bool { return circle_.has_value() && evictions_ > 0; }

  /// For the end of a verdict: the circle, and epochs that are never finished. Empty, or begins with a blank.
  [[nodiscard]] auto sentences() const -> std::string;
  /// None if nothing is lost.
  [[nodiscard]] auto table() const -> std::optional<Table>;
  /// None if nothing was said of epochs, or nothing of a workload that has them ended.
  [[nodiscard]] auto epochs_table() const -> std::optional<Table>;
  /// `circle` and `workloads`.
  void add_to(Json& document) const;

 private:
  auto toll_of(const std::string& workload) -> Toll&;
  [[nodiscard]] auto counts(const Run& run, const std::string& workload) const -> bool;
  [[nodiscard]] auto is_counted(std::size_t run, const std::string& workload) const -> bool;
  void add(const Run& run, const Play& play, const Settings& settings, const Snapshot& cluster);
  void add_epochs(const Play& play, const Settings& settings, const Snapshot& cluster);
  void judge(const Play& play, const Settings& settings, const Snapshot& cluster);

  std::optional<Circle> circle_;
  Time length_ = 0;
  double per_hour_ = 0;  ///< of a circle: how often it goes round in an hour
  std::size_t evictions_ = 0;
  std::size_t evictions_before_ = 0;
  std::vector<Toll> all_;
  std::set<std::string> in_circle_;  ///< workloads of which a run ended in it
  std::set<std::string> anew_;       ///< workloads of which a pod began to run in the play, and ended
};

[[nodiscard]] auto waits_of(const Play& play, const Settings& settings) -> Waits;

/// As `workloads`, if there are any.
void add_tolls(const std::vector<Toll>& tolls, Json& document);

/// `31s`, `10m12s`, `2h5m0.5s`
[[nodiscard]] auto format_length(Time length) -> std::string;

}  // namespace previct::sequence
