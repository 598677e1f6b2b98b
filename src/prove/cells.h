#pragma once

#include "prove/decider.h"
#include "prove/regions.h"

#include <vector>

namespace previct::prove {

/// Preemptors that the scheduler treats alike.
struct Region {
  Preemptor preemptor;    ///< one of them; the verdict holds from `preemptor.at` …
  Priorities priorities;  ///< … for all of these priorities
  Instant until;          ///< … until then, exclusive
  Box requests;           ///< … and all of these requests
};

/// Calls `visit(const Region&, const std::vector<PodId>& potential victims)` for preemptors on one node, in order of
/// priority and time, until it returns false: those of one call differ only in their requests, as far as the scheduler
/// compares anything. The only moments that matter are the ends of tolerations, which a Moment records.
template <class Visit>
auto for_each_cell(Decider& decider, const Space& space, NodeId node, const Visit& visit) -> bool {
  for (const Priorities& priorities : decider.intervals_on(node)) {
    for (std::size_t scheduler = 0; scheduler < decider.schedulers().size(); ++scheduler) {
      Region cell{{scheduler, priorities.least, node, space.from}, priorities, space.from, decider.all_requests()};
      while (cell.until <= space.to) {
        cell.preemptor.at = cell.until;
        Moment now(cell.preemptor.at);
        const std::vector<PodId> potential = decider.potential_victims(cell.preemptor, now);
        cell.until = now.horizon();
        if (!visit(static_cast<const Region&>(cell), potential)) return false;
      }
    }
  }
  return true;
}

}  // namespace previct::prove
