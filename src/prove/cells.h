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

/// Calls `visit(const Region&, const std::vector<PodId>& potential victims)` for preemptors of one kind on one node
/// whose priorities the scheduler treats alike, in order of time, until it returns false: those of one call differ only
/// in their requests, as far as the scheduler compares anything. The only moments that matter are the ends of
/// tolerations, which a Moment records.
template <class Visit>
auto for_each_moment(Decider& decider, const Space& space, const Preemptor& first, const Priorities& priorities,
                     const Visit& visit) -> bool {
  Region cell{first, priorities, space.from, decider.all_requests()};
  while (cell.until <= space.to) {
    cell.preemptor.at = cell.until;
    Moment now(cell.preemptor.at);
    const std::vector<PodId> potential = decider.potential_victims(cell.preemptor, now);
    cell.until = now.horizon();
    if (!visit(static_cast<const Region&>(cell), potential)) return false;
  }
  return true;
}

/// As for_each_moment(), for all priorities.
template <class Visit>
auto for_each_cell_of(Decider& decider, const Space& space, NodeId node, std::size_t kind, const Visit& visit) -> bool {
  for (const Priorities& priorities : decider.intervals_on(node)) {
    if (!for_each_moment(decider, space, {kind, priorities.least, node, space.from}, priorities, visit)) return false;
  }
  return true;
}

/// As for_each_moment(), for all kinds and priorities: in order of priority or, with forms, one form after the other.
template <class Visit>
auto for_each_cell(Decider& decider, const Space& space, NodeId node, const Visit& visit) -> bool {
  const std::size_t kinds = decider.kinds().size();
  if (!space.forms.empty()) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (!for_each_cell_of(decider, space, node, kind, visit)) return false;
    }
    return true;
  }
  for (const Priorities& priorities : decider.intervals_on(node)) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (!for_each_moment(decider, space, {kind, priorities.least, node, space.from}, priorities, visit)) return false;
    }
  }
  return true;
}

}  // namespace previct::prove
