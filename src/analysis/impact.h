#pragma once

#include "analysis/lost_work.h"
#include "cluster/snapshot.h"
#include "report/report.h"
#include "tell/answer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace previct {

/// The effect of an eviction on one workload: on the pods that one controller created, or on one pod without a
/// controller.
struct Impact {
  std::string kind;  ///< of the controller: `Deployment` (by template hash), `StatefulSet`, `Job` …; or `Pod`
  std::string ns;
  std::string name;
  std::vector<PodId> victims;
  std::size_t most = 0;       ///< the most of them that one outcome evicts
  std::size_t running = 0;    ///< its pods that are on nodes and not terminating, victims included
  bool certain = true;        ///< all victims are evicted whatever the scheduler chooses
  bool is_recreated = false;  ///< a controller, or a kubelet, recreates each victim
  bool is_final = true;       ///< as far as objects of the input show, no victim is recreated
  /// A Job: why it then fails and deletes its other pods (failure_of()); empty: it does not.
  std::string fails_because{};
  bool may_fail = false;           ///< exit codes of containers decide whether the Job fails
  std::int64_t grace_seconds = 0;  ///< the longest grace period
  std::int64_t run_seconds = 0;    ///< the longest time that a victim has been running; 0: unknown
  LostWork lost{};                 ///< zero where running times are unknown
};

/// By workload, the one with most victims first. Victims that are already terminating are not counted.
[[nodiscard]] auto impact_of(const Verdict& verdict, const Snapshot& cluster, Instant now) -> std::vector<Impact>;

[[nodiscard]] auto impact_table(const std::vector<Impact>& impacts) -> Table;
[[nodiscard]] auto impact_json(const std::vector<Impact>& impacts, const Snapshot& cluster) -> Json;

}  // namespace previct
