#pragma once

#include "analysis/lost_work.h"
#include "cluster/snapshot.h"
#include "report/report.h"
#include "tell/answer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace previct {

/// What an eviction means for one workload: the pods that one controller made, or one pod that none did.
struct Impact {
  std::string kind;  ///< of the controller: `Deployment` (known by the template's hash), `StatefulSet`, `Job` …; `Pod`
  std::string ns;
  std::string name;
  std::vector<PodId> victims;
  std::size_t most = 0;            ///< of them, at most so many go together
  std::size_t running = 0;         ///< its pods that are on nodes and not on their way out, victims included
  bool certain = true;             ///< all victims go whatever the scheduler chooses
  bool made_again = false;         ///< a controller, or a kubelet, makes a new pod in place of each
  std::int64_t grace_seconds = 0;  ///< the longest
  std::int64_t run_seconds = 0;    ///< the longest run that ends; 0: not known
  LostWork lost{};                 ///< nothing where runs are not known
};

/// By workload, those that lose most first. Victims that are terminating already count no more.
[[nodiscard]] auto impact_of(const Verdict& verdict, const Snapshot& cluster, Instant now) -> std::vector<Impact>;

[[nodiscard]] auto impact_table(const std::vector<Impact>& impacts) -> Table;
[[nodiscard]] auto impact_json(const std::vector<Impact>& impacts, const Snapshot& cluster) -> Json;

}  // namespace previct
