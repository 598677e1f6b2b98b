#pragma once

#include "history/post_mortem.h"
#include "history/rewind.h"

#include <string>
#include <vector>

namespace previct::history {

/// A decision made once more.
struct Again {
  Result<Rerun> rerun;
  std::vector<std::string> lost;         ///< victims that are gone, with nothing to make them after
  std::vector<std::string> others_lost;  ///< those of other preemptions
  std::size_t ending = 0;                ///< pods that were on their way out, and may have ended
  bool budgets_moved = false;            ///< the status of a budget may have been another one
  std::string impossible;                ///< why no such state can have been; empty: it can
};

/// Makes the decision once more on the state of then. What the input leaves open (Guess) is taken in one way after the
/// other until the decision is the observed one; if it never is, the answer for the first way is given.
///
/// A state in which a node holds more than it has, and does not in the input, cannot have been: nothing is concluded
/// from it.
[[nodiscard]] auto run_again(const Inquiry& inquiry, const Rewind::Past& past, const Preemption& preemption) -> Again;

}  // namespace previct::history
