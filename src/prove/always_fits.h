#pragma once

#include "prove/proof.h"

namespace previct::prove {

/// Proves that every pod of the space fits on one of its nodes, if necessary by preemption, or finds one that does not:
/// the smallest found, of the lowest priority. The pods may run on every node of the space that their form allows;
/// those without a form tolerate no taint. The result has Proof::always_fits.
///
/// If a pod gets a node, so does a pod that requests less: the scheduler compares requests only with what is free, or
/// what evictions free, and fewer requests pass each comparison. So only the largest requests are decided, for each
/// priority and moment at which a decision can change.
[[nodiscard]] auto prove_always_fits(const Task& task) -> Result<Proof>;

}  // namespace previct::prove
