#pragma once

#include "history/post_mortem.h"
#include "history/rewind.h"

#include <string>
#include <vector>

namespace previct::history {

/// The result of a rerun.
struct RerunResult {
  Result<Rerun> rerun;
  std::vector<std::string> lost;         ///< victims that are gone and have no sibling to copy
  std::vector<std::string> others_lost;  ///< such victims of other preemptions
  std::size_t ending = 0;                ///< pods that were terminating, and may have ended
  bool budgets_moved = false;            ///< the status of a budget may have been different
  std::string impossible;                ///< why the state is impossible; empty: it is possible
};

/// Reruns the decision in the reconstructed state. What the input leaves open (Guess) is tried in order until the
/// decision is the observed one; if it never is, the result of the first guess is returned.
///
/// A state in which a node exceeds its resources, but does not in the input, is impossible: no conclusion is drawn from
/// it.
[[nodiscard]] auto rerun_decision(const PostMortemInput& inquiry, const Rewind::Past& past,
                                  const Preemption& preemption) -> RerunResult;

}  // namespace previct::history
