#pragma once

#include "analysis/lost_work.h"
#include "report/report.h"
#include "sequence/settings.h"
#include "sequence/simulation_result.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace previct::sequence {

/// The epochs of one workload. A pod saves its work at the end of each epoch, and a later pod continues from there: an
/// eviction loses the work since then.
struct Epochs {
  std::size_t runs = 0;                  ///< runs that ended, or continue when the simulation ends
  std::size_t evicted_before_first = 0;  ///< how many of them were evicted before an epoch was finished
  std::size_t finished = 0;
  std::size_t lost = 0;  ///< epochs interrupted by an eviction
  Time useful = 0;       ///< in finished epochs, and in runs that ended by themselves
  Time wasted = 0;       ///< in lost epochs

  /// Returns the useful share of useful and wasted time. None: there is neither.
  [[nodiscard]] auto useful_share() const -> std::optional<double>;
};

/// What a simulation costs one workload. In a loop, only the last simulated round counts, unless no run of the workload
/// ends in it.
struct WorkloadCost {
  std::string workload;        ///< `Job ml/train`
  bool before_circle = false;  ///< the events counted happened before the loop began
  std::size_t evictions = 0;
  /// The longest run that ended, measured until the deletion began or the pod ended. Runs that began before the
  /// simulation count only if there are no others. None: the start of one of them is unknown.
  std::optional<Time> longest_run = Time{0};
  /// Work since the last finished epoch, or of whole runs. None: the start of an evicted pod is unknown.
  std::optional<LostWork> lost = LostWork{};
  Time epoch = 0;                            ///< the length that a run has to reach; 0: none was given
  std::optional<Epochs> epochs{};            ///< none: no epoch was given, or the start of a pod is unknown
  std::optional<bool> reaches_epoch = true;  ///< none: unknown
};

/// The costs of a simulation, by workload, those with the most evictions first.
class SimulationCosts {
 public:
  SimulationCosts(const SimulationResult& play, const Settings& settings, const Snapshot& cluster);

  [[nodiscard]] auto all() const -> const std::vector<WorkloadCost>& { return all_; }
  [[nodiscard]] auto evictions() const -> std::size_t { return evictions_; }
  /// The evictions of all workloads before the loop began.
  [[nodiscard]] auto evictions_before() const -> std::size_t { return evictions_before_; }
  /// Evictions per hour as long as the loop lasts. Only of a loop.
  [[nodiscard]] auto evictions_per_hour() const -> double { return static_cast<double>(evictions_) * per_hour_; }
  /// Returns true if pods are evicted over and over, up to the horizon and beyond.
  [[nodiscard]] auto thrashes() const -> bool { return circle_.has_value() && evictions_ > 0; }

  /// Returns the end of a verdict: the loop, and epochs that are never finished. Empty, or begins with a blank.
  [[nodiscard]] auto sentences() const -> std::string;
  /// None if no pod is evicted.
  [[nodiscard]] auto table() const -> std::optional<Table>;
  /// None if no epochs were given, or no run of a workload that has them ended.
  [[nodiscard]] auto epochs_table() const -> std::optional<Table>;
  /// Adds `circle` and `workloads`.
  void add_to(Json& document) const;

 private:
  auto cost_of(const std::string& workload) -> WorkloadCost&;
  [[nodiscard]] auto counts(const Run& run, const std::string& workload) const -> bool;
  [[nodiscard]] auto is_counted(std::size_t run, const std::string& workload) const -> bool;
  void add(const Run& run, const SimulationResult& play, const Settings& settings, const Snapshot& cluster);
  void add_epochs(const SimulationResult& play, const Settings& settings, const Snapshot& cluster);
  void judge(const SimulationResult& play, const Settings& settings, const Snapshot& cluster);

  std::optional<SimulationLoop> circle_;
  Time length_ = 0;
  double per_hour_ = 0;  ///< rounds of the loop per hour
  std::string until_;    ///< `until +2h at least, when default/v ends`; empty: the loop does not end
  std::size_t evictions_ = 0;
  std::size_t evictions_before_ = 0;
  std::vector<WorkloadCost> all_;
  std::set<std::string> in_circle_;              ///< workloads with a run that ended in the loop
  std::set<std::string> started_in_simulation_;  ///< workloads with a run that began in the simulation, and ended
};

[[nodiscard]] auto waits_of(const SimulationResult& play, const Settings& settings) -> Waits;

/// Adds `workloads`, if there are any.
void add_costs(const std::vector<WorkloadCost>& tolls, Json& document);

/// `31s`, `10m12s`, `2h5m0.5s`
[[nodiscard]] auto format_length(Time length) -> std::string;

}  // namespace previct::sequence
