#include "engine/answer.h"

#include <algorithm>

namespace previct {

auto weakens(const Gap& gap) -> bool {
  return gap.kind != Gap::Kind::assumption && gap.could_change_answer;
}

void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to) {
  for (const Gap& gap : from) {
    const bool known = std::any_of(to.begin(), to.end(),
                                   [&](const Gap& each) { return each.kind == gap.kind && each.what == gap.what; });
    if (!known) to.push_back(gap);
  }
}

auto outcome_name(Outcome outcome) -> std::string_view {
  switch (outcome) {
    case Outcome::fits: return "fits";
    case Outcome::preempts: return "preempts";
    case Outcome::pending: return "pending";
    case Outcome::not_eligible: return "not-eligible";
    case Outcome::waits: return "waits";
    case Outcome::gated: return "gated";
    case Outcome::deleting: return "deleting";
    case Outcome::scheduled: return "scheduled";
    case Outcome::error: return "error";
  }
  return "error";
}

auto gets_in(const Answer& answer) -> bool {
  return answer.outcome == Outcome::fits || (answer.outcome == Outcome::preempts && !answer.in_vain);
}

}  // namespace previct
