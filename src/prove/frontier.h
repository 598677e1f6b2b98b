#pragma once

#include "prove/cells.h"

#include <string>
#include <vector>

namespace previct::prove {

/// Preemptors that may evict a pod: all that request at least one of these sets of amounts, though not each larger one.
struct Threat {
  Priorities priorities;
  std::string scheduler;
  std::string like;  ///< of their form; empty: without a form
  Instant from;
  Instant until;  ///< exclusive
  /// The smallest sets of requests, in the order of Space::requests; each is smaller than the others in some amount.
  std::vector<std::vector<std::int64_t>> smallest;
  bool all = true;  ///< false: the search stopped, and there may be smaller sets
};

/// Which preemptors may evict one pod: exactly the priorities and moments of the threats.
struct Frontier {
  PodId pod;
  NodeId node;
  std::vector<Threat> threats;  ///< by priority, then by time
  std::size_t regions = 0;
  std::optional<Region> doubt;      ///< a region whose verdict is not known
  std::vector<std::string> faults;  ///< as Kind::fault: nothing is known about these forms
  std::vector<Gap> gaps;
  std::string engine{};      ///< the caller sets it
  std::string own_engine{};  ///< set by the caller if another engine schedules the pod, and may evict it, too
  std::string behaves;
};

/// Finds the frontier of a running pod. `space.nodes` is not used. Fails if the pod is on no node.
[[nodiscard]] auto frontier_of(Objects& objects, const Snapshot& cluster, const Question& question, Space space,
                               PodId pod) -> Result<Frontier>;

}  // namespace previct::prove
