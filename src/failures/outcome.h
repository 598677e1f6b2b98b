#pragma once

#include "cluster/changed_cluster.h"
#include "failures/failures.h"
#include "sequence/simulation_result.h"

#include <map>
#include <set>
#include <string>

namespace previct::failures {

/// Returns true if no pod stays out, is evicted or kept, and every budget holds.
[[nodiscard]] auto is_harmless(const Outcome& outcome) -> bool;

/// Returns true if `a` is worse: by the highest priority that stays out, then the number of pods that do, of kept pods,
/// of evicted pods, and of budgets that do not hold.
[[nodiscard]] auto is_worse(const Outcome& a, const Outcome& b) -> bool;

/// What happens without any failure.
struct WithoutFailure {
  std::map<std::string, std::size_t> out{};  ///< pods that stay out, and how many of this name
  std::set<PodId> evicted{};
  std::set<std::string> budgets{};  ///< names of broken budgets
};

/// Simulates a failure, and returns what follows from it that does not happen without it. `cluster`: without the
/// failure. `calm`: the simulation without the failure.
class Trial {
 public:
  Trial(const Task& task, const Snapshot& cluster, const sequence::SimulationResult& calm);

  [[nodiscard]] auto run(const Failure& failure) -> Result<Outcome>;
  /// What the simulations assumed.
  [[nodiscard]] auto gaps() const -> const std::vector<Gap>& { return gaps_; }

 private:
  // Changes the nodes, and sets which pods go. Returns the flags that kubectl drain needs.
  auto happen(const Failure& failure, sequence::Settings& settings, ChangedCluster& changed) const
      -> std::vector<std::string>;

  const Task& task_;
  const Snapshot& cluster_;
  WithoutFailure without_;
  std::vector<Gap> gaps_;
};

}  // namespace previct::failures
