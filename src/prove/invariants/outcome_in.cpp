#include "prove/invariants/outcome_in.h"

#include "base/contains.h"

namespace previct::prove {

auto OutcomeIn::is_broken_by(const Verdict& verdict) const -> bool {
  return !contains(allowed_, verdict.outcome);
}

}  // namespace previct::prove
