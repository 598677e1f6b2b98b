#include "engine/answer.h"

namespace previct {

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
